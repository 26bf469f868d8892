// The same turn in many economies in one period: after a move one way, a move the other way.
import { directionOf, type Direction, type Judged } from './signal.js';

/** Economies that must have turned. */
export const TURNED = 5;
/** Their share of all that have published the period. */
export const TURNED_SHARE = 0.4;
/** How many times as many as those that turned the other way. */
export const TURNED_TIMES = 3;

/** An economy that has published the period, with its figures as known now. */
export interface Economy {
  readonly region: string;
  /** Day of the data's clock on which the period was first published. */
  readonly day: string;
  /** Of the two periods before, and of the period; `null`: not known. */
  readonly earlier: string | null;
  readonly previous: string | null;
  readonly actual: string | null;
  /** Whether its figure of the next period is known. */
  readonly followed: boolean;
}

export interface Turn<T extends Economy> {
  readonly direction: Direction;
  readonly turned: readonly T[];
  /** All that have published the period, with the two before. */
  readonly published: number;
  readonly judged: Judged;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** @param expected economies with a figure of the period before, whether or not the period itself has come. */
export function turnOf<T extends Economy>(economies: readonly T[], expected: number): Turn<T> | null {
  const judgedOnes = economies
    .filter(({ earlier, previous, actual }) => earlier !== null && previous !== null && actual !== null)
    .map((economy) => ({ economy, turn: turnDirection(economy) }))
    .sort((a, b) => compare(a.economy.day, b.economy.day) || compare(a.economy.region, b.economy.region));
  const count = { up: 0, down: 0 };
  const firstSeen: Partial<Record<Direction, string>> = {};
  for (const [index, { economy, turn }] of judgedOnes.entries()) {
    if (turn !== null) count[turn] += 1;
    // A day's publications count together.
    if (judgedOnes[index + 1]?.economy.day === economy.day) continue;
    for (const direction of ['up', 'down'] as const) {
      if (isTurn(count, direction, index + 1)) firstSeen[direction] ??= economy.day;
    }
  }
  const direction = (['up', 'down'] as const).find((one) => isTurn(count, one, judgedOnes.length));
  const seen = direction === undefined ? undefined : firstSeen[direction];
  if (direction === undefined || seen === undefined) return null;
  const turned = judgedOnes.filter(({ turn }) => turn === direction).map(({ economy }) => economy);
  const followed = turned.filter((economy) => economy.followed).length;
  return {
    direction,
    turned,
    published: judgedOnes.length,
    judged:
      followed * 2 >= turned.length ? 'closed' : judgedOnes.length * 2 < expected ? 'emerging' : 'active',
    firstSeen: seen,
    lastSeen: turned.reduce((latest, { day }) => (day > latest ? day : latest), seen),
  };
}

function isTurn(
  count: Readonly<Record<Direction, number>>,
  direction: Direction,
  published: number,
): boolean {
  const turned = count[direction];
  const back = count[direction === 'up' ? 'down' : 'up'];
  return turned >= TURNED && turned >= TURNED_SHARE * published && turned >= TURNED_TIMES * back;
}

function turnDirection({ earlier, previous, actual }: Economy): Direction | null {
  if (earlier === null || previous === null || actual === null) return null;
  const before = directionOf(earlier, previous);
  const now = directionOf(previous, actual);
  return before === null || now === null || before === now ? null : now;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
