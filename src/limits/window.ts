import type { Admission, Budget } from './window-store.js';

/** The arithmetic of both windows: a rolling minute, and the UTC calendar day. Times are whole milliseconds. */
export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** What a subject's windows hold at one instant, before the request in question is counted. */
export interface Holding {
  readonly minuteUsed: number;
  /** Age of the oldest request that still counts, or null. */
  readonly oldestAge: number | null;
  /** Age of the request that must leave before the minute admits one more; null while there is room. */
  readonly blockingAge: number | null;
  readonly dayUsed: number;
  readonly wallNow: number;
}

/**
 * A request counts until it is more than a minute old: spans are closed, so that two requests exactly
 * 60 s apart lie in one. On clocks cut to whole milliseconds this never lets a true minute hold too many.
 */
export function countsSince(now: number): number {
  return now - MINUTE_MS;
}

function leavesIn(age: number): number {
  return MINUTE_MS - age + 1;
}

export function dayIndex(wallNow: number): number {
  return Math.floor(wallNow / DAY_MS);
}

/** On any clock: minutes since its beginning. */
export function minuteIndex(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

/** `YYYY-MM-DD` of a day's index. */
export function dayName(index: number): string {
  return new Date(index * DAY_MS).toISOString().slice(0, 10);
}

export function untilMidnight(wallNow: number): number {
  return (dayIndex(wallNow) + 1) * DAY_MS - wallNow;
}

/** Decides on one request and says what both windows hold after it. */
export function judge(budget: Budget, holding: Holding, via: Admission['via']): Admission {
  const { minuteUsed, dayUsed, wallNow } = holding;
  const minuteWait = holding.blockingAge === null ? 0 : leavesIn(holding.blockingAge);
  const dayResetMs = untilMidnight(wallNow);
  const dayWait = budget.perDay !== null && dayUsed >= budget.perDay ? dayResetMs : 0;
  const admitted = minuteWait === 0 && dayWait === 0;
  const counted = admitted ? 1 : 0;
  const nextToLeave = holding.blockingAge ?? holding.oldestAge ?? (admitted ? 0 : null);
  return {
    admitted,
    refusedBy: admitted ? null : dayWait > 0 ? 'day' : 'minute',
    minuteUsed: minuteUsed + counted,
    dayUsed: budget.perDay === null ? 0 : dayUsed + counted,
    day: dayName(dayIndex(wallNow)),
    // Just before midnight the minute may refuse for longer than the day does.
    retryAfterMs: Math.max(minuteWait, dayWait),
    minuteResetMs: nextToLeave === null ? 0 : leavesIn(nextToLeave),
    dayResetMs,
    via,
  };
}

/** Decides on requests that come at one instant, first come first. */
export function judgeAll(
  budget: Budget,
  holding: Holding,
  via: Admission['via'],
  count: number,
): readonly Admission[] {
  const admissions: Admission[] = [];
  for (let held = holding; admissions.length < count;) {
    const admission = judge(budget, held, via);
    admissions.push(admission);
    if (!admission.admitted) continue;
    const { minuteUsed, dayUsed } = admission;
    const oldestAge = held.oldestAge ?? 0;
    held = {
      ...held,
      minuteUsed,
      dayUsed,
      oldestAge,
      blockingAge: minuteUsed < budget.perMinute ? null : oldestAge,
    };
  }
  return admissions;
}

/** Whole seconds for `retry-after`: rounded up, at least 1, and enough. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}
