import type { Token } from './provider.js';

/** The time as providers read it. Tests replace it. */
export interface Clock {
  /** Milliseconds since an arbitrary moment, never adjusted. */
  monotonic(): number;
  /** Milliseconds since the epoch. */
  wall(): number;
}

export const CLOCK: Token<Clock> = Symbol('Clock');
