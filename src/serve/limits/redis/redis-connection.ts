import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { CircuitBreaker } from './circuit-breaker.js';
import { WaitingList } from '../../../domain/waiting-list.js';
import { Fleet } from '../fleet.js';
import { LoopTimeouts } from './loop-timeouts.js';
import { argumentsOf, windowKeysOf, parseReply, type AdmitCommand, type AdmitReply } from './redis-admit-command.js';
import { createRedisClient, type RedisClient } from './redis-client.js';

/** Just below the 250 ms that a caller waits for Redis at most. */
export const TIMEOUT_MS = 246;
const PROBE_INTERVAL_MS = 250;
/** Probes without a response before the connection is closed: about a second and a half. */
const PROBES_UNTIL_RECONNECT = 5;
/** Later than any registry: an instance that ends knows all that will join. */
const ALL = Number.MAX_SAFE_INTEGER;

/** What a store counts: requests of accounts, or acts without a key, which no instance leases. */
export type StoreUse = 'accounts' | 'acts';

/** The instances that share this Redis. */
const REGISTRIES = { accounts: 'tm:instances', acts: 'tm:instances:acts' } as const;

/** `late`: Redis did not respond in time, but may still run the command. `away`: Redis refused, or the connection is lost. */
export type AdmitOutcome =
  | AdmitReply
  | {
      readonly status: 'late' | 'away';
      /** The eventual response of Redis: a late command may still run. */
      readonly reply: Promise<AdmitReply>;
    };

/**
 * The connection to Redis. Its circuit breaker opens while Redis is late; a probe every 250 ms closes it again, and
 * registers the instance.
 */
export class RedisConnection {
  timeouts = 0;
  readonly fleet: Fleet;
  readonly client: RedisClient;
  private readonly breaker = new CircuitBreaker();
  private readonly loopTimeouts = new LoopTimeouts();
  private readonly probeTimer: NodeJS.Timeout;
  /** Commands without a result yet. */
  private readonly pending = new WaitingList<() => void>();
  private readonly registry: readonly string[];
  private unansweredProbes = 0;
  private offset: number | null = null;
  private isRefusing = true;

  /** Connects by itself, now and after each loss. */
  constructor(
    url: string,
    readonly id: string,
    private readonly monotonic: () => number,
    private readonly use: StoreUse,
  ) {
    this.fleet = new Fleet(id, monotonic());
    // The registry lies on one node of a cluster, and accounts on all. Acts are in no database.
    this.registry = use === 'acts' || /^rediss?\+cluster:/.test(url) ? [] : [REGISTRIES[use]];
    this.client = createRedisClient(url, 2 + this.registry.length);
    // An 'error' event without a listener would end the process.
    this.client.on('error', () => undefined);
    this.client.on('close', () => this.lose());
    this.client.on('ready', () => this.probe());
    this.client.connect().catch(() => undefined);
    this.probeTimer = setInterval(() => this.checkConnection(), PROBE_INTERVAL_MS).unref();
  }

  /** Redis is late or away: nobody waits. */
  get isOpen(): boolean {
    return this.breaker.isOpen;
  }

  /** No command can be sent, or Redis refused the last one. */
  get isAway(): boolean {
    return this.isRefusing || this.client.status !== 'ready';
  }

  get breakerOpens(): number {
    return this.breaker.opens;
  }

  /** Redis' clock minus this process's monotonic clock, at the last prompt response. */
  get clockOffset(): number | null {
    return this.offset;
  }

  onChange(listener: (isOpen: boolean) => void): void {
    this.breaker.onChange(listener);
  }

  /**
   * Never rejects.
   * @param timeoutMs the rest of the time that the caller may wait
   */
  admit(
    command: AdmitCommand,
    timeoutMs: number,
  ): Promise<{ readonly outcome: AdmitOutcome; readonly msLeft: number }> {
    return new Promise((resolve) => {
      const sentAt = this.monotonic();
      const reply = this.client
        .tidemarkAdmit(...windowKeysOf(command.key), ...this.registry, ...argumentsOf(command))
        .then((replied) => parseReply(command, replied));
      let isSettled = false;
      const settle = (outcome: AdmitOutcome): void => {
        if (isSettled) return;
        isSettled = true;
        remove();
        resolve({ outcome, msLeft: stopTimeout() });
      };
      const endAway = (): void => settle({ status: 'away', reply });
      const remove = this.pending.add(endAway);
      const stopTimeout = this.loopTimeouts.start(timeoutMs, () => {
        this.recordTimeout(sentAt);
        settle({ status: 'late', reply });
      });
      if (timeoutMs <= 0) settle({ status: 'late', reply });
      reply.then(
        (prompt) => {
          this.unansweredProbes = 0;
          if (isSettled) return;
          this.recordReply(prompt.now, sentAt);
          settle(prompt);
        },
        // A lost connection, or a Redis that cannot write: the probe detects the recovery.
        () => {
          this.lose();
          endAway();
        },
      );
    });
  }

  /**
   * Changes what Redis counted under `name` at the day `day`: adds `delta` to the day, and counts the request from now,
   * as a token of `leaseMs`, or not at all (-1).
   * @returns whether Redis had counted it; rejects if Redis does not confirm it
   */
  async settle(key: string, name: string, day: number, delta: number, leaseMs: number): Promise<boolean> {
    return (await this.client.tidemarkSettle(...windowKeysOf(key), name, day, delta, leaseMs)) === 1;
  }

  /** Returns unused tokens. Never rejects: tokens that do not come back end by themselves. */
  async returnTokens(key: string, names: readonly string[]): Promise<void> {
    const [minute] = windowKeysOf(key);
    if (names.length > 0) await this.client.zrem(minute, ...names).catch(() => undefined);
  }

  /** Rejects if Redis does not confirm it. */
  async raiseDay(key: string, day: number, used: number): Promise<void> {
    const [, dayKey] = windowKeysOf(key);
    await this.client.tidemarkRaiseDay(dayKey, day, used);
  }

  /** Records that this instance ends, so that nobody waits for it. */
  async close(): Promise<void> {
    clearInterval(this.probeTimer);
    const registered = this.register(ALL).catch(() => undefined);
    if (!this.isAway) await Promise.race([registered, delay(TIMEOUT_MS, undefined, { ref: false })]);
    this.client.disconnect();
  }

  private register(known: number): Promise<(string | number)[]> {
    const at = this.monotonic();
    const [used, longAway] = [this.fleet.isUsed(at) ? 1 : 0, this.fleet.isLongAway(at) ? 1 : 0];
    return this.client.tidemarkRegister(REGISTRIES[this.use], this.id, known, used, longAway);
  }

  private lose(): void {
    this.isRefusing = true;
    this.breaker.trip();
    for (const endAway of this.pending.values()) endAway();
  }

  /** Closes a connection that a server or a proxy accepted but that stays silent. */
  private checkConnection(): void {
    // ioredis does not reconnect if it is disconnected while it asks the Sentinels for the primary.
    if (this.client.status === 'end') {
      this.client.connect().catch(() => undefined);
      return;
    }
    // A probe counts once it times out: a process without CPU time must not take Redis for silent.
    const isReady = this.client.status === 'ready';
    if (!isReady) this.unansweredProbes += 1;
    if (this.unansweredProbes >= PROBES_UNTIL_RECONNECT) {
      this.unansweredProbes = 0;
      if (this.client.status !== 'reconnecting') this.client.disconnect(true);
    } else if (isReady) this.probe();
  }

  private probe(): void {
    const sentAt = this.monotonic();
    let isTimedOut = false;
    const stopTimeout = this.loopTimeouts.start(TIMEOUT_MS, () => {
      isTimedOut = true;
      this.unansweredProbes += 1;
      this.recordTimeout(sentAt);
    });
    // Every primary of a cluster must respond: an account may belong to any.
    const primaries = this.client instanceof Cluster ? this.client.nodes('master') : [];
    Promise.all([this.register(this.fleet.known), ...primaries.map((node) => node.ping())])
      .then(([[now, share, returnedAt, ...instances]]) => {
        this.unansweredProbes = 0;
        this.isRefusing = false;
        const state = { hasShare: share === 1, returnedAt: Number(returnedAt) };
        this.fleet.report(this.monotonic(), Number(now), state, instances.map(String));
        if (isTimedOut) return;
        this.recordReply(Number(now), sentAt);
        // Measured by the monotonic clock: counted in event-loop time, a process without CPU would accept a slow Redis
        // and lose it again.
        if (this.monotonic() - sentAt <= TIMEOUT_MS) this.breaker.reset();
      })
      .catch(() => undefined)
      .finally(stopTimeout);
  }

  private recordTimeout(sentAt: number): void {
    this.timeouts += 1;
    this.breaker.recordTimeout(sentAt, this.monotonic());
  }

  private recordReply(redisNow: number, sentAt: number): void {
    this.offset = redisNow - sentAt;
    this.breaker.recordSuccess();
  }
}
