const TICK_MS = 4;

interface Timeout {
  readonly dueAt: number;
  readonly onTimeout: () => void;
}

/**
 * Time-outs that count the time in which the event loop could read a response. A tick that fires late counts for at
 * most twice its length, so a process without CPU time does not take the server for silent.
 */
export class LoopTimeouts {
  private elapsed = 0;
  private tickedAt = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly waiting = new Set<Timeout>();

  /** @returns a function that cancels the time-out and returns the milliseconds that were left */
  start(ms: number, onTimeout: () => void): () => number {
    const timeout = { dueAt: this.elapsed + ms, onTimeout };
    this.waiting.add(timeout);
    if (this.timer === null) {
      this.tickedAt = performance.now();
      this.timer = setInterval(() => this.tick(), TICK_MS);
      this.timer.unref();
    }
    return () => {
      this.waiting.delete(timeout);
      return Math.max(0, timeout.dueAt - this.elapsed);
    };
  }

  private tick(): void {
    const now = performance.now();
    this.elapsed += Math.min(now - this.tickedAt, 2 * TICK_MS);
    this.tickedAt = now;
    // Runs after the poll phase, which reads a response that has arrived.
    setImmediate(() => this.expire());
  }

  private expire(): void {
    for (const timeout of this.waiting) {
      if (timeout.dueAt > this.elapsed) continue;
      this.waiting.delete(timeout);
      timeout.onTimeout();
    }
    if (this.waiting.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
