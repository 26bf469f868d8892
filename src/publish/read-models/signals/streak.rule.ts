// Detects streaks: moves in one direction, period after period, for longer than the series' own past makes likely.
import { nextPeriod } from '../../../domain/figures/periods.js';
import { directionOf, type Direction, type SignalStage } from './signal.js';

/** Minimum number of moves in a row. */
export const SHORTEST_STREAK = 4;
/** Minimum number of known moves before the streak, for the comparison. */
export const EARLIER_MOVES = 6;
/** Maximum probability of a streak by the series' own past: that of four heads in a row. */
export const CHANCE = 1 / 16;
/** A series that needs more than this has a trend: its next move in that direction is no news. */
export const LONGEST_REQUIRED = 12;

export interface KnownFigure {
  readonly period: string;
  /** Plain decimal text. */
  readonly value: string;
}

/** The day on which a period was first published, as the newest one. */
export interface ReleaseDay {
  readonly period: string;
  /** Day of the data's clock. */
  readonly day: string;
}

export interface Streak {
  readonly direction: Direction;
  /** The figure before its first move, and the last one in its direction. */
  readonly first: KnownFigure;
  readonly last: KnownFigure;
  readonly moves: number;
  readonly stage: SignalStage;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/**
 * Streaks of which at least one figure at or beyond the threshold was released.
 * @param figures all known ones of the series, by period
 * @param releases the published ones
 */
export function streaksOf(figures: readonly KnownFigure[], releases: readonly ReleaseDay[]): Streak[] {
  const moves = movesOf(figures);
  const dayOf = new Map(releases.map(({ period, day }) => [period, day]));
  const streaks: Streak[] = [];
  const past = { pairs: 0, kept: 0, counted: 1 };
  let start = 0;
  while (start < moves.length) {
    const direction = moves[start] ?? null;
    let end = start;
    while (direction !== null && moves[end + 1] === direction) end += 1;
    const length = end - start + 1;
    if (direction !== null && start >= EARLIER_MOVES && length >= SHORTEST_STREAK) {
      countPast(past, moves, start);
      const required = requiredLengthOf(past.kept, past.pairs);
      const run = figures.slice(start, end + 2);
      const days = run.map(({ period }) => dayOf.get(period));
      const firstSeen = days.slice(required).find((day) => day !== undefined);
      const [first, last] = [run[0], run.at(-1)];
      if (
        required <= LONGEST_REQUIRED &&
        length >= required &&
        firstSeen !== undefined &&
        first !== undefined &&
        last !== undefined
      ) {
        const open = end === moves.length - 1;
        const seen = days.filter((day) => day !== undefined).sort();
        streaks.push({
          direction,
          first,
          last,
          moves: length,
          stage: !open ? 'closed' : length === required ? 'emerging' : 'active',
          firstSeen,
          lastSeen: seen.at(-1) ?? firstSeen,
        });
      }
    }
    start = end + 1;
  }
  return streaks;
}

/** The number of moves in a row that is unlikely enough for a past with so many kept directions; counted up to 13. */
export function requiredLengthOf(kept: number, pairs: number): number {
  const chance = (kept + 1) / (pairs + 2);
  let required = SHORTEST_STREAK;
  while (chance ** required > CHANCE && required <= LONGEST_REQUIRED) required += 1;
  return required;
}

/** The direction between each figure and the next period's; `null` if nothing moved or a period is missing. */
function movesOf(figures: readonly KnownFigure[]): (Direction | null)[] {
  return figures.slice(1).map((figure, index) => {
    const before = figures[index];
    if (before === undefined || nextPeriod(before.period) !== figure.period) return null;
    return directionOf(before.value, figure.value);
  });
}

/** Pairs of neighbouring moves before `start`, and those in one direction; each series counts once. */
function countPast(
  past: { pairs: number; kept: number; counted: number },
  moves: readonly (Direction | null)[],
  start: number,
): void {
  for (; past.counted < start; past.counted += 1) {
    const [earlier, later] = [moves[past.counted - 1] ?? null, moves[past.counted] ?? null];
    if (earlier === null || later === null) continue;
    past.pairs += 1;
    if (earlier === later) past.kept += 1;
  }
}
