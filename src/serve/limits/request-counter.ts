import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { OWN_CALLER, type Caller } from '../access/keys/caller.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { PLAN_TERMS } from '../../domain/plans/plans.js';
import { PlanThrottlerStorage, throttlerKey } from './plan-throttler-storage.js';
import { budgetOf, limitHeaders, type RateLimitBudget } from './rate-limit-headers.js';
import type { RateLimitResult } from './rate-limit-store.js';
import { RecentUsage } from './recent-usage.js';
import { MINUTE_MS } from './window.js';

/** A request after its key has been verified. */
export interface CountableRequest {
  readonly context: { readonly caller?: Caller; readonly receivedAt: Date };
  readonly headers: IncomingHttpHeaders;
  /** Costs no request of the plan, because it returns no content. */
  readonly isFree?: boolean;
  countedBy?: RateLimitResult['via'];
  refusedBy?: RateLimitResult['refusedBy'];
  budget?: RateLimitBudget;
  readonly kept?: unknown;
  limitHeaders?: RequestCount['headers'];
}

export interface RequestCount {
  /** The limit headers of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null after admission. */
  readonly refusal: ApiError | null;
}

/** Checks both windows of the account's plan, and counts in both or refuses, in one step. */
@Injectable()
export class RequestCounter {
  constructor(
    private readonly storage: PlanThrottlerStorage,
    private readonly recentUsage: RecentUsage,
  ) {}

  async count(request: CountableRequest): Promise<RequestCount> {
    const { caller, receivedAt } = request.context;
    if (caller === undefined) throw new Error('No request is counted without a caller');
    const { accountId, plan } = caller;
    if (caller === OWN_CALLER) {
      const result = await this.storage.look(accountId, plan);
      request.budget = budgetOf(plan, result);
      return { headers: limitHeaders(plan, result), refusal: null };
    }
    const isFree = request.isFree === true;
    // An account has one budget over all its keys and routes.
    const key = throttlerKey(accountId, isFree);
    const { perMinute } = PLAN_TERMS[plan];
    const record = await this.storage.increment(key, MINUTE_MS, perMinute, 0, plan);
    const { result } = record;
    request.countedBy = result.via;
    request.refusedBy = result.refusedBy;
    request.budget = budgetOf(plan, result);
    const headers = limitHeaders(plan, result);
    if (!record.isBlocked) {
      this.recentUsage.record({ caller, receivedAt }, request.headers['user-agent'], isFree);
      return { headers, refusal: null };
    }
    const code = result.refusedBy === 'day' ? 'day_limit_exceeded' : 'minute_limit_exceeded';
    const detail = isFree ? 'free' : isUnseen(result) ? 'unseen' : undefined;
    const retryAfterSeconds = record.timeToBlockExpire;
    return { headers, refusal: new ApiError(code, { ...(detail && { detail }), retryAfterSeconds }) };
  }
}

/** Redis did not decide: the minute may have room that this instance cannot see. */
function isUnseen({ refusedBy, via }: RateLimitResult): boolean {
  return refusedBy === 'minute' && (via === 'lease' || via === 'fallback');
}
