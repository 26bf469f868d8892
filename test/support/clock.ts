import type { LimitClock } from '../../src/limits/rate-limit-store.js';

/** The time changes only when a test advances it. */
export class StoppedClock implements LimitClock {
  private now: number;

  constructor(at: string) {
    this.now = Date.parse(at);
  }

  monotonic(): number {
    return this.now;
  }

  wall(): number {
    return this.now;
  }

  advance(ms: number): void {
    this.now += ms;
  }
}
