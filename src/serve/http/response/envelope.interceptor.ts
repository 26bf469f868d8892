import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { PLAN_TERMS } from '../../../domain/plans/plans.js';
import type { Result } from '../../responses/result.js';
import { PUBLIC } from '../../access/keys/public.decorator.js';
import { ACCOUNT_SCOPED } from '../../access/keys/account-scoped.decorator.js';
import type { SerializedResponse } from './serialized-response.js';
import { ResponseCache } from './response-cache.js';
import { KeptResponses } from './kept-responses.service.js';
import type { ApiRequest } from '../request/api-request.js';
import { computeCacheMiss } from '../overload/load-shedder.js';
import { setFaultyAside } from '../request/faulty-query.js';
import { RAW_RESPONSE } from './raw-response.decorator.js';
import { EnvelopeSerializer } from './envelope-serializer.service.js';
import { dependsOnPlan } from './plan-reach.decorator.js';
import { ResponseWriter, type EncodedResponse } from './response-writer.service.js';

/**
 * Wraps validation and handler. Within one data version and day, a repeated request gets the kept bytes, which the request pipeline
 * has found, and a known URL is not parsed again; concurrent misses share one computation.
 */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: ResponseCache,
    private readonly responses: KeptResponses,
    private readonly serializer: EnvelopeSerializer,
    private readonly writer: ResponseWriter,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const type = context.getClass();
    const marked = (name: string) => this.reflector.get<boolean | undefined>(name, type) === true;
    if (marked(PUBLIC) || marked(RAW_RESPONSE)) return next.handle();
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller } = request.context;
    if (caller !== undefined && dependsOnPlan(type)) request.context.reach = PLAN_TERMS[caller.plan];
    const key = this.responses.keyOf(request, context);
    if (key === null) setFaultyAside(type, context.getHandler().name, request.context);
    const present = () => this.present(request, next, marked(ACCOUNT_SCOPED));
    const work = () => (key === null ? present() : this.cache.compute(key, present));
    return from(this.respond(request, work));
  }

  private async respond(request: ApiRequest, work: () => Promise<SerializedResponse>): Promise<EncodedResponse> {
    const kept = request.kept as SerializedResponse | undefined;
    return this.writer.encode(request, kept ?? (await computeCacheMiss(request, work)));
  }

  private async present(request: ApiRequest, next: CallHandler, own: boolean): Promise<SerializedResponse> {
    const { faults, locale } = request.context;
    const handled = lastValueFrom(next.handle() as Observable<Result<object>>);
    const result = await handled.catch((error: unknown) => faults.refuseWith(error));
    faults.refuse();
    return this.serializer.serialize(result, locale, own);
  }
}
