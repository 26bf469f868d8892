import type { LimitClock } from '../../src/serve/limits/rate-limit-store.js';

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

/** The time of day changes only when a test moves it; durations pass, so that limits do not expire with a move. */
export class StoppedCalendar implements LimitClock {
  private now: number;

  constructor(at: string) {
    this.now = Date.parse(at);
  }

  monotonic(): number {
    return performance.now();
  }

  wall(): number {
    return this.now;
  }

  moveTo(at: string): void {
    this.now = Date.parse(at);
  }
}

/** Runs with the system's clock, ahead of it by what it was moved. */
export class RunningClock implements LimitClock {
  private ahead = 0;

  monotonic(): number {
    return performance.now() + this.ahead;
  }

  wall(): number {
    return Date.now() + this.ahead;
  }

  advance(ms: number): void {
    this.ahead += ms;
  }
}
