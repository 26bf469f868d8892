import type { ApiRequest } from '../http/request/api-request.js';
import type { ApiError } from '../errors/api-error.js';

/** A request to the MCP endpoint with the results of its body guard. */
export interface McpRequest extends ApiRequest {
  /** The fault of its body, thrown after the request has been counted. */
  fault?: ApiError;
}
