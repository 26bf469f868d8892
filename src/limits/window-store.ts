/** The question that every store of windows answers: may this subject have one more request now? */

export interface Budget {
  readonly perMinute: number;
  /** `null`: the subject has no day window. */
  readonly perDay: number | null;
}

/** Counts are after this request; they exceed the budget for a while after a downgrade. */
export interface Admission {
  readonly admitted: boolean;
  /** `day` when both windows refuse. */
  readonly refusedBy: 'minute' | 'day' | null;
  readonly minuteUsed: number;
  /** 0 for a subject without a day window. */
  readonly dayUsed: number;
  /** The UTC day the request was judged in, `YYYY-MM-DD`, on the store's clock. */
  readonly day: string;
  /** Milliseconds until a request would be admitted again; 0 when this one was. */
  readonly retryAfterMs: number;
  /**
   * Milliseconds until the minute has room for one more than now: until the oldest counted request leaves or,
   * while more than the budget are counted, as many as make room. 0 when none is counted.
   */
  readonly minuteResetMs: number;
  /** Milliseconds until UTC midnight. */
  readonly dayResetMs: number;
  readonly via: 'memory' | 'redis' | 'fallback';
}

/** How many requests a day has had: as the database held it `ageMs` ago, with what this process has yet to write. */
export interface DayCount {
  readonly used: number;
  readonly ageMs: number;
}

/**
 * How many requests the day (`YYYY-MM-DD`) has already had, from the database. Asked only when the store does
 * not know the subject's day; when it rejects, `admit` rejects with the same error and nothing is counted.
 */
export type DaySeed = (subject: string, day: string) => Promise<DayCount>;

/** Of a subject without days, or without a past. */
export const NONE_YET: DaySeed = () => Promise.resolve({ used: 0, ageMs: 0 });

/** Totals since the start, of a store that others share. */
export interface StoreCounters {
  readonly timeouts: number;
  readonly breakerOpens: number;
  readonly fallbackAdmissions: number;
  /** Day counts that the store did not have and got from the database. */
  readonly seeds: number;
  /** Accounts with admitted requests that the store has yet to be told of: now, not in total. */
  readonly owed: number;
}

/** Whose requests are counted, and in what. */
export interface Asker {
  readonly subject: string;
  readonly budget: Budget;
  readonly seed: DaySeed;
}

export interface WindowStore {
  /** Where the next request is counted. */
  readonly state: Admission['via'];
  readonly counters?: StoreCounters;
  /** Checks both windows and counts in both, or refuses and counts nothing: one step. */
  admit(subject: string, budget: Budget, seed: DaySeed): Promise<Admission>;
  /**
   * Told as all that was admitted so far is on its way to the database where seeds come from; what it gives is called
   * once that is written. A store that seeds by itself alone need not know.
   */
  writing?(): () => void;
  close(): Promise<void>;
}

/** Both clocks in milliseconds: the minute runs on the first, which never jumps, the day on the second. */
export interface WindowClock {
  monotonic(): number;
  wall(): number;
}

export const SYSTEM_CLOCK: WindowClock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
};
