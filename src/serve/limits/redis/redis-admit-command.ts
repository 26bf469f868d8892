import type { Budget } from '../rate-limit-store.js';
import type { WindowState } from '../window.js';
import { TOKEN_LEASE_MS } from '../leases.js';

/** One call of the admit script. */
export interface AdmitCommand {
  readonly key: string;
  readonly budget: Budget;
  /** What Redis must leave of the minute, because instances may have admitted it without Redis. */
  readonly withheld: number;
  /** Unique in all of Redis: names the request, after the instance and a colon. */
  readonly request: string;
  /** The day's count to start from, where Redis has none. */
  readonly baseline: { readonly day: number; readonly used: number } | null;
  /** Tokens to lease. */
  readonly wanted: number;
  /** Names of leased tokens that come back unused. */
  readonly returned: readonly string[];
}

export type AdmitReply =
  | { readonly status: 'unknown_day'; readonly now: number }
  | {
      readonly status: 'done';
      readonly now: number;
      readonly before: WindowState;
      /** Tokens that this instance has leased now. */
      readonly granted: readonly string[];
      /** Names of the leased tokens, of any instance, without which the request would have been admitted. */
      readonly blocking: readonly string[];
    };

/** The tag in braces keeps both keys on one node of a cluster. */
export function windowKeysOf(key: string): readonly [minute: string, day: string] {
  return [`tm:{${key}}:m`, `tm:{${key}}:d`];
}

export function argumentsOf({
  budget,
  withheld,
  request,
  baseline,
  wanted,
  returned,
}: AdmitCommand): readonly (string | number)[] {
  const { perMinute, perDay } = budget;
  const start = [baseline?.day ?? -1, baseline?.used ?? 0];
  return [perMinute - withheld, perDay ?? -1, ...start, request, TOKEN_LEASE_MS, wanted, ...returned];
}

export function parseReply({ request, budget, withheld }: AdmitCommand, reply: readonly unknown[]): AdmitReply {
  const [status, ...numbers] = reply;
  const blocking = (numbers.pop() ?? []) as readonly string[] | number;
  if (status !== 'done' || typeof blocking === 'number') return { status: 'unknown_day', now: Number(blocking) };
  const [now = 0, used = 0, oldestAge = -1, blockingAge = -1, dayUsed = 0, leased = 0, granted = 0] =
    numbers.map(Number);
  const before: WindowState = {
    // Leased tokens that are not used yet are nobody's requests.
    minuteUsed: withheld + (used < budget.perMinute - withheld ? used - leased : used),
    oldestAge: oldestAge < 0 ? null : oldestAge,
    blockingAge: blockingAge < 0 ? null : blockingAge,
    dayUsed,
    wallNow: now,
  };
  const names = Array.from({ length: granted }, (_, index) => `${request}.${index + 1}`);
  return { status, now, before, granted: names, blocking };
}
