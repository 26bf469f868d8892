import type { OverloadSignal } from './concurrency-limiter.js';

/** An iteration of the event loop longer than this delays the requests that arrive during it. */
const LONG_MS = 75;
/** A long iteration with fewer requests is slow work, not overload: shedding would let as many in at a time. */
const MANY_REQUESTS = 32;
/** Long iterations must follow each other for this time and number: not a burst, not one long task. */
const SUSTAINED_MS = 500;
const SUSTAINED_ITERATIONS = 4;
/** Requests started within the first milliseconds of an iteration finish soon, and so does the iteration. */
const BUDGET_MS = 4;
/** A longer gap between iterations with requests means that no request was waiting. */
const IDLE_MS = 20;

export interface MonitorClocks {
  readonly monotonic: () => number;
  /** Milliseconds of CPU that this process has used. */
  readonly cpu: () => number;
}

const CLOCKS: MonitorClocks = {
  monotonic: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
};

/**
 * Measures the length of event loop iterations. Requests that arrive faster than they are served wait uncounted in
 * socket buffers, but each iteration then reads more of them and takes longer. An iteration that is long only because
 * other processes have the CPU, or because a few requests are expensive, does not count.
 */
export class EventLoopMonitor implements OverloadSignal {
  private startedAt: number | null = null;
  private endedAt = 0;
  private requests = 0;
  private longSince: number | null = null;
  private longIterations = 0;
  private cpuAt: number | null = null;

  constructor(private readonly clocks: MonitorClocks = CLOCKS) {}

  /** Call for each request. */
  onRequest(): void {
    this.requests += 1;
    if (this.startedAt !== null) return;
    this.startedAt = this.clocks.monotonic();
    if (this.startedAt - this.endedAt > IDLE_MS) this.reset();
    // Immediates run after all reads of this iteration, before the next poll.
    setImmediate(() => this.end());
  }

  get isSustained(): boolean {
    const { longSince, longIterations } = this;
    if (longSince === null || longIterations < SUSTAINED_ITERATIONS) return false;
    return this.clocks.monotonic() - longSince >= SUSTAINED_MS;
  }

  get isBudgetSpent(): boolean {
    return this.startedAt !== null && this.clocks.monotonic() - this.startedAt >= BUDGET_MS;
  }

  private end(): void {
    const started = this.startedAt ?? 0;
    const hasMany = this.requests >= MANY_REQUESTS;
    this.startedAt = null;
    this.requests = 0;
    this.endedAt = this.clocks.monotonic();
    if (!hasMany || this.endedAt - started < LONG_MS) {
      this.reset();
      return;
    }
    const cpu = this.clocks.cpu();
    if (this.cpuAt !== null && cpu - this.cpuAt < LONG_MS) this.reset();
    this.cpuAt = cpu;
    this.longSince ??= started;
    this.longIterations += 1;
  }

  private reset(): void {
    this.longSince = null;
    this.longIterations = 0;
    this.cpuAt = null;
  }
}
