import { randomBytes } from 'node:crypto';
import { LocalLimiter } from './local-limiter.js';
import { SYSTEM_CLOCK } from './rate-limit-store.js';
import { RedisConnection, TIMEOUT_MS } from './redis-connection.js';
import { dayIndex, dayName, evaluate, roomIn } from './window.js';
import type { DayCount } from './limiter-state.js';
import type { Baseline, Budget, LimitClock, RateLimitResult } from './rate-limit-store.js';
import type { RateLimitStore, StoreCounters } from './rate-limit-store.js';
import type { AdmitCommand, AdmitReply } from './redis-admit-command.js';
import type { AdmitOutcome } from './redis-connection.js';

/** While Redis is late, an instance admits at most this share of the requests that an account has left. */
const LATE_SHARE = 1 / 2;
const LATE_RETRY_MS = 1_000;

/**
 * Counts in Redis, for several instances. While Redis is away, the instance counts alone, starting from the last counts
 * that Redis reported. A single late response does not make Redis away: see `admitLate`.
 */
export class RedisStore implements RateLimitStore {
  private readonly connection: RedisConnection;
  private readonly local: LocalLimiter;
  /** Requests of each key that wait for a result. */
  private readonly waiting = new Map<string, number>();
  private readonly instance = randomBytes(9).toString('base64url');
  private requests = 0;
  private fallbackAdmissions = 0;
  private lateRefusals = 0;
  private baselines = 0;

  /** Never throws for an unreachable Redis: the store starts in fallback and connects later. */
  constructor(url: string, clock: LimitClock = SYSTEM_CLOCK) {
    const monotonic = () => clock.monotonic();
    this.connection = new RedisConnection(url, monotonic);
    const { connection } = this;
    // The day by Redis' clock, also while Redis is away.
    const wall = () =>
      connection.clockOffset === null ? clock.wall() : clock.monotonic() + connection.clockOffset;
    this.local = new LocalLimiter({ monotonic, wall }, 'fallback');
  }

  get state(): 'redis' | 'fallback' {
    return this.connection.isOpen ? 'fallback' : 'redis';
  }

  get counters(): StoreCounters {
    const { fallbackAdmissions, lateRefusals, baselines } = this;
    const { timeouts, breakerOpens } = this.connection;
    return { timeouts, breakerOpens, fallbackAdmissions, lateRefusals, baselines };
  }

  onStateChange(listener: (state: 'redis' | 'fallback') => void): void {
    this.connection.onChange((isOpen) => listener(isOpen ? 'fallback' : 'redis'));
  }

  /** Resolves once Redis is in use, or after `timeoutMs`; returns whether Redis is in use. */
  async ready(timeoutMs: number): Promise<boolean> {
    if (this.state === 'redis') return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.onStateChange((state) => {
        if (state !== 'redis') return;
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Rejects only as `baseline` does. */
  async admit(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    if (this.connection.isOpen) return this.admitAlone(key, budget, baseline);
    this.waiting.set(key, this.waitingOf(key) + 1);
    try {
      return await this.admitInRedis(key, budget, baseline);
    } finally {
      if (this.waitingOf(key) === 1) this.waiting.delete(key);
      else this.waiting.set(key, this.waitingOf(key) - 1);
    }
  }

  /** The day's count as Redis last reported it. */
  reportedDay(key: string): DayCount | null {
    return this.local.reportedDay(key);
  }

  /** Raises the day's count in Redis. Rejects when Redis does not confirm it. */
  raiseDay(key: string, { day, used }: DayCount): Promise<void> {
    return this.connection.raiseDay(key, day, used);
  }

  close(): Promise<void> {
    this.connection.close();
    return Promise.resolve();
  }

  private waitingOf(key: string): number {
    return this.waiting.get(key) ?? 0;
  }

  private async admitInRedis(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    this.requests += 1;
    const command = { key, budget, request: `${this.instance}:${this.requests}`, baseline: null };
    const outcome = await this.ask(command, baseline);
    if (outcome.status === 'done') {
      const result = evaluate(budget, outcome.before, 'redis');
      const { minuteUsed, dayUsed } = result;
      this.local.synchronize(key, budget, { ...outcome.before, minuteUsed, dayUsed });
      return result;
    }
    const decision =
      outcome.status === 'late'
        ? this.admitLate(key, budget, baseline)
        : this.admitAlone(key, budget, baseline);
    void this.refundUnserved(command, outcome.reply, decision);
    return decision;
  }

  /** Removes the request if Redis counts it after its caller has been refused. */
  private async refundUnserved(
    command: AdmitCommand,
    reply: Promise<AdmitReply>,
    decision: Promise<RateLimitResult>,
  ): Promise<void> {
    const [counted, decided] = await Promise.allSettled([reply, decision]);
    if (counted.status === 'rejected' || counted.value.status !== 'done') return;
    const isServed = decided.status === 'fulfilled' && decided.value.admitted;
    if (!isServed && roomIn(command.budget, counted.value.before) > 0)
      this.connection.refund(command, counted.value.now);
  }

  /** Repeats the command with the day's count from the database if Redis does not know the day. */
  private async ask(
    command: AdmitCommand,
    baseline: Baseline,
  ): Promise<Exclude<AdmitOutcome, { status: 'unknown_day' }>> {
    let [asked, timeoutMs] = [command, TIMEOUT_MS];
    for (;;) {
      const { outcome, msLeft } = await this.connection.admit(asked, timeoutMs);
      if (outcome.status !== 'unknown_day') return outcome;
      const day = dayIndex(outcome.now);
      this.baselines += 1;
      asked = { ...command, baseline: { day, used: await baseline(command.key, dayName(day)) } };
      timeoutMs = msLeft;
    }
  }

  private async admitAlone(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    const result = await this.local.admit(key, budget, baseline);
    if (result.admitted) this.fallbackAdmissions += 1;
    return result;
  }

  /**
   * Redis did not respond within the caller's time but is not away: it will count the request, and it counts requests
   * of other instances meanwhile. So this instance admits the request only if all requests that wait here are a
   * fraction of the known room, and otherwise refuses it for one second.
   */
  private async admitLate(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    const windows = await this.local.peekUpperBound(key, budget, baseline);
    if (this.waitingOf(key) <= roomIn(budget, windows) * LATE_SHARE)
      return this.admitAlone(key, budget, baseline);
    const result = evaluate(budget, windows, 'fallback');
    if (!result.admitted) return result;
    this.lateRefusals += 1;
    const { minuteUsed, dayUsed } = windows;
    const untilRetry = { refusedBy: 'minute', retryAfterMs: LATE_RETRY_MS, minuteUsed, dayUsed } as const;
    return { ...result, ...untilRetry, admitted: false };
  }
}
