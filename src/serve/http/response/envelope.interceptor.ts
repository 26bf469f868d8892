import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { PLAN_TERMS } from '../../../domain/plans/plans.js';
import type { Result } from '../../responses/result.js';
import { PUBLIC } from '../../access/keys/public.decorator.js';
import { ACCOUNT_SCOPED } from '../../access/keys/account-scoped.decorator.js';
import { ApiError } from '../../../domain/errors/api-error.js';
import type { SerializedResponse } from './serialized-response.js';
import { ResponseCache } from './response-cache.js';
import { ResponseCacheKeys } from './response-cache-key.js';
import type { ApiRequest } from '../request/api-request.js';
import { computeCacheMiss } from '../overload/load-shedder.js';
import { setFaultyAside } from '../request/faulty-query.js';
import { acceptsJson } from './negotiation.js';
import { RAW_RESPONSE } from './raw-response.decorator.js';
import { EnvelopeSerializer } from './envelope-serializer.service.js';
import { dependsOnPlan } from './plan-reach.decorator.js';
import { ResponseWriter, type EncodedResponse } from './response-writer.service.js';
import { UnknownPathController } from '../pages/unknown-path.controller.js';

/**
 * Wraps validation and handler. Within one data version and day, a repeated request gets the cached bytes, and a
 * known URL is not parsed again; concurrent misses share one computation. Account data bypasses the cache, which all
 * accounts share.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: ResponseCache,
    private readonly keys: ResponseCacheKeys,
    private readonly serializer: EnvelopeSerializer,
    private readonly writer: ResponseWriter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.reflector.get<boolean | undefined>(PUBLIC, context.getClass()) === true) return next.handle();
    // An unknown path or method takes precedence over every other error.
    if (context.getClass() === UnknownPathController) return next.handle();
    if (this.reflector.get<boolean | undefined>(RAW_RESPONSE, context.getClass()) === true)
      return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    if (!acceptsJson(request.headers.accept)) throw new ApiError('not_acceptable');
    const { caller } = request.context;
    if (caller !== undefined && dependsOnPlan(context.getClass())) {
      request.context.reach = PLAN_TERMS[caller.plan];
    }
    const own = this.reflector.get<boolean | undefined>(ACCOUNT_SCOPED, context.getClass()) === true;
    const key = own ? null : this.keys.of(context, request);
    if (key === null) setFaultyAside(context.getClass(), context.getHandler().name, request.context);
    const present = () => this.present(request, next, own);
    return from(this.answer(request, key, present));
  }

  private async answer(
    request: ApiRequest,
    key: string | null,
    present: () => Promise<SerializedResponse>,
  ): Promise<EncodedResponse> {
    const answer =
      key === null
        ? await computeCacheMiss(request, present)
        : (this.cache.find(key) ?? (await computeCacheMiss(request, () => this.cache.compute(key, present))));
    return this.writer.encode(request, answer);
  }

  private async present(request: ApiRequest, next: CallHandler, own: boolean): Promise<SerializedResponse> {
    const { faults, locale } = request.context;
    const handled = lastValueFrom(next.handle() as Observable<Result<object>>);
    const result = await handled.catch((error: unknown) => faults.refuseWith(error));
    faults.refuse();
    return this.serializer.serialize(result, locale, own);
  }
}
