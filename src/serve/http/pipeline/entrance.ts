import type { ExecutionContext, Type } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { ApiRequest } from '../request/api-request.js';

export type Headers = Readonly<Record<string, string>>;

/** What a protocol adds to the admission of its requests. */
export interface Entrance {
  /** The only method that it takes; undefined if the router decides. */
  readonly method?: string;
  /** Whether a request costs nothing until `find` has read what it costs. */
  readonly isFree: boolean;
  /** The controller of a request that has passed the early checks before, so that the router need not see it. */
  controllerOf(request: ApiRequest): Type | undefined;
  /** The kept response; undefined without one. @throws ApiError for a request that its protocol refuses */
  find(request: ApiRequest, context: ExecutionContext): unknown;
  /** Sends `request.kept`, with these headers besides its own. */
  send(request: ApiRequest, response: ServerResponse, headers: Headers): void | Promise<void>;
}
