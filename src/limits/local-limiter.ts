import { LRUCache } from 'lru-cache';
import { LimiterState } from './limiter-state.js';
import { dayIndex, dayName, evaluate, MINUTE_MS } from './window.js';
import { SYSTEM_CLOCK, type Baseline, type Budget, type LimitClock } from './rate-limit-store.js';
import type { RateLimitResult, RateLimitStore } from './rate-limit-store.js';
import type { WindowState } from './window.js';

/** Longer than the minute window; an evicted account's day is read from the database again. */
const IDLE_MS = 300_000;
/** Client addresses are unbounded; no instance serves this many accounts within a minute. */
const MAX_KEYS = 100_000;

/** Both windows in one process's memory: the whole store without Redis, the fallback with it. */
export class LocalLimiter implements RateLimitStore {
  private readonly states: LRUCache<string, LimiterState>;

  constructor(
    private readonly clock: LimitClock = SYSTEM_CLOCK,
    readonly state: RateLimitResult['via'] = 'memory',
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
    const day = this.today();
    const state = this.stateOf(key);
    const result = evaluate(budget, this.windowsOf(state, budget), this.state);
    if (result.admitted) {
      state.countMinute(this.now());
      if (budget.perDay !== null) state.raiseDay(day, state.dayUsed(day) + 1);
    }
    return result;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /**
   * Both windows without counting. For a minute that Redis did not report, the day's count in the database is the upper
   * bound. Rejects only as `baseline` does.
   */
  async peekUpperBound(key: string, budget: Budget, baseline: Baseline): Promise<WindowState> {
    const state = this.stateOf(key);
    if (budget.perDay === null || state.isReportedSince(this.now() - MINUTE_MS)) {
      return this.windowsOf(state, budget);
    }
    const day = this.today();
    state.raiseDay(day, await baseline(key, dayName(day)));
    const windows = this.windowsOf(state, budget);
    return { ...windows, minuteUsed: Math.max(windows.minuteUsed, windows.dayUsed) };
  }

  /** Stores the windows as Redis reports them. */
  synchronize(key: string, budget: Budget, { minuteUsed, oldestAge, dayUsed, wallNow }: WindowState): void {
    const state = this.stateOf(key);
    state.synchronize(this.now(), minuteUsed, oldestAge ?? 0);
    if (budget.perDay === null) return;
    const day = dayIndex(wallNow);
    state.raiseDay(day, dayUsed);
    state.reported = { day, used: dayUsed };
  }

  /** The day as Redis last reported it. */
  reportedDay(key: string): LimiterState['reported'] {
    return this.states.peek(key)?.reported ?? null;
  }

  private async learnDay(key: string, budget: Budget, baseline: Baseline): Promise<void> {
    while (budget.perDay !== null && !this.stateOf(key).knowsDay(this.today())) {
      const day = this.today();
      const used = await baseline(key, dayName(day));
      const state = this.stateOf(key);
      // A concurrent request may have read the day's count and added to it.
      if (!state.knowsDay(day)) state.raiseDay(day, used);
    }
  }

  private windowsOf(state: LimiterState, budget: Budget): WindowState {
    return state.windows(budget, this.now(), Math.floor(this.clock.wall()), this.today());
  }

  private now(): number {
    return Math.floor(this.clock.monotonic());
  }

  private today(): number {
    return dayIndex(this.clock.wall());
  }

  private stateOf(key: string): LimiterState {
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const state = new LimiterState();
    this.states.set(key, state);
    return state;
  }
}
