import { Cluster } from 'ioredis';
import { CircuitBreaker } from './circuit-breaker.js';
import { LoopTimeouts } from './loop-timeouts.js';
import { argumentsOf, windowKeysOf, parseReply } from './redis-admit-command.js';
import { createRedisClient } from './redis-client.js';
import { dayIndex } from './window.js';
import type { AdmitCommand, AdmitReply } from './redis-admit-command.js';
import type { RedisClient } from './redis-client.js';

/** Just below the 100 ms that a caller waits for Redis at most. */
export const TIMEOUT_MS = 96;
const PROBE_INTERVAL_MS = 250;
/** Probes without a response before the connection is closed: a second and a half. */
const PROBES_UNTIL_RECONNECT = 5;

/** `late`: Redis did not respond in time, but the breaker is closed. `away`: the breaker is open, or Redis refused. */
export type AdmitOutcome =
  | AdmitReply
  | {
      readonly status: 'late' | 'away';
      /** The eventual response of Redis: a late command may still run. */
      readonly reply: Promise<AdmitReply>;
    };

/**
 * The connection to Redis behind a circuit breaker. A probe every 250 ms closes the breaker, and its failures count
 * too.
 */
export class RedisConnection {
  timeouts = 0;
  private readonly breaker = new CircuitBreaker();
  private readonly client: RedisClient;
  private readonly loopTimeouts = new LoopTimeouts();
  private readonly probeTimer: NodeJS.Timeout;
  /** Commands without a result yet. */
  private readonly pending = new Set<() => void>();
  private unansweredProbes = 0;
  private offset: number | null = null;

  /** Connects by itself, now and after each loss. */
  constructor(
    url: string,
    private readonly monotonic: () => number,
  ) {
    this.client = createRedisClient(url);
    // An 'error' event without a listener would end the process.
    this.client.on('error', () => undefined);
    this.client.on('close', () => this.breaker.trip());
    this.client.on('ready', () => this.probe());
    this.breaker.onChange((isOpen) => {
      if (isOpen) for (const endAway of [...this.pending]) endAway();
    });
    this.client.connect().catch(() => undefined);
    this.probeTimer = setInterval(() => this.checkConnection(), PROBE_INTERVAL_MS).unref();
  }

  get isOpen(): boolean {
    return this.breaker.isOpen;
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
        .tidemarkAdmit(...windowKeysOf(command.key), ...argumentsOf(command))
        .then(parseReply);
      let isSettled = false;
      const settle = (outcome: AdmitOutcome): void => {
        if (isSettled) return;
        isSettled = true;
        this.pending.delete(endAway);
        resolve({ outcome, msLeft: stopTimeout() });
      };
      const endAway = (): void => settle({ status: 'away', reply });
      this.pending.add(endAway);
      const stopTimeout = this.loopTimeouts.start(timeoutMs, () => {
        this.recordTimeout(sentAt);
        settle({ status: 'late', reply });
      });
      reply.then(
        (prompt) => {
          this.unansweredProbes = 0;
          if (isSettled) return;
          this.recordAnswer(prompt.now, sentAt);
          settle(prompt);
        },
        // A lost connection, or a Redis that cannot write: the probe detects the recovery.
        () => {
          if (!isSettled) this.breaker.trip();
          endAway();
        },
      );
    });
  }

  /** Removes a request that Redis counted at `countedAt`. */
  refund({ key, request }: AdmitCommand, countedAt: number): void {
    this.client.tidemarkRefund(...windowKeysOf(key), request, dayIndex(countedAt)).catch(() => undefined);
  }

  /** Rejects if Redis does not confirm it. */
  async raiseDay(key: string, day: number, used: number): Promise<void> {
    const [, dayKey] = windowKeysOf(key);
    await this.client.tidemarkRaiseDay(dayKey, day, used);
  }

  close(): void {
    clearInterval(this.probeTimer);
    this.client.disconnect();
  }

  /** Closes a connection that a server or a proxy accepted but that stays silent. */
  private checkConnection(): void {
    // ioredis does not reconnect if it is disconnected while it asks the Sentinels for the primary.
    if (this.client.status === 'end') {
      this.client.connect().catch(() => undefined);
      return;
    }
    this.unansweredProbes += 1;
    if (this.unansweredProbes > PROBES_UNTIL_RECONNECT) {
      this.unansweredProbes = 0;
      if (this.client.status !== 'reconnecting') this.client.disconnect(true);
      return;
    }
    if (this.client.status === 'ready') this.probe();
  }

  private probe(): void {
    const sentAt = this.monotonic();
    let isTimedOut = false;
    const stopTimeout = this.loopTimeouts.start(TIMEOUT_MS, () => {
      isTimedOut = true;
      this.recordTimeout(sentAt);
    });
    // Every primary of a cluster must respond: an account may belong to any.
    const primaries = this.client instanceof Cluster ? this.client.nodes('master') : [];
    Promise.all([this.client.tidemarkProbe('tm:probe'), ...primaries.map((node) => node.ping())])
      .then(([now]) => {
        this.unansweredProbes = 0;
        if (isTimedOut) return;
        this.recordAnswer(now, sentAt);
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

  private recordAnswer(redisNow: number, sentAt: number): void {
    this.offset = redisNow - sentAt;
    this.breaker.recordSuccess();
  }
}
