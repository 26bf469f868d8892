import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallContext } from '../access/call-context.js';
import { ApiError } from '../errors/api-error.js';
import { dayOf } from '../figures/periods.js';
import type { Locale } from '../locale/locale.js';
import { PLAN_TERMS } from '../plans/plans.js';
import type { ApiRequest } from './api-request.js';
import { requestedLocale } from './respond.service.js';

/** The call as the services know it: who asks, how far they reach, in which language, on which day. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): CallContext => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  return callOf(request, requestedLocale(request));
});

/** @throws ApiError `missing_key` for a request that has not passed the gate */
export function callOf(request: ApiRequest, locale: Locale): CallContext {
  const { caller } = request;
  if (caller === undefined) throw new ApiError('missing_key');
  return {
    caller,
    reach: PLAN_TERMS[caller.plan],
    locale,
    today: dayOf(request.receivedAt),
    notBefore: request.notBefore ?? 0,
  };
}
