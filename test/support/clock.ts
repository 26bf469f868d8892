import type { LimitClock } from '../../src/limits/rate-limit-store.js';

/** Stands still until it is moved. */
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
