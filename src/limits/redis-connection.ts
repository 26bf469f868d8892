import { Cluster } from 'ioredis';
import { CircuitBreaker } from './circuit-breaker.js';
import { LoopTimeouts } from './loop-timeouts.js';
import { argumentsOf, windowKeysOf, parseReply } from './redis-admit-command.js';
import { createRedisClient } from './redis-client.js';
import { dayIndex } from './window.js';
import type { AdmitCommand, AdmitReply } from './redis-admit-command.js';
import type { RedisClient } from './redis-client.js';

/** Just under the 100 ms that a caller waits for Redis at most. */
export const TIMEOUT_MS = 96;
const PROBE_INTERVAL_MS = 250;
/** Probes without any answer until the connection is given up: a second and a half. */
const PROBES_UNTIL_RECONNECT = 5;

/** `late`: Redis did not answer in time, and is not known to be away. `away`: the breaker is open, or Redis refused. */
export type AdmitOutcome =
  | AdmitReply
  | {
      readonly status: 'late' | 'away';
      /** What Redis answers in the end, if it does: it may still run the command. */
      readonly reply: Promise<AdmitReply>;
    };

/** The connection to Redis behind a circuit breaker, which a probe every 250 ms closes and helps to open. */
export class RedisConnection {
  timeouts = 0;
  private readonly breaker = new CircuitBreaker();
  private readonly client: RedisClient;
  private readonly loopTimeouts = new LoopTimeouts();
  private readonly probeTimer: NodeJS.Timeout;
  /** Calls without an outcome yet. */
  private readonly pending = new Set<() => void>();
  private unansweredProbes = 0;
  private offset: number | null = null;

  /** Connects by itself, now and after each loss. */
  constructor(
    url: string,
    private readonly monotonic: () => number,
  ) {
    this.client = createRedisClient(url);
    // Without a listener an unreachable server would end the process.
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

  /** Redis' clock less this process's monotonic one, as of the last prompt answer. */
  get clockOffset(): number | null {
    return this.offset;
  }

  onChange(listener: (isOpen: boolean) => void): void {
    this.breaker.onChange(listener);
  }

  /**
   * Never rejects.
   * @param timeoutMs what is left of the time that the caller may wait
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
        // A lost connection, or a Redis that cannot write: a probe finds out when it can.
        () => {
          if (!isSettled) this.breaker.trip();
          endAway();
        },
      );
    });
  }

  /** Takes back a request that Redis has counted at `countedAt`. */
  refund({ key, request }: AdmitCommand, countedAt: number): void {
    this.client.tidemarkRefund(...windowKeysOf(key), request, dayIndex(countedAt)).catch(() => undefined);
  }

  /** Rejects when Redis does not confirm it. */
  async raiseDay(key: string, day: number, used: number): Promise<void> {
    const [, dayKey] = windowKeysOf(key);
    await this.client.tidemarkRaiseDay(dayKey, day, used);
  }

  close(): void {
    clearInterval(this.probeTimer);
    this.client.disconnect();
  }

  /** A server, or a hop before it, that accepts a connection and stays silent is left. */
  private checkConnection(): void {
    // The client ends for good when it is disconnected while it asks the Sentinels for the primary.
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
    // Of a cluster every primary must answer: an account may lie on any.
    const primaries = this.client instanceof Cluster ? this.client.nodes('master') : [];
    Promise.all([this.client.tidemarkProbe('tm:probe'), ...primaries.map((node) => node.ping())])
      .then(([now]) => {
        this.unansweredProbes = 0;
        if (isTimedOut) return;
        this.recordAnswer(now, sentAt);
        // By the clock: a process without CPU would take a slow Redis back, and lose it again.
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
