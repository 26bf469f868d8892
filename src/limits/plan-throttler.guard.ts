import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../access/call-context.js';
import { ApiError } from '../errors/api-error.js';
import { limitHeaders } from './limit-headers.js';
import { PlanLimiter } from './plan-limiter.js';
import type { Admission } from './window-store.js';
import { retryAfterSeconds } from './window.js';

/** What the gate knows of a request when it comes to counting it. */
interface Countable {
  readonly caller?: Caller;
  /** Costs no request of the plan: it asks for no content. */
  readonly isFree?: boolean;
  countedBy?: Admission['via'];
  refusedBy?: Admission['refusedBy'];
}

/** Second of the gate: one step that checks both windows of the account's plan and counts, or refuses. */
@Injectable()
export class PlanThrottlerGuard implements CanActivate {
  constructor(private readonly limiter: PlanLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Countable>();
    const { caller, isFree = false } = request;
    // Only an open route has no caller: the key guard stands before this one.
    if (caller === undefined) return true;
    const admission = await (isFree ? this.limiter.admitFree(caller) : this.limiter.admit(caller));
    request.countedBy = admission.via;
    request.refusedBy = admission.refusedBy;
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of Object.entries(limitHeaders(caller.plan, admission))) {
      response.setHeader(name, value);
    }
    if (admission.admitted) return true;
    throw new ApiError(admission.refusedBy === 'day' ? 'day_limit_exceeded' : 'minute_limit_exceeded', {
      ...(isFree && { detail: 'free' }),
      retryAfterSeconds: retryAfterSeconds(admission.retryAfterMs),
    });
  }
}
