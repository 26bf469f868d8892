import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Caller } from '../access/caller.js';
import { ApiError } from '../errors/api-error.js';
import { throttlerKey, type PlanThrottlerStorage } from './plan-throttler-storage.js';
import { budgetOf, limitHeaders, type RateLimitBudget } from './rate-limit-headers.js';
import type { RateLimitResult } from './rate-limit-store.js';
import { RecentUsage } from './recent-usage.js';

/** A request after the key guard. */
interface CountableRequest {
  readonly context: { readonly caller: Caller; readonly receivedAt: Date };
  readonly headers: IncomingHttpHeaders;
  /** Costs no request of the plan, because it returns no content. */
  readonly isFree?: boolean;
  countedBy?: RateLimitResult['via'];
  refusedBy?: RateLimitResult['refusedBy'];
  budget?: RateLimitBudget;
}

/** Checks both windows of the account's plan, and counts in both or refuses, in one step. */
@Injectable()
export class PlanThrottlerGuard extends ThrottlerGuard {
  declare protected readonly storageService: PlanThrottlerStorage;
  @Inject(RecentUsage) private readonly recentUsage!: RecentUsage;

  protected override async handleRequest(throttled: ThrottlerRequest): Promise<boolean> {
    const { context, limit, ttl, blockDuration } = throttled;
    const http = context.switchToHttp();
    const request = http.getRequest<CountableRequest>();
    const { plan } = request.context.caller;
    const key = this.generateKey(context);
    const record = await this.storageService.increment(key, ttl, limit, blockDuration, plan);
    const { result } = record;
    request.countedBy = result.via;
    request.refusedBy = result.refusedBy;
    request.budget = budgetOf(plan, result);
    const response = http.getResponse<ServerResponse>();
    for (const [name, value] of Object.entries(limitHeaders(plan, result))) response.setHeader(name, value);
    if (!record.isBlocked) {
      this.recentUsage.record(request.context, request.headers['user-agent'], request.isFree === true);
      return true;
    }
    throw new ApiError(result.refusedBy === 'day' ? 'day_limit_exceeded' : 'minute_limit_exceeded', {
      ...(request.isFree === true && { detail: 'free' }),
      retryAfterSeconds: record.timeToBlockExpire,
    });
  }

  /** An account has one budget over all its keys and routes. */
  protected override generateKey(context: ExecutionContext): string {
    const request = context.switchToHttp().getRequest<CountableRequest>();
    return throttlerKey(request.context.caller.accountId, request.isFree ?? false);
  }
}
