import type { ApiRequest } from '../../serve/http/request/api-request.js';
import type { ApiError } from '../../domain/errors/api-error.js';

/** `search` offers the two tools that some hosts ask for, and nothing else. */
export type ToolSet = 'all' | 'search';

/** A request to the MCP endpoint with the results of its body guard. */
export interface McpRequest extends ApiRequest {
  toolSet?: ToolSet;
  /** Set by the first who reads its body. */
  bodyRead?: Promise<void>;
  /** The fault of its message: thrown after the request has been counted, or after the library has run. */
  fault?: ApiError;
  /** The error of its tool call, which the result has as text. */
  toolError?: ApiError;
}
