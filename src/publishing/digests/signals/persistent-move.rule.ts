// A market move beyond its own normal that persists: what follows stays on its side of half the move.
import { directionOf, type Direction, type Judged } from './signal.js';

/** Observations after the move that must have held. */
export const HELD = 5;
/** From so many on it is no longer new. */
export const HELD_LONG = 10;
/** So many are watched; a move that held through all of them is the new normal, and the signal is closed. */
export const WATCHED = 20;

export interface Move {
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
  /** Observations after the move that held, one after the other. */
  readonly held: readonly Observation[];
  /** The first one that did not; `null` while none has come. */
  readonly broken: Observation | null;
  readonly judged: Judged;
}

/** @param after the instrument's observations after the move, oldest first; more than `WATCHED` are not looked at */
export function persistentMoveOf(move: Move, after: readonly Observation[]): PersistentMove | null {
  const direction = directionOf(move.previous, move.actual);
  if (direction === null) return null;
  const [previous, actual] = [Number(move.previous), Number(move.actual)];
  // Twice each value, so that half of the move needs no division.
  const holds = ({ value }: Observation): boolean =>
    direction === 'up' ? 2 * Number(value) > previous + actual : 2 * Number(value) < previous + actual;
  const watched = after.slice(0, WATCHED);
  const at = watched.findIndex((observation) => !holds(observation));
  const held = at < 0 ? watched : watched.slice(0, at);
  if (held.length < HELD) return null;
  return {
    direction,
    held,
    broken: watched[at] ?? null,
    judged: at >= 0 || held.length >= WATCHED ? 'closed' : held.length >= HELD_LONG ? 'active' : 'emerging',
  };
}
