import type { Budget } from './rate-limit-store.js';
import type { WindowState } from './window.js';

/** One call of the admit script. */
export interface AdmitCommand {
  readonly key: string;
  readonly budget: Budget;
  /** Unique in all of Redis: names the request. */
  readonly request: string;
  /** The day's count to start from, where Redis has none. */
  readonly baseline: { readonly day: number; readonly used: number } | null;
}

export type AdmitReply =
  | { readonly status: 'unknown_day'; readonly now: number }
  | { readonly status: 'done'; readonly now: number; readonly before: WindowState };

/** The tag in braces keeps both keys on one node of a cluster. */
export function windowKeysOf(key: string): readonly [minute: string, day: string] {
  return [`tm:{${key}}:m`, `tm:{${key}}:d`];
}

export function argumentsOf({ budget, request, baseline }: AdmitCommand): readonly (string | number)[] {
  return [budget.perMinute, budget.perDay ?? -1, baseline?.day ?? -1, baseline?.used ?? 0, request];
}

export function parseReply(reply: readonly unknown[]): AdmitReply {
  const [status, ...numbers] = reply;
  const [now = 0, minuteUsed = 0, oldestAge = -1, blockingAge = -1, dayUsed = 0] = numbers.map(Number);
  if (status !== 'done') return { status: 'unknown_day', now };
  const before: WindowState = {
    minuteUsed,
    oldestAge: oldestAge < 0 ? null : oldestAge,
    blockingAge: blockingAge < 0 ? null : blockingAge,
    dayUsed,
    wallNow: now,
  };
  return { status, now, before };
}
