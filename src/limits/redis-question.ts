import type { Holding } from './window.js';
import type { Budget } from './window-store.js';

/** One call of the admitting script: what goes over and what comes back. */
export interface Question {
  readonly subject: string;
  readonly budget: Budget;
  /** The requests to admit, in this order; none to hand over debts only. */
  readonly nonces: readonly string[];
  /** When the count of the subject's day was seeded, as last seen; 0 when not known or not to be checked. */
  readonly seededAt: number;
  /** The day's count to start from, where Redis has none: how many, as it was so long ago. */
  readonly seed: { readonly day: number; readonly used: number; readonly age: number } | null;
  /**
   * What the day's count, started at this seeding, is at least: a Redis that failed over may have lost some of it. A count
   * that was started anew has what others had not written from them, not from here.
   */
  readonly floor: { readonly day: number; readonly used: number; readonly seededAt: number } | null;
  /**
   * Requests of the last minute that Redis may not have counted, and how long each has been in the database, where a
   * day's count starts from. Null: it is not there yet.
   */
  readonly hits: readonly {
    readonly nonce: string;
    readonly age: number;
    readonly writtenAge: number | null;
  }[];
  /**
   * Requests of today, older than a minute, that it has not: a running total under a name of its own, and how far that has
   * been in the database since when, where a day's count may have started from it.
   */
  readonly batch: {
    readonly name: string;
    readonly day: number;
    readonly total: number;
    readonly held: readonly HeldDebts[];
  } | null;
}

/** Of a running total of old requests: so many were in the database so long ago. */
export interface HeldDebts {
  readonly age: number;
  readonly total: number;
}

export type Answer =
  | { readonly status: 'late' | 'unseeded' | 'resync'; readonly now: number }
  | {
      readonly status: 'done';
      readonly now: number;
      readonly holding: Holding;
      readonly seededAt: number;
    };

/** The tag in braces keeps both keys of a subject on one node of a cluster. */
export function keysOf(subject: string): readonly [string, string] {
  return [`tm:{${subject}}:m`, `tm:{${subject}}:d`];
}

/** The deadline is on Redis's clock: after it, the question counts nothing. 0 is none. */
export function scriptArguments(question: Question, deadline: number): (string | number)[] {
  const { budget, seed, floor, batch } = question;
  return [
    Math.ceil(deadline),
    question.nonces.length,
    budget.perMinute,
    budget.perDay ?? -1,
    question.seededAt,
    seed?.day ?? -1,
    seed?.used ?? 0,
    seed?.age ?? 0,
    floor?.day ?? -1,
    floor?.used ?? 0,
    floor?.seededAt ?? 0,
    batch?.name ?? '',
    batch?.day ?? -1,
    batch?.total ?? 0,
    // In one piece: it may be a pair for each minute of the day, and each argument has its price.
    (batch?.held ?? []).map(({ age, total }) => `${age}:${total}`).join(' '),
    ...question.nonces,
    ...question.hits.flatMap((hit) => [hit.nonce, hit.age, hit.writtenAge ?? -1]),
  ];
}

export function readAnswer(reply: readonly unknown[]): Answer {
  const [status, ...numbers] = reply;
  const [now = 0, minuteUsed = 0, oldestAge = -1, blockingAge = -1, dayUsed = 0, seededAt = 0] =
    numbers.map(Number);
  if (status === 'late' || status === 'unseeded' || status === 'resync') return { status, now };
  const holding: Holding = {
    minuteUsed,
    oldestAge: oldestAge < 0 ? null : oldestAge,
    blockingAge: blockingAge < 0 ? null : blockingAge,
    dayUsed,
    wallNow: now,
  };
  return { status: 'done', now, holding, seededAt };
}
