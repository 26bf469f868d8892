import type { Budget, RateLimitResult } from './rate-limit-store.js';

/** The arithmetic of both windows: a rolling minute, and the UTC calendar day. Times are whole milliseconds. */
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Both windows of a key at one instant, before the current request counts. */
export interface WindowState {
  readonly minuteUsed: number;
  /** Age of the oldest request that still counts, or null. */
  readonly oldestAge: number | null;
  /** Age of the request that must expire before the minute has room for one more; null while it has room. */
  readonly blockingAge: number | null;
  readonly dayUsed: number;
  readonly wallNow: number;
}

/**
 * A request counts until it is older than one minute: the window is closed, so two requests exactly 60 s apart share
 * one. With clocks in whole milliseconds, no true minute thus exceeds the limit.
 */
export function countsSince(now: number): number {
  return now - MINUTE_MS;
}

function expiresIn(age: number): number {
  return MINUTE_MS - age + 1;
}

export function dayIndex(wallNow: number): number {
  return Math.floor(wallNow / DAY_MS);
}

/** `YYYY-MM-DD` of a day's index. */
export function dayName(index: number): string {
  return new Date(index * DAY_MS).toISOString().slice(0, 10);
}

export function untilMidnight(wallNow: number): number {
  return (dayIndex(wallNow) + 1) * DAY_MS - wallNow;
}

/** Decides on one request; returns both windows after it. */
export function evaluate(budget: Budget, state: WindowState, via: RateLimitResult['via']): RateLimitResult {
  const { minuteUsed, dayUsed, wallNow } = state;
  const minuteWait = state.blockingAge === null ? 0 : expiresIn(state.blockingAge);
  const dayResetMs = untilMidnight(wallNow);
  const dayWait = budget.perDay !== null && dayUsed >= budget.perDay ? dayResetMs : 0;
  const admitted = minuteWait === 0 && dayWait === 0;
  const counted = admitted ? 1 : 0;
  const nextToExpire = state.blockingAge ?? state.oldestAge ?? (admitted ? 0 : null);
  return {
    admitted,
    refusedBy: admitted ? null : dayWait > 0 ? 'day' : 'minute',
    minuteUsed: minuteUsed + counted,
    dayUsed: budget.perDay === null ? 0 : dayUsed + counted,
    day: dayName(dayIndex(wallNow)),
    // Just before midnight the minute may refuse for longer than the day.
    retryAfterMs: Math.max(minuteWait, dayWait),
    minuteResetMs: nextToExpire === null ? 0 : expiresIn(nextToExpire),
    dayResetMs,
    via,
  };
}

/** `retry-after` in whole seconds: rounded up, at least 1, and sufficient. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}
