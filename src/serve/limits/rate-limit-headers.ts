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
      windows.flatMap(({ name, limit, remaining }) => [
        [`x-ratelimit-limit-${name}`, String(limit)],
        [`x-ratelimit-remaining-${name}`, String(remaining)],
      ]),
    ),
    'ratelimit-policy': windows.map(({ name, limit, seconds }) => `"${name}";q=${limit};w=${seconds}`).join(', '),
    ratelimit: windows
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    ...(result.admitted ? {} : { 'retry-after': String(retryAfterSeconds(result.retryAfterMs)) }),
  };
}

interface WindowBudget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** What remains of a budget after a request, as the limit headers say it. */
export type RateLimitBudget = Readonly<Record<'minute' | 'day', WindowBudget>>;

/** The figures of the headers, for a response whose reader sees no headers. */
export function budgetOf(plan: Plan, result: RateLimitResult): RateLimitBudget {
  const [minute, day] = windowsOf(plan, result);
  const remainsOf = ({ limit, remaining, resetSeconds }: WindowBudget) => ({ limit, remaining, resetSeconds });
  return { minute: remainsOf(minute), day: remainsOf(day) };
}

/** For an identified account whose request is refused for another reason than its limits. */
export function headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>> {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  const never = { minuteResetMs: 0, dayResetMs: 0, retryAfterMs: 0, refusedBy: null, day: '' } as const;
  const used = { minuteUsed: perMinute, dayUsed: perDay };
  return limitHeaders(plan, { ...never, ...used, admitted: true, via: 'memory' });
}

interface WindowFacts extends WindowBudget {
  readonly name: 'minute' | 'day';
  readonly seconds: number;
}

function windowsOf(plan: Plan, result: RateLimitResult): readonly [minute: WindowFacts, day: WindowFacts] {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  return [
    {
      name: 'minute',
      limit: perMinute,
      remaining: Math.max(0, perMinute - result.minuteUsed),
      seconds: MINUTE_MS / 1_000,
      resetSeconds: resetIn(result.minuteResetMs, MINUTE_MS),
    },
    {
      name: 'day',
      limit: perDay,
      remaining: Math.max(0, perDay - result.dayUsed),
      seconds: DAY_MS / 1_000,
      resetSeconds: resetIn(result.dayResetMs, DAY_MS),
    },
  ];
}

const resetIn = (ms: number, most: number): number => Math.ceil(Math.min(ms, most) / 1_000);
