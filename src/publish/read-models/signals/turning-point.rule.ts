// Detects turning points: many economies move one way, then the other way in the same period.
import { directionOf, type Direction, type SignalStage } from './signal.js';

/** Minimum number of economies that turned. */
export const TURNED = 5;
/** Minimum share of all economies that have published the period. */
export const TURNED_SHARE = 0.4;
/** Minimum ratio to the economies that turned the other way. */
export const TURNED_TIMES = 3;

/** An economy that has published the period, with its figures as known now. */
export interface Economy {
  readonly region: string;
  /** Day of the data's clock on which the period was first published. */
  readonly day: string;
  /** Figures of the two periods before and of the period; `null`: not known. */
  readonly earlier: string | null;
  readonly previous: string | null;
  readonly actual: string | null;
  /** Whether its figure of the next period is known. */
  readonly followed: boolean;
}

export interface TurningPoint<T extends Economy> {
  readonly direction: Direction;
  readonly turned: readonly T[];
  /** Economies that have published this period and the two before. */
  readonly published: number;
  readonly stage: SignalStage;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** @param expected economies with a figure of the period before */
export function turningPointOf<T extends Economy>(economies: readonly T[], expected: number): TurningPoint<T> | null {
  const evaluated = economies
    .filter(({ earlier, previous, actual }) => earlier !== null && previous !== null && actual !== null)
    .map((economy) => ({ economy, turn: turnDirection(economy) }))
    .sort((a, b) => compare(a.economy.day, b.economy.day) || compare(a.economy.region, b.economy.region));
  const count = { up: 0, down: 0 };
  const firstSeen: Partial<Record<Direction, string>> = {};
  for (const [index, { economy, turn }] of evaluated.entries()) {
    if (turn !== null) count[turn] += 1;
    // Publications of one day count together.
    if (evaluated[index + 1]?.economy.day === economy.day) continue;
    for (const direction of ['up', 'down'] as const) {
      if (isTurn(count, direction, index + 1)) firstSeen[direction] ??= economy.day;
    }
  }
  const direction = (['up', 'down'] as const).find((one) => isTurn(count, one, evaluated.length));
  const seen = direction === undefined ? undefined : firstSeen[direction];
  if (direction === undefined || seen === undefined) return null;
  const turned = evaluated.filter(({ turn }) => turn === direction).map(({ economy }) => economy);
  const followed = turned.filter((economy) => economy.followed).length;
  return {
    direction,
    turned,
    published: evaluated.length,
    stage: followed * 2 >= turned.length ? 'closed' : evaluated.length * 2 < expected ? 'emerging' : 'active',
    firstSeen: seen,
    lastSeen: turned.reduce((latest, { day }) => (day > latest ? day : latest), seen),
  };
}

function isTurn(count: Readonly<Record<Direction, number>>, direction: Direction, published: number): boolean {
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
