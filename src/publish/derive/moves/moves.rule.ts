// Derives moves: steps of a price or rate beyond its own normal. docs/explanation/moves.md has the formulas.
import { lastDayOf } from '../../../domain/figures/periods.js';
import { decimalsOf } from '../../../domain/figures/decimal.js';

/** A move is at least this multiple of the ordinary step. */
export const FACTOR = 5;
/** And at least this many standard deviations of the recent steps. */
export const RECENT_DEVIATIONS = 2;
/** How many earlier steps the ordinary one is computed from, at most and at least. */
export const WINDOW = 250;
export const FEWEST = 60;
/** The share that the variance keeps from one step to the next: RiskMetrics' value for daily figures. */
const DECAY = 0.94;
/** Smaller steps are no moves: percent for relative changes, percentage points for rates. */
export const FLOOR = { share: 0.5, rate: 0.1 } as const;
/**
 * The first import of an instrument derives moves of this many days: three years, which people still ask about. Each
 * older day would have a brief of nothing but its moves.
 */
export const BASELINE_DAYS = 3 * 365;
/** A pause longer than holidays: the step across it is not one from day to day. */
const LONGEST_PAUSE = { D: 10, W: 14, M: 31 } as const;
export type PriceFrequency = keyof typeof LONGEST_PAUSE;

const MILLISECONDS_A_DAY = 86_400_000;

export interface Price {
  readonly period: string;
  /** Plain decimal text. */
  readonly value: string;
  /** The vintage day from which this value is known. */
  readonly knownSince: string;
  /** The value as a number, and the last day of the period as a day number: computed once. */
  readonly number: number;
  readonly day: number;
}

export function priceOf(period: string, value: string, knownSince: string): Price {
  const day = Date.parse(lastDayOf(period)) / MILLISECONDS_A_DAY;
  return { period, value, knownSince, number: Number(value), day };
}

/**
 * How a step is measured: in percent of the previous figure; as a difference in a price, if one in the window is not
 * above zero; as a difference in percentage points.
 */
export type Measure = 'share' | 'amount' | 'rate';

export interface Move {
  readonly actual: Price;
  readonly previous: Price;
  readonly measure: Measure;
  /** In percent for `share`, else in the unit. */
  readonly step: number;
  /** The median size of the steps before. */
  readonly ordinary: number;
  /** The number of steps in that median. */
  readonly count: number;
  /** Size over ordinary size; at least `FACTOR`. */
  readonly ratio: number;
}

/**
 * The move at `index`, or null.
 * @param prices known on one day, oldest first, of one frequency; those after `index` are ignored
 */
export function deriveMove(
  prices: readonly Price[],
  index: number,
  kind: 'rate' | 'price',
  frequency: PriceFrequency,
): Move | null {
  const [previous, actual] = [prices[index - 1], prices[index]];
  if (previous === undefined || actual === undefined || !adjoin(previous, actual, frequency)) return null;
  const window = prices.slice(Math.max(index - 1 - WINDOW, 0), index);
  const positive = [...window, actual].every(({ number }) => number > 0);
  const measure: Measure = kind === 'rate' ? 'rate' : positive ? 'share' : 'amount';
  const step = stepOf(previous, actual, measure);
  const floor = measure === 'amount' ? 0 : FLOOR[measure];
  // Most steps end here, before the expensive part.
  if (Math.abs(step) < floor) return null;
  const sizes = sizesIn(window, measure, frequency);
  if (sizes.length < FEWEST) return null;
  const ordinary = medianOf(sizes);
  // If most steps are zero, the smallest printable step is the ordinary one.
  const ratio = settled(Math.abs(step) / Math.max(ordinary, tickOf(actual, previous, measure)));
  if (ratio < FACTOR || Math.abs(step) < RECENT_DEVIATIONS * recentDeviationOf(sizes)) return null;
  return { actual, previous, measure, step, ordinary, count: sizes.length, ratio };
}

/** Whether a pegged currency only moved with the one to which it is pegged. */
export function isOfAnchor({ actual, previous, step }: Move, anchor: readonly Price[]): boolean {
  const [from, to] = [previous, actual].map((one) => anchor.find(({ period }) => period === one.period));
  return from !== undefined && to !== undefined && Math.abs(step - stepOf(from, to, 'share')) < FLOOR.share;
}

/** 0..100, by the distance from the threshold and by how much people watch the instrument (0..100). */
export function importanceOfMove({ ratio }: Pick<Move, 'ratio'>, attention: number): number {
  return Math.round(30 + (attention / 100) * (25 + 45 * (1 - FACTOR / ratio)));
}

export const adjoin = (before: Price, price: Price, frequency: PriceFrequency): boolean =>
  price.day - before.day <= LONGEST_PAUSE[frequency];

export function stepOf(before: Price, price: Price, measure: Measure): number {
  const step = price.number - before.number;
  return settled(measure === 'share' ? (step / before.number) * 100 : step);
}

/**
 * Prices have at most six decimals. Nine settle what binary fractions leave open, so that a step of exactly the threshold
 * or of exactly the size of another one counts: 4.15 - 4.05 is 0.1.
 */
const settled = (value: number): number => Math.round(value * 1e9) / 1e9;

/** Sizes of the steps from one price of the window to the next, pauses left out. */
function sizesIn(window: readonly Price[], measure: Measure, frequency: PriceFrequency): Float64Array {
  const sizes = new Float64Array(window.length);
  let count = 0;
  let before: Price | undefined;
  for (const price of window) {
    if (before !== undefined && adjoin(before, price, frequency)) {
      sizes[count++] = Math.abs(stepOf(before, price, measure));
    }
    before = price;
  }
  return sizes.subarray(0, count);
}

/** One unit of the last printed decimal, measured as the step is. */
function tickOf(actual: Price, previous: Price, measure: Measure): number {
  const tick = 10 ** -Math.max(decimalsOf(actual.value), decimalsOf(previous.value));
  return measure === 'share' ? (tick / previous.number) * 100 : tick;
}

/**
 * The standard deviation of the steps, exponentially weighted: it follows a new regime within weeks, so that the tenth
 * wild day is no longer unusual.
 */
function recentDeviationOf(sizes: Float64Array): number {
  let variance = (sizes[0] ?? 0) ** 2;
  for (const size of sizes.subarray(1)) variance = DECAY * variance + (1 - DECAY) * size * size;
  return Math.sqrt(variance);
}

function medianOf(sizes: Float64Array): number {
  const sorted = sizes.toSorted();
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
