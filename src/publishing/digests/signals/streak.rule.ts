// A streak in one series: moves in one direction, period after period, for longer than its own past would have it.
import { nextPeriod } from '../../../figures/periods.js';
import { directionOf, type Direction, type Judged } from './signal.js';

/** Fewer moves in a row are no streak, whatever the series. */
export const SHORTEST_STREAK = 4;
/** Moves that must be known before the streak, for a past to measure it against. */
export const EARLIER_MOVES = 6;
/** A streak is one that the series' own past would give with this chance at most: that of four heads in a row. */
export const CHANCE = 1 / 16;
/** No streak is asked to be longer. */
const LONGEST_ASKED = 1_000;

export interface KnownFigure {
  readonly period: string;
  /** Plain decimal text. */
  readonly value: string;
}

/** The first publication of a period that was then the newest. */
export interface Release {
  readonly period: string;
  /** Day of the data's clock. */
  readonly day: string;
}

export interface Streak {
  readonly direction: Direction;
  /** Of the figure from which it moved, and of the last one that went on. */
  readonly first: KnownFigure;
  readonly last: KnownFigure;
  readonly moves: number;
  readonly judged: Judged;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/**
 * Streaks that a publication has made or gone on with: at least one figure at or beyond the threshold was seen
 * to come. `figures` are all that are known of the series, by period; `releases` those that stand.
 */
export function streaksOf(figures: readonly KnownFigure[], releases: readonly Release[]): Streak[] {
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
      const asked = askedOf(past.kept, past.pairs);
      const run = figures.slice(start, end + 2);
      const days = run.map(({ period }) => dayOf.get(period));
      const firstSeen = days.slice(asked).find((day) => day !== undefined);
      const [first, last] = [run[0], run.at(-1)];
      if (length >= asked && firstSeen !== undefined && first !== undefined && last !== undefined) {
        const open = end === moves.length - 1;
        const seen = days.filter((day) => day !== undefined).sort();
        streaks.push({
          direction,
          first,
          last,
          moves: length,
          judged: !open ? 'closed' : length === asked ? 'emerging' : 'active',
          firstSeen,
          lastSeen: seen.at(-1) ?? firstSeen,
        });
      }
    }
    start = end + 1;
  }
  return streaks;
}

/** The least number of moves in a row that a past with so many kept directions makes unlikely enough. */
export function askedOf(kept: number, pairs: number): number {
  const chance = (kept + 1) / (pairs + 2);
  let asked = SHORTEST_STREAK;
  while (chance ** asked > CHANCE && asked < LONGEST_ASKED) asked += 1;
  return asked;
}

/** Between each figure and the next period's: a direction; `null` where nothing moved or a period is missing. */
function movesOf(figures: readonly KnownFigure[]): (Direction | null)[] {
  return figures.slice(1).map((figure, index) => {
    const before = figures[index];
    if (before === undefined || nextPeriod(before.period) !== figure.period) return null;
    return directionOf(before.value, figure.value);
  });
}

/** Pairs of neighbouring moves before `start`, and those of one direction; each is counted once a series. */
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
