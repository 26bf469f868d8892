import type { ThrottlerStorage } from '@nestjs/throttler';
import { PLAN_TERMS, type Plan } from '../../domain/plans/plans.js';
import { NO_BASELINE, type Baseline, type RateLimitResult, type RateLimitStore } from './rate-limit-store.js';
import type { UsageRecorder } from './usage-recorder.js';
import { retryAfterSeconds } from './window.js';

/** The limit of MCP calls that cost no request, per account and minute. */
const FREE_CALLS = { atLeast: 60, timesPlan: 4 };
const FREE_PREFIX = 'free:';

/** The throttler's record of one step, with both windows. */
export interface PlanThrottlerRecord extends Awaited<ReturnType<ThrottlerStorage['increment']>> {
  readonly result: RateLimitResult;
}

/** The key of an account's counted requests, or of its calls that cost no request. */
export function throttlerKey(accountId: string, isFree: boolean): string {
  return isFree ? `${FREE_PREFIX}${accountId}` : accountId;
}

/** Admits or refuses one request of an account by its plan; records admitted requests. */
export class PlanThrottlerStorage implements ThrottlerStorage {
  constructor(
    private readonly store: RateLimitStore,
    private readonly usage: UsageRecorder,
  ) {}

  /** The throttler has the plan's name; both windows of the plan count in one step. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    throttlerName: string,
  ): Promise<PlanThrottlerRecord> {
    const plan = throttlerName as Plan;
    const result = key.startsWith(FREE_PREFIX) ? await this.admitFree(key, plan) : await this.admit(key, plan);
    const { admitted, minuteUsed, minuteResetMs, retryAfterMs } = result;
    return {
      totalHits: minuteUsed,
      timeToExpire: Math.ceil(minuteResetMs / 1_000),
      isBlocked: !admitted,
      timeToBlockExpire: admitted ? 0 : retryAfterSeconds(retryAfterMs),
      result,
    };
  }

  /** Both windows of an account; counts nothing. */
  look(accountId: string, plan: Plan): Promise<RateLimitResult> {
    // A day window without room refuses every request: the store counts nothing and returns both windows.
    return this.store.admit(accountId, { ...PLAN_TERMS[plan], perDay: 0 }, this.baseline);
  }

  private async admit(accountId: string, plan: Plan): Promise<RateLimitResult> {
    const result = await this.store.admit(accountId, PLAN_TERMS[plan], this.baseline);
    if (result.admitted) this.usage.count(accountId, result.day);
    return result;
  }

  /** Counts in a separate window and returns the plan's windows unchanged. */
  private async admitFree(key: string, plan: Plan): Promise<RateLimitResult> {
    const perMinute = Math.max(FREE_CALLS.atLeast, FREE_CALLS.timesPlan * PLAN_TERMS[plan].perMinute);
    const [free, windows] = await Promise.all([
      this.store.admit(key, { perMinute, perDay: null }, NO_BASELINE),
      this.look(key.slice(FREE_PREFIX.length), plan),
    ]);
    const { admitted, retryAfterMs } = free;
    return { ...windows, admitted, refusedBy: admitted ? null : 'minute', retryAfterMs };
  }

  private readonly baseline: Baseline = (accountId, day) => this.usage.read(accountId, day);
}
