import type { ServerResponse } from 'node:http';
import { Injectable, type ExecutionContext, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCOUNT_SCOPED } from '../../access/keys/account-scoped.decorator.js';
import type { Entrance, Headers } from '../pipeline/entrance.js';
import type { ApiRequest } from '../request/api-request.js';
import { ResponseCacheKeys } from './response-cache-key.js';
import { ResponseCache } from './response-cache.js';
import { ResponseWriter } from './response-writer.service.js';
import type { SerializedResponse } from './serialized-response.js';

/** The entrance of the HTTP interface: the responses that the envelope interceptor has cached. */
@Injectable()
export class KeptResponses implements Entrance {
  readonly isFree = false;

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ResponseCacheKeys,
    private readonly cache: ResponseCache,
    private readonly writer: ResponseWriter,
  ) {}

  controllerOf({ method, url }: ApiRequest): Type | undefined {
    return method === 'GET' || method === 'HEAD' ? this.keys.known(url)?.controller : undefined;
  }

  find(request: ApiRequest, context: ExecutionContext): SerializedResponse | undefined {
    const key = this.keyOf(request, context);
    return key === null ? undefined : this.cache.find(key);
  }

  /** Null for account data, which no cache stores, and if a parameter is invalid. */
  keyOf(request: ApiRequest, context: ExecutionContext): string | null {
    const isOwn = this.reflector.get<boolean | undefined>(ACCOUNT_SCOPED, context.getClass()) === true;
    return isOwn ? null : this.keys.of(context, request);
  }

  async send(request: ApiRequest, response: ServerResponse, headers: Headers): Promise<void> {
    const known = this.keys.known(request.url);
    if (known !== undefined) {
      request.context.query = known.query;
      request.route = known.route;
    }
    const kept = request.kept as SerializedResponse;
    this.writer.send(request, response, await this.writer.encode(request, kept), headers);
  }
}
