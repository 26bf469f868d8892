import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACCOUNT_SCOPED } from '../../access/keys/account-scoped.decorator.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import { ResponseCache } from '../response/response-cache.js';
import { ResponseCacheKeys } from '../response/response-cache-key.js';
import type { ApiRequest } from '../request/api-request.js';
import { LoadShedder } from './load-shedder.js';
import { RAW_RESPONSE } from '../response/raw-response.decorator.js';
import { UnknownPathController } from '../pages/unknown-path.controller.js';

/**
 * Runs after authentication and before the rate limiter: under overload it rejects cache misses, which therefore cost
 * none of the plan's requests; cache hits pass.
 */
@Injectable()
export class CacheMissGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly loadShedder: LoadShedder,
    private readonly cache: ResponseCache,
    private readonly keys: ResponseCacheKeys,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.loadShedder.cacheMisses.isFull()) return true;
    if (this.isCheap(context.switchToHttp().getRequest<ApiRequest>(), context)) return true;
    this.loadShedder.cacheMisses.reject();
    throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
  }

  private isCheap(request: ApiRequest, context: ExecutionContext): boolean {
    const type = context.getClass();
    // Pages, and requests that fail anyway.
    if (request.context.caller === undefined || request.isFree === true || type === UnknownPathController)
      return true;
    // The cache key of a tool call depends on its validated arguments, which are not known here.
    if (this.is(ACCOUNT_SCOPED, type) || this.is(RAW_RESPONSE, type)) return false;
    const key = this.keys.of(context, request);
    return key !== null && this.cache.find(key) !== undefined;
  }

  private is(mark: string | symbol, type: ReturnType<ExecutionContext['getClass']>): boolean {
    return this.reflector.get<boolean | undefined>(mark, type) === true;
  }
}
