import type { ApiRequest } from '../http/api-request.js';
import type { ApiError } from '../errors/api-error.js';

/** A request to the endpoint, with what was found out about its body. */
export interface McpRequest extends ApiRequest {
  /** Why it will be refused once it is admitted. */
  fault?: ApiError;
}
