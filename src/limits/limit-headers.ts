import { DAY_MS, MINUTE_MS, retryAfterSeconds } from './window.js';
import { PLAN_TERMS } from '../plans/plans.js';
import type { Plan } from '../plans/plans.js';
import type { Admission } from './window-store.js';

/**
 * The limit headers of one answer, as they stand after its request. `ratelimit-policy` and `ratelimit` follow
 * draft-ietf-httpapi-ratelimit-headers-10: q units in w seconds, r left, t seconds until there are more.
 */
export function limitHeaders(plan: Plan, admission: Admission): Readonly<Record<string, string>> {
  const windows = windowsOf(plan, admission);
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
    ...(admission.admitted ? {} : { 'retry-after': String(retryAfterSeconds(admission.retryAfterMs)) }),
  };
}

/** For an account that is identified and admitted nothing. */
export function headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>> {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  const never = { minuteResetMs: 0, dayResetMs: 0, retryAfterMs: 0, refusedBy: null, day: '' } as const;
  const admission = {
    ...never,
    admitted: true,
    minuteUsed: perMinute,
    dayUsed: perDay,
    via: 'memory',
  } as const;
  return limitHeaders(plan, admission);
}

interface WindowFacts {
  readonly name: 'minute' | 'day';
  readonly limit: number;
  readonly left: number;
  readonly ms: number;
  readonly resetMs: number;
}

function windowsOf(plan: Plan, admission: Admission): readonly WindowFacts[] {
  const { perMinute, perDay } = PLAN_TERMS[plan];
  return [
    {
      name: 'minute',
      limit: perMinute,
      left: Math.max(0, perMinute - admission.minuteUsed),
      ms: MINUTE_MS,
      resetMs: admission.minuteResetMs,
    },
    {
      name: 'day',
      limit: perDay,
      left: Math.max(0, perDay - admission.dayUsed),
      ms: DAY_MS,
      resetMs: admission.dayResetMs,
    },
  ];
}
