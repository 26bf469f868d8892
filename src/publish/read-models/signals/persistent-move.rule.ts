// Detects persistent moves: later observations stay on the move's side of its half.
import { isAbove, midpoint } from '../../../domain/figures/decimal.js';
import { directionOf, type Direction, type SignalStage } from './signal.js';

/** Minimum number of observations after the move that hold. */
export const HELD = 5;
/** From this number on, the signal is active. */
export const HELD_LONG = 10;
/**
 * Number of observations to watch: a move that holds through all of them is the new normal, and its signal is closed.
 */
export const WATCHED_OBSERVATIONS = 20;

export interface PriceMove {
  readonly period: string;
  readonly previous: string;
  readonly actual: string;
}

export interface Observation {
  readonly period: string;
  readonly value: string;
}

export interface PersistentMove {
  readonly direction: Direction;
  /** Consecutive observations after the move that held. */
  readonly held: readonly Observation[];
  /** The first observation that did not hold, or `null`. */
  readonly broken: Observation | null;
  readonly stage: SignalStage;
}

/**
 * @param after the instrument's observations after the move, oldest first; those beyond `WATCHED_OBSERVATIONS` are
 * ignored
 */
export function persistentMoveOf(move: PriceMove, after: readonly Observation[]): PersistentMove | null {
  const direction = directionOf(move.previous, move.actual);
  if (direction === null) return null;
  const half = midpoint(move.previous, move.actual);
  const holds = ({ value }: Observation): boolean => (direction === 'up' ? isAbove(value, half) : isAbove(half, value));
  const watched = after.slice(0, WATCHED_OBSERVATIONS);
  const at = watched.findIndex((observation) => !holds(observation));
  const held = at < 0 ? watched : watched.slice(0, at);
  if (held.length < HELD) return null;
  return {
    direction,
    held,
    broken: watched[at] ?? null,
    stage: at >= 0 || held.length >= WATCHED_OBSERVATIONS ? 'closed' : held.length >= HELD_LONG ? 'active' : 'emerging',
  };
}
