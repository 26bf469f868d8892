import { randomBytes } from 'node:crypto';
import { LeaseRecalls } from '../lease-recalls.js';
import { TOKEN_LEASE_MS, Leases } from '../leases.js';
import { LocalLimiter, type DayCount } from '../local-limiter.js';
import { SYSTEM_CLOCK } from '../rate-limit-store.js';
import { RedisConnection, TIMEOUT_MS, type StoreUse } from './redis-connection.js';
import { dayIndex, dayName, evaluate, type WindowState } from '../window.js';
import type { Baseline, Budget, LimitClock, RateLimitResult } from '../rate-limit-store.js';
import type { RateLimitStore, StoreCounters } from '../rate-limit-store.js';
import type { AdmitCommand, AdmitReply } from './redis-admit-command.js';

const SWEEP_INTERVAL_MS = 1_000;
const LATE_RETRY_MS = 1_000;
const AWAY_RETRY_MS = 5_000;

type Done = Extract<AdmitReply, { status: 'done' }>;

/**
 * Counts in Redis, for several instances. What Redis does not decide in time is decided from tokens that it leased to
 * this instance before; while it is away, from this instance's share of the reserve as well. See ADR 2 for the proof.
 */
export class RedisStore implements RateLimitStore {
  private readonly connection: RedisConnection;
  private readonly local: LocalLimiter;
  private readonly leases = new Leases();
  private readonly recalls: LeaseRecalls;
  private readonly sweepTimer: NodeJS.Timeout;
  private readonly monotonic: () => number;
  private readonly wall: () => number;
  private readonly totals = { fallbackAdmissions: 0, leaseAdmissions: 0, lateRefusals: 0, baselines: 0 };
  private requests = 0;

  /** Never throws for an unreachable Redis: the store connects later. */
  constructor(
    url: string,
    clock: LimitClock = SYSTEM_CLOCK,
    private readonly use: StoreUse = 'accounts',
  ) {
    this.monotonic = () => clock.monotonic();
    const connection = new RedisConnection(url, randomBytes(9).toString('base64url'), this.monotonic, use);
    this.connection = connection;
    // The day by Redis' clock, also while Redis is away.
    this.wall = () => (connection.clockOffset === null ? clock.wall() : clock.monotonic() + connection.clockOffset);
    this.local = new LocalLimiter({ monotonic: this.monotonic, wall: this.wall }, 'fallback');
    this.recalls = new LeaseRecalls(connection.client, connection.id, (key) =>
      connection.returnTokens(key, this.leases.surrender(key)),
    );
    this.sweepTimer = setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref();
  }

  get state(): 'redis' | 'fallback' {
    return this.connection.isOpen ? 'fallback' : 'redis';
  }

  get counters(): StoreCounters {
    const { timeouts, breakerOpens } = this.connection;
    return { ...this.totals, timeouts, breakerOpens };
  }

  onStateChange(listener: (state: 'redis' | 'fallback') => void): void {
    this.connection.onChange((isOpen) => listener(isOpen ? 'fallback' : 'redis'));
  }

  /** Resolves once Redis is in use, or after `timeoutMs`; returns whether Redis is in use. */
  async ready(timeoutMs: number): Promise<boolean> {
    if (this.state === 'redis') return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs).unref();
      this.onStateChange((state) => {
        if (state !== 'redis') return;
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Rejects only as `baseline` does. */
  async admit(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    let msLeft = this.connection.isOpen ? 0 : TIMEOUT_MS;
    let start = this.connection.isAway ? null : await this.startOf(key, budget, baseline);
    for (let isRecalled = false; ;) {
      const [command, sentAt] = [this.commandFor(key, budget, start), this.monotonic()];
      if (this.connection.isAway || command.withheld === budget.perMinute)
        return this.admitAlone(key, budget, baseline, 'away');
      const { outcome, msLeft: left } = await this.connection.admit(command, msLeft);
      msLeft = left;
      if (outcome.status === 'unknown_day') {
        const day = dayIndex(outcome.now);
        this.totals.baselines += 1;
        start = { day, used: await baseline(key, dayName(day)) };
        continue;
      }
      if (outcome.status !== 'done') {
        const decision = this.admitAlone(key, budget, baseline, outcome.status);
        void this.settleLate(command, sentAt, outcome.reply, decision);
        return decision;
      }
      const result = this.receive(command, sentAt, outcome);
      if (outcome.blocking.length === 0) return result;
      if (this.spend(key)) return evaluate(budget, lastOf(budget, outcome.before), 'redis');
      const holders = this.recalls.holdersOf(key, outcome.blocking, isRecalled);
      if (holders.length === 0 || msLeft <= 0) return result;
      const recalledAt = this.monotonic();
      await this.recalls.recall(key, holders, msLeft);
      isRecalled = true;
      msLeft -= this.monotonic() - recalledAt;
      if (msLeft <= 0) return result;
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

  /** Returns the tokens of this instance. */
  async close(): Promise<void> {
    clearInterval(this.sweepTimer);
    this.sweep(Infinity);
    this.recalls.close();
    await this.connection.close();
  }

  private commandFor(key: string, budget: Budget, baseline: AdmitCommand['baseline']): AdmitCommand {
    this.requests += 1;
    const request = `${this.connection.id}:${this.requests}`;
    const now = this.monotonic();
    if (this.use === 'acts') return { key, budget, withheld: 0, request, baseline, wanted: 0, returned: [] };
    const withheld = this.connection.fleet.withheldOf(budget.perMinute, now);
    return { key, budget, withheld, request, baseline, ...this.leases.request(key, budget, now) };
  }

  /** The day's count in the database, if Redis has not reported this day to this instance yet: it may lack the account. */
  private async startOf(key: string, budget: Budget, baseline: Baseline): Promise<AdmitCommand['baseline']> {
    const day = dayIndex(this.wall());
    if (budget.perDay === null || this.local.reportedDay(key)?.day === day) return null;
    // Redis may know the day while the database is away.
    const used = await baseline(key, dayName(day)).catch(() => null);
    return used === null ? null : { day, used };
  }

  private receive({ key, budget }: AdmitCommand, sentAt: number, { before, granted }: Done): RateLimitResult {
    const result = evaluate(budget, before, 'redis');
    if (budget.perDay !== null) this.local.report(key, dayIndex(before.wallNow), result.dayUsed);
    if (granted.length > 0) this.leases.grant(key, granted, sentAt + TOKEN_LEASE_MS);
    return result;
  }

  /** Redis admitted a request late: its entry becomes a token if the caller was refused, and is removed otherwise. */
  private async settleLate(
    command: AdmitCommand,
    sentAt: number,
    reply: Promise<AdmitReply>,
    decision: Promise<RateLimitResult>,
  ): Promise<void> {
    const [late, decided] = await Promise.allSettled([reply, decision]);
    if (late.status === 'rejected' || late.value.status !== 'done') return;
    if (!this.receive(command, sentAt, late.value).admitted) return;
    const { connection, leases } = this;
    const { key, request } = command;
    const day = dayIndex(late.value.now);
    const settledAt = this.monotonic();
    try {
      if (decided.status === 'rejected' || !decided.value.admitted) {
        if (await connection.settle(key, request, day, -1, TOKEN_LEASE_MS))
          leases.grant(key, [request], settledAt + TOKEN_LEASE_MS);
        // A token adds to the day when it is used; the reserve only through the database.
      } else await connection.settle(key, request, day, decided.value.via === 'lease' ? -1 : 0, -1);
    } catch {
      // Without an answer the entry stays: Redis admits one request less for a minute.
    }
  }

  /** Decides without Redis. */
  private async admitAlone(
    key: string,
    budget: Budget,
    baseline: Baseline,
    cause: 'late' | 'away',
  ): Promise<RateLimitResult> {
    await this.local.learnDay(key, budget, baseline);
    const day = this.local.dayOf(key);
    const now = this.monotonic();
    const tokens = this.connection.fleet.mayUseTokens(now) ? this.leases.count(key, now) : 0;
    const minuteUsed = Math.max(0, budget.perMinute - tokens);
    const windows = { minuteUsed, dayUsed: day.used, oldestAge: null, blockingAge: null };
    const result = evaluate(budget, { ...windows, wallNow: Math.floor(this.wall()) }, 'lease');
    if (!result.admitted) return result;
    if (!this.spend(key)) {
      if (cause === 'away') return this.admitFromReserve(key, budget, baseline);
      this.totals.lateRefusals += 1;
      return refused(budget, result, LATE_RETRY_MS);
    }
    this.totals.leaseAdmissions += 1;
    return result;
  }

  /** Uses a leased token, if there is one: from now on, it counts as a request. */
  private spend(key: string): boolean {
    const now = this.monotonic();
    const token = this.connection.fleet.mayUseTokens(now) ? this.leases.take(key, now) : undefined;
    if (token === undefined) return false;
    const { day } = this.local.dayOf(key);
    this.local.countDay(key, day);
    this.connection.settle(key, token, day, 1, 0).catch(() => undefined);
    return true;
  }

  /** Redis is away: this instance's share of the reserve. */
  private async admitFromReserve(key: string, budget: Budget, baseline: Baseline): Promise<RateLimitResult> {
    const { fleet } = this.connection;
    const share = fleet.shareWithoutRedis(key, budget.perMinute, this.monotonic());
    const result = await this.local.admit(key, { ...budget, perMinute: share }, baseline);
    if (share === 0) return result.refusedBy === 'day' ? result : refused(budget, result, AWAY_RETRY_MS);
    if (result.admitted) {
      this.totals.fallbackAdmissions += 1;
      fleet.use(this.monotonic());
    }
    return { ...result, minuteUsed: budget.perMinute - share + result.minuteUsed };
  }

  /** Returns the tokens of ended leases. */
  private sweep(until = this.monotonic()): void {
    if (this.connection.isAway) return;
    for (const [key, names] of this.leases.expire(until)) void this.connection.returnTokens(key, names);
  }
}

/** The windows for the last request that the minute admits. */
function lastOf({ perMinute }: Budget, before: WindowState): WindowState {
  return { ...before, minuteUsed: perMinute - 1, blockingAge: null };
}

/** Refuses for `retryAfterMs`, because nothing is known to be left of the minute. */
function refused(budget: Budget, result: RateLimitResult, retryAfterMs: number): RateLimitResult {
  const dayUsed = result.admitted && budget.perDay !== null ? result.dayUsed - 1 : result.dayUsed;
  const minuteUsed = budget.perMinute;
  return { ...result, admitted: false, refusedBy: 'minute', minuteUsed, dayUsed, retryAfterMs };
}
