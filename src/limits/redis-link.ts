import { Redis } from 'ioredis';
import { ADMIT_SCRIPT, PROBE_SCRIPT, TAKE_BACK_SCRIPT } from './redis-script.js';
import { keysOf, readAnswer, scriptArguments } from './redis-question.js';
import type { Answer, Question } from './redis-question.js';
import type { Result } from 'ioredis';

/** An answer after this comes too late. Under 20 ms, so that the caller is served within 20. */
export const PATIENCE_MS = 18;
/** Patience is spent in ticks, so that a busy process, which wakes late, does not take itself for a slow Redis. */
const TICK_MS = 4;
const PROBE_EVERY_MS = 250;
/** A connection that owes the answer to a probe for so long is given up: its network may have gone silently. */
const PROBE_LOST_MS = 2_000;
const MISSES_TO_OPEN = 3;

/** What is left of the time that a caller may wait for Redis. */
export interface Patience {
  leftMs: number;
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tidemarkAdmit(...args: (string | number)[]): Result<unknown[], Context>;
    tidemarkTakeBack(minute: string, day: string, nonce: string): Result<number, Context>;
    tidemarkProbe(key: string): Result<number, Context>;
  }
}

/** The connection to Redis behind a breaker: open at start, after three misses and on a lost connection. */
export class RedisLink {
  /** Questions without an answer in time; times the breaker opened. */
  readonly counters = { timeouts: 0, breakerOpens: 0 };
  private readonly redis: Redis;
  private readonly probing: NodeJS.Timeout;
  private readonly listeners: ((usable: boolean) => void)[] = [];
  private usable = false;
  private misses = 0;
  /** Redis's clock less this process's monotonic one, at most a patience too large. */
  private clockOffset: number | null = null;
  private probedAt: number | null = null;

  constructor(
    url: string,
    private readonly monotonic: () => number,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      connectTimeout: PROBE_LOST_MS,
      // A frozen server never closes its side.
      disconnectTimeout: PROBE_EVERY_MS,
      retryStrategy: () => PROBE_EVERY_MS,
      scripts: {
        tidemarkAdmit: { lua: ADMIT_SCRIPT, numberOfKeys: 2 },
        tidemarkTakeBack: { lua: TAKE_BACK_SCRIPT, numberOfKeys: 2 },
        tidemarkProbe: { lua: PROBE_SCRIPT, numberOfKeys: 1 },
      },
    });
    // Without a listener an unreachable server would end the process; the breaker already tells of it.
    this.redis.on('error', () => undefined);
    this.redis.on('close', () => this.lose());
    this.redis.on('ready', () => this.probe());
    this.probedAt = monotonic();
    this.redis.connect().catch(() => undefined);
    this.probing = setInterval(() => this.probeIfOpen(), PROBE_EVERY_MS).unref();
  }

  get open(): boolean {
    return !this.usable;
  }

  onChange(listener: (usable: boolean) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Never rejects: null when Redis cannot say within `patience`, which is told what was spent of it. It may
   * still say later: then `late` gets the answer, or null if the connection went first.
   */
  ask(question: Question, patience: Patience, late: (answer: Answer | null) => void): Promise<Answer | null> {
    const sentAt = this.monotonic();
    const deadline = this.clockOffset === null ? 0 : sentAt + patience.leftMs + this.clockOffset;
    return new Promise((resolve) => {
      let given = false;
      const give = (answer: Answer | null): void => {
        stopWaiting();
        if (given) {
          late(answer);
          return;
        }
        given = true;
        resolve(answer);
      };
      const giveUp = (): void => {
        if (given) return;
        this.counters.timeouts += 1;
        this.miss();
        give(null);
      };
      // The answer may lie unread when the patience ends: read before giving up.
      const stopWaiting = this.spend(patience, () => setImmediate(giveUp));
      this.redis.tidemarkAdmit(...keysOf(question.subject), ...scriptArguments(question, deadline)).then(
        (reply) => {
          const answer = readAnswer(reply);
          // Other answers come before any write: a server that refuses writes still gives them.
          if (!given && answer.status === 'done') this.misses = 0;
          this.learnClock(answer.now, sentAt);
          give(answer);
        },
        () => {
          if (!given) this.miss();
          give(null);
        },
      );
    });
  }

  takeBack(subject: string, nonce: string): void {
    this.redis.tidemarkTakeBack(...keysOf(subject), nonce).catch(() => undefined);
  }

  close(): Promise<void> {
    clearInterval(this.probing);
    this.listeners.length = 0;
    this.redis.disconnect();
    return Promise.resolve();
  }

  /** Calls back once the patience is spent. A tick that comes late counts for two at most. */
  private spend(patience: Patience, spent: () => void): () => void {
    let tickedAt = this.monotonic();
    let timer: NodeJS.Timeout;
    const tick = (): void => {
      const now = this.monotonic();
      patience.leftMs -= Math.min(now - tickedAt, 2 * TICK_MS);
      tickedAt = now;
      if (patience.leftMs <= 0) spent();
      else wait();
    };
    const wait = (): void => {
      timer = setTimeout(tick, Math.min(TICK_MS, patience.leftMs));
    };
    wait();
    return () => clearTimeout(timer);
  }

  private miss(): void {
    this.misses += 1;
    if (this.misses >= MISSES_TO_OPEN) this.setUsable(false);
  }

  private lose(): void {
    this.probedAt = this.monotonic();
    this.clockOffset = null;
    this.setUsable(false);
  }

  private probeIfOpen(): void {
    if (this.usable) return;
    if (this.probedAt === null) {
      this.probe();
      return;
    }
    if (this.monotonic() - this.probedAt < PROBE_LOST_MS) return;
    this.probedAt = this.monotonic();
    this.redis.disconnect(true);
  }

  private probe(): void {
    if (this.redis.status !== 'ready') return;
    const sentAt = this.monotonic();
    this.probedAt = sentAt;
    this.redis.tidemarkProbe('tm:probe').then(
      (now) => {
        this.probedAt = null;
        const prompt = this.monotonic() - sentAt <= this.patienceMs;
        this.learnClock(now, sentAt);
        if (prompt) this.setUsable(true);
      },
      () => {
        this.probedAt = null;
      },
    );
  }

  private learnClock(redisNow: number, sentAt: number): void {
    if (this.monotonic() - sentAt <= this.patienceMs) this.clockOffset = redisNow - sentAt;
  }

  private setUsable(usable: boolean): void {
    if (usable === this.usable) return;
    this.usable = usable;
    this.misses = 0;
    if (!usable) this.counters.breakerOpens += 1;
    for (const listener of this.listeners) listener(usable);
  }
}
