import type { ApiRequest } from '../../serve/http/request/api-request.js';
import type { ApiError } from '../../domain/errors/api-error.js';

/** `search` offers the two tools that some hosts ask for, and nothing else. */
export type ToolSet = 'all' | 'search';

/** A request to the MCP endpoint with what its entrance has read. */
export interface McpRequest extends ApiRequest {
  /** Express's request has `any`. */
  body: unknown;
  toolSet?: ToolSet;
  /** The fault that a handler found, which the controller throws once the library has run. */
  fault?: ApiError;
}
