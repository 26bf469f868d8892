import { WaitingList } from '../../../domain/waiting-list.js';

const TICK_MS = 4;

/**
 * Time-outs that count the time in which the event loop could read a response. A tick that fires late counts for at
 * most twice its length, so a process without CPU time does not take the server for silent.
 */
export class LoopTimeouts {
  private elapsed = 0;
  private tickedAt = 0;
  private timer: NodeJS.Timeout | null = null;
  private readonly waiting = new WaitingList<() => void>();

  /** @returns a function that cancels the time-out and returns the milliseconds that were left */
  start(ms: number, onTimeout: () => void): () => number {
    const dueAt = this.elapsed + ms;
    const remove = this.waiting.add(() => {
      if (dueAt <= this.elapsed && remove()) onTimeout();
    });
    if (this.timer === null) {
      this.tickedAt = performance.now();
      this.timer = setInterval(() => this.tick(), TICK_MS);
      this.timer.unref();
    }
    return () => {
      remove();
      return Math.max(0, dueAt - this.elapsed);
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
    for (const expireIfDue of this.waiting.values()) expireIfDue();
    if (this.waiting.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
