// Detects clusters of revisions: one vintage moves the newest revised figures of many economies one way.
import { lastDayOf } from '../../../domain/figures/periods.js';
import { directionOf, type Direction } from './signal.js';

/** Minimum number of economies revised in one direction. */
export const REVISED = 5;
/** Minimum share of all revised economies. */
export const REVISED_SHARE = 0.75;
/** A revision counts if its period ended at most this many years before the vintage. */
export const RECENT_YEARS = 3;

export interface Revision {
  readonly region: string;
  readonly period: string;
  readonly previous: string;
  readonly actual: string;
}

export interface Cluster<T extends Revision> {
  readonly direction: Direction;
  /** One per economy: of its newest revised period. */
  readonly revised: readonly T[];
  /** Economies whose revision counts. */
  readonly voting: number;
}

/** @param revisions all current revisions of one indicator in the vintage of `day`, in any order */
export function clusterOf<T extends Revision>(revisions: readonly T[], day: string): Cluster<T> | null {
  const oldest = `${String(Number(day.slice(0, 4)) - RECENT_YEARS)}${day.slice(4)}`;
  const votes = new Map<string, T>();
  for (const revision of revisions) {
    if (lastDayOf(revision.period) < oldest) continue;
    const held = votes.get(revision.region);
    if (held === undefined || held.period < revision.period) votes.set(revision.region, revision);
  }
  for (const direction of ['up', 'down'] as const) {
    const revised = [...votes.values()]
      .filter(({ previous, actual }) => directionOf(previous, actual) === direction)
      .sort((a, b) => (a.region < b.region ? -1 : 1));
    if (revised.length >= REVISED && revised.length >= REVISED_SHARE * votes.size) {
      return { direction, revised, voting: votes.size };
    }
  }
  return null;
}
