import { LRUCache } from 'lru-cache';
import { countsSince, dayIndex, dayName, evaluate, type WindowState } from './window.js';
import {
  SYSTEM_CLOCK,
  type Baseline,
  type Budget,
  type LimitClock,
  type RateLimitResult,
  type RateLimitStore,
} from './rate-limit-store.js';

/** Longer than the minute window; an evicted account's day is read from the database again. */
const IDLE_MS = 300_000;
/** Client addresses are unbounded; no instance serves this many accounts within a minute. */
const MAX_KEYS = 100_000;

export interface DayCount {
  /** Days since 1970 in UTC. */
  readonly day: number;
  readonly used: number;
}

/** One process's knowledge of one key. */
interface KeyState {
  /** When the requests of the last minute were admitted, oldest first. */
  times: number[];
  /** The day's count. */
  day: DayCount | null;
  /** The day's count as Redis last reported it, without requests that only this process has admitted since. */
  reported: DayCount | null;
}

/** Both windows in one process's memory: the whole store without Redis; with it, the share of an instance. */
export class LocalLimiter implements RateLimitStore {
  private readonly states: LRUCache<string, KeyState>;

  constructor(
    private readonly clock: LimitClock = SYSTEM_CLOCK,
    readonly state: RateLimitStore['state'] = 'memory',
    idleMs = IDLE_MS,
  ) {
    this.states = new LRUCache({
      // With `max` it would allocate room for all of them at once.
      maxSize: MAX_KEYS,
      sizeCalculation: () => 1,
      ttl: idleMs,
      ttlResolution: 1_000,
      updateAgeOnGet: true,
      perf: { now: () => clock.monotonic() },
    });
  }

  /** Rejects only as `baseline` does. */
  async admit(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    await this.learnDay(key, budget, baseline);
    const state = this.stateOf(key);
    const { day, used } = this.dayOf(key);
    const result = evaluate(budget, this.windowsOf(state, budget, used), this.state);
    if (result.admitted) {
      state.times.push(this.now());
      if (budget.perDay !== null) this.countDay(key, day);
    }
    return result;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Starts the day from the database, where it is not known. Rejects only as `baseline` does. */
  async learnDay(key: string, { perDay }: Budget, baseline: Baseline): Promise<void> {
    while (perDay !== null && this.stateOf(key).day?.day !== this.today()) {
      const day = this.today();
      const used = await baseline(key, dayName(day));
      const state = this.stateOf(key);
      // A concurrent request may have read the day's count and added to it.
      if (state.day?.day !== day) state.day = { day, used };
    }
  }

  /** Today's count as far as it is known. */
  dayOf(key: string): DayCount {
    const [day, known] = [this.today(), this.states.get(key)?.day];
    return known?.day === day ? known : { day, used: 0 };
  }

  /** Counts a request that was admitted elsewhere. */
  countDay(key: string, day: number): void {
    const state = this.stateOf(key);
    if (state.day?.day === day) state.day = { day, used: state.day.used + 1 };
  }

  /** Stores the day's count as Redis reports it. Counts only grow: a larger known count stays. */
  report(key: string, day: number, used: number): void {
    const state = this.stateOf(key);
    state.reported = { day, used };
    if (state.day?.day !== day || state.day.used < used) state.day = state.reported;
  }

  /** The day as Redis last reported it. */
  reportedDay(key: string): DayCount | null {
    return this.states.peek(key)?.reported ?? null;
  }

  private windowsOf(state: KeyState, { perMinute }: Budget, dayUsed: number): WindowState {
    const now = this.now();
    state.times = state.times.filter((at) => at >= countsSince(now));
    const [oldest] = state.times;
    const minuteUsed = state.times.length;
    const blocking = minuteUsed < perMinute ? undefined : state.times[minuteUsed - perMinute];
    return {
      minuteUsed,
      oldestAge: oldest === undefined ? null : now - oldest,
      blockingAge: blocking === undefined ? null : now - blocking,
      dayUsed,
      wallNow: Math.floor(this.clock.wall()),
    };
  }

  private today(): number {
    return dayIndex(this.clock.wall());
  }

  private now(): number {
    return Math.floor(this.clock.monotonic());
  }

  private stateOf(key: string): KeyState {
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const state: KeyState = { times: [], day: null, reported: null };
    this.states.set(key, state);
    return state;
  }
}
