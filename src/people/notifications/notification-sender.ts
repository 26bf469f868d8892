import { setTimeout as wait } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { isUnavailable } from '../../store/unavailable.js';
import { ApiError } from '../../domain/errors/api-error.js';
import type { Log } from '../../serve/log/log.js';
import type { Metrics } from '../../serve/metrics/metrics.js';
import type { AttemptResults, NotificationDispatcher } from './notification-dispatcher.js';
import { LANES, type ChannelKind, type ClaimedBatch, type Lane, type Outbox } from './outbox.js';

const POLL_MS = 3_000;
/** For how long the time that an account took counts against it. */
const RECENT_MS = 5 * 60_000;
/** How long a shutdown waits for attempts; interrupted ones are repeated. */
const FINISH_MS = 2_500;
const CUT_OFF_MS = 500;

export interface SenderParts {
  /** Connects the database. */
  readonly open: () => Promise<void>;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<NotificationDispatcher, 'attempt'>;
  /** None: nothing is sent. */
  readonly kinds: readonly ChannelKind[];
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Sends due notifications of the outbox. Each instance has one sender; the database distributes the work among them.
 */
export class NotificationSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopped = new AbortController();
  private readonly cutOff = new AbortController();
  /** By account, for each lane. */
  private readonly inFlight: ReadonlyMap<Lane, Map<string, Promise<void>>>;
  /** Seconds of slots that accounts took since `recentSince`. */
  private readonly spent = new Map<string, number>();
  private recentSince = 0;
  private running: Promise<void> | undefined;
  /** The message of the last failure; null after a success. */
  private failure: string | null = null;
  private pausing: Promise<void> | undefined;

  constructor(private readonly parts: SenderParts) {
    const lanes = LANES.filter(({ kind }) => parts.kinds.includes(kind));
    this.inFlight = new Map(lanes.map((lane) => [lane, new Map()]));
  }

  onApplicationBootstrap(): void {
    if (this.parts.kinds.length > 0) void this.poll();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    const finished = Promise.all(this.attempts());
    await within(FINISH_MS, finished);
    this.cutOff.abort();
    // A mail server cannot be cut off: after the lease, the mail is sent again.
    await within(CUT_OFF_MS, Promise.all([this.running, finished]));
  }

  /** Sends until nothing is due. */
  run(): Promise<void> {
    this.running ??= this.sendDue()
      .then(
        () => {
          this.failure = null;
        },
        (error: unknown) => {
          this.report(error);
        },
      )
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /** The health check reports a database that is away. Any other failure is logged once while it lasts. */
  private report(error: unknown): void {
    const cause = error instanceof ApiError ? error.cause : error;
    const message = cause instanceof Error ? cause.message : String(cause);
    if (isUnavailable(cause) || message === this.failure) return;
    this.failure = message;
    this.parts.log.warn(`notifications are not sent: ${message}`);
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopped;
    await this.pause();
    while (!signal.aborted) {
      await this.run();
      await this.pause();
    }
  }

  private async sendDue(): Promise<void> {
    const { open, outbox } = this.parts;
    await open();
    const { signal } = this.stopped;
    while (!signal.aborted) {
      if (performance.now() - this.recentSince > RECENT_MS) {
        this.spent.clear();
        this.recentSince = performance.now();
      }
      for (const [lane, busy] of this.inFlight) {
        const free = lane.slots - busy.size;
        const claimed = free > 0 ? await outbox.claim(lane, [...busy.keys()], free, this.spent) : [];
        for (const batch of claimed) this.start(batch, busy);
      }
      const attempts = this.attempts();
      if (attempts.length === 0) return;
      await Promise.race([...attempts, this.pause()]);
    }
  }

  private attempts(): Promise<void>[] {
    return [...this.inFlight.values()].flatMap((busy) => [...busy.values()]);
  }

  private start(batch: ClaimedBatch, busy: Map<string, Promise<void>>): void {
    const { accountId } = batch.channel;
    const startedAt = performance.now();
    const sending = this.send(batch)
      // The lease ends, and the notifications are due again.
      .catch((error: unknown) => {
        if (!isUnavailable(error)) this.parts.log.failure(null, error);
      })
      .finally(() => {
        busy.delete(accountId);
        const seconds = (performance.now() - startedAt) / 1_000;
        this.spent.set(accountId, (this.spent.get(accountId) ?? 0) + seconds);
      });
    busy.set(accountId, sending);
  }

  private async send({ channel, notifications }: ClaimedBatch): Promise<void> {
    const { dispatcher, outbox, metrics } = this.parts;
    const results = await dispatcher
      .attempt(channel, notifications, this.cutOff.signal)
      .catch((error: unknown): AttemptResults => {
        if (isUnavailable(error)) throw error;
        // A bug of ours must not keep a notification in the queue for ever.
        this.parts.log.failure(null, error);
        return [[{ error: 'internal' }, notifications]];
      });
    for (const [result, ofResult] of results) {
      // Our shutdown cut the attempt off, which says nothing about the receiver: the lease ends, and another instance sends.
      if (this.cutOff.signal.aborted && result.error === 'timeout') continue;
      const dead = await outbox.finish(channel, ofResult, result);
      const outcome = result.error === null ? 'delivered' : 'failed';
      metrics.notified(channel.kind, outcome, ofResult.length - dead);
      metrics.notified(channel.kind, 'dead', dead);
    }
  }

  /** Until the next look at the outbox, or the shutdown. */
  private pause(): Promise<void> {
    const { signal } = this.stopped;
    this.pausing ??= wait(POLL_MS, undefined, { ref: false, signal })
      .catch(() => undefined)
      .finally(() => {
        this.pausing = undefined;
      });
    return this.pausing;
  }
}

/** Waits for the work, or for as long. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
