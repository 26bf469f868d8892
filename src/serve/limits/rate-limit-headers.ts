import { DAY_MS, MINUTE_MS, retryAfterSeconds } from './window.js';
import { PLAN_TERMS, type Plan } from '../../domain/plans/plans.js';
import type { RateLimitResult } from './rate-limit-store.js';

/**
 * The limit headers of one response, counting its request. `ratelimit-policy` and `ratelimit` follow
 * draft-ietf-httpapi-ratelimit-headers-10: q units in w seconds, r left, t seconds until there are more.
 */
export function limitHeaders(plan: Plan, result: RateLimitResult): Readonly<Record<string, string>> {
  const windows = windowsOf(plan, result);
  return {
    ...Object.fromEntries(
      windows.flatMap(({ name, limit, left }) => [
        [`x-ratelimit-limit-${name}`, String(limit)],
        [`x-ratelimit-remaining-${name}`, String(left)],
      ]),
    ),
    'ratelimit-policy': windows
      .map(({ name, limit, ms }) => `"${name}";q=${limit};w=${ms / 1_000}`)
      .join(', '),
    ratelimit: windows
      .map(
        ({ name, left, resetMs, ms }) => `"${name}";r=${left};t=${Math.ceil(Math.min(resetMs, ms) / 1_000)}`,
      )
      .join(', '),
    ...(result.admitted ? {} : { 'retry-after': String(retryAfterSeconds(result.retryAfterMs)) }),
  };
}

/** What remains of a budget after a request, as the limit headers say it. */
export type RateLimitBudget = Readonly<
  Record<
    'minute' | 'day',
    { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }
  >
>;

/** The figures of the headers, for a response whose reader sees no headers. */
export function budgetOf(plan: Plan, result: RateLimitResult): RateLimitBudget {
  const [minute, day] = windowsOf(plan, result);
  const remainsOf = ({ limit, left, resetMs, ms }: WindowFacts) => ({
    limit,
    remaining: left,
    resetSeconds: Math.ceil(Math.min(resetMs, ms) / 1_000),
  });
  return { minute: remainsOf(minute), day: remainsOf(day) };
}

/** For an identified account whose request is refused for another reason than its limits. */
export function headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>> {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  const never = { minuteResetMs: 0, dayResetMs: 0, retryAfterMs: 0, refusedBy: null, day: '' } as const;
  const result = {
    ...never,
    admitted: true,
    minuteUsed: perMinute,
    dayUsed: perDay,
    via: 'memory',
  } as const;
  return limitHeaders(plan, result);
}

interface WindowFacts {
  readonly name: 'minute' | 'day';
  readonly limit: number;
  readonly left: number;
  readonly ms: number;
  readonly resetMs: number;
}

function windowsOf(plan: Plan, result: RateLimitResult): readonly [minute: WindowFacts, day: WindowFacts] {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  return [
    {
      name: 'minute',
      limit: perMinute,
      left: Math.max(0, perMinute - result.minuteUsed),
      ms: MINUTE_MS,
      resetMs: result.minuteResetMs,
    },
    {
      name: 'day',
      limit: perDay,
      left: Math.max(0, perDay - result.dayUsed),
      ms: DAY_MS,
      resetMs: result.dayResetMs,
    },
  ];
}
