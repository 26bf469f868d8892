export interface Budget {
  readonly perMinute: number;
  /** `null`: the key has no day window. */
  readonly perDay: number | null;
}

/** Counts include this request; after a downgrade they exceed the limit for a while. */
export interface RateLimitResult {
  readonly admitted: boolean;
  /** `day` when both windows refuse. */
  readonly refusedBy: 'minute' | 'day' | null;
  readonly minuteUsed: number;
  /** 0 for a key without a day window. */
  readonly dayUsed: number;
  /** The UTC day of the decision, `YYYY-MM-DD`, on the store's clock. */
  readonly day: string;
  /** Milliseconds until the store would admit a request again; 0 if it admitted this one. */
  readonly retryAfterMs: number;
  /**
   * Milliseconds until the minute has room for one more request than now: until the oldest counted request expires or,
   * above the limit, until enough of them have expired. 0 if none is counted.
   */
  readonly minuteResetMs: number;
  /** Milliseconds until UTC midnight. */
  readonly dayResetMs: number;
  /** `lease`: Redis did not decide in time. `fallback`: it was away. */
  readonly via: 'memory' | 'redis' | 'lease' | 'fallback';
}

/**
 * Reads the count of a day (`YYYY-MM-DD`) from the database. Called only if the store does not know the key's day; if
 * it rejects, `admit` rejects with the same error and counts nothing.
 */
export type Baseline = (key: string, day: string) => Promise<number>;

/** For a key without a day window, or without earlier requests. */
export const NO_BASELINE: Baseline = () => Promise.resolve(0);

/** Totals since the start, for a store that several instances share. */
export interface StoreCounters {
  /** Commands that Redis did not answer in time. */
  readonly timeouts: number;
  readonly breakerOpens: number;
  /** Requests admitted from the reserve, while Redis was away. */
  readonly fallbackAdmissions: number;
  /** Requests admitted from a leased token, while Redis was late or away. */
  readonly leaseAdmissions: number;
  /** Requests refused because Redis was late and had leased nothing. */
  readonly lateRefusals: number;
  /** Day counts that were missing in Redis and came from the database. */
  readonly baselines: number;
}

export interface RateLimitStore {
  /** Where the next request is counted. */
  readonly state: 'memory' | 'redis' | 'fallback';
  readonly counters?: StoreCounters;
  /** Checks both windows and counts in both, or refuses and counts nothing: one step. */
  admit(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult>;
  close(): Promise<void>;
}

/** Both clocks in milliseconds: the minute runs on the first, which never jumps, the day on the second. */
export interface LimitClock {
  monotonic(): number;
  wall(): number;
}

export const SYSTEM_CLOCK: LimitClock = { monotonic: () => performance.now(), wall: () => Date.now() };
