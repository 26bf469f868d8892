import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { CallContext } from '../access/call-context.js';
import { ApiError } from '../errors/api-error.js';
import { PLAN_TERMS } from '../plans/plans.js';
import type { ApiRequest } from './api-request.js';
import { requestedLocale } from './respond.service.js';

/** The call as the services know it: who asks, how far they reach, in which language, on which day. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): CallContext => {
  const request = context.switchToHttp().getRequest<ApiRequest>();
  const { caller } = request;
  if (caller === undefined) throw new ApiError('missing_key');
  return {
    caller,
    reach: PLAN_TERMS[caller.plan],
    locale: requestedLocale(request),
    today: request.receivedAt.toISOString().slice(0, 10),
  };
});
