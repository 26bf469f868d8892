// What stands out about a move among the steps and prices before it: docs/explanation/context.md.
import { isAbove } from '../../../domain/figures/decimal.js';
import type { FigureContext } from '../context.rule.js';
import { adjoin, stepOf, type Move, type Price, type PriceFrequency } from './moves.rule.js';

/** A superlative holds for more than a year, and highs and lows are those of one. */
const A_YEAR = 365;
const SHORTEST_RUN = 4;
/** A largest step of fewer is no superlative, and beyond a year it stands before all else. */
const FEWEST_STEPS = 30;
/** An opposite step just before the move is as large as this share of it. */
const SHARE_OF_A_SWING = 0.5;

/**
 * The strongest statement that is true: the largest step in its direction for more than a year; the highest or lowest price for more
 * than a year; an opposite step before it; a run of steps; the largest step for thirty or more; the high or low of the year before.
 * @param known prices known on one day, oldest first; those after the move are ignored
 */
export function moveContextOf(move: Move, known: readonly Price[], frequency: PriceFrequency): FigureContext | null {
  const prices = known.filter(({ period }) => period <= move.actual.period);
  const steps = prices.map((price, at) => {
    const before = prices[at - 1];
    if (before === undefined || !adjoin(before, price, frequency)) return null;
    return move.measure === 'share' && before.number <= 0 ? null : stepOf(before, price, move.measure);
  });
  return (
    largestOf(move, prices, steps) ??
    extremeOf(move, prices) ??
    swingOf(move, steps) ??
    runOf(prices, steps) ??
    largestOfMany(move, prices, steps) ??
    distanceOf(move, prices)
  );
}

type Steps = readonly (number | null)[];

const plain = (value: number): string => String(Number(value.toFixed(6)));
const isYearBefore = ({ day }: Price, { actual }: Move): boolean => actual.day - day > A_YEAR;

function largestOf(move: Move, prices: readonly Price[], steps: Steps): FigureContext | null {
  const sizes = steps.map((step) => (step === null ? 0 : step * Math.sign(move.step)));
  const earlier = sizes.slice(0, -1);
  const at = earlier.findLastIndex((size) => size >= Math.abs(move.step));
  const since = prices[Math.max(at, 0)];
  if (since === undefined || !isYearBefore(since, move)) return null;
  const value = plain(at < 0 ? Math.max(...earlier) : (earlier[at] ?? 0));
  return { kind: at < 0 ? 'record' : 'since', of: 'step', side: 'high', since: since.period, value };
}

function largestOfMany({ step }: Move, prices: readonly Price[], steps: Steps): FigureContext | null {
  const isAsLarge = (one: number | null): boolean => (one ?? 0) * Math.sign(step) >= Math.abs(step);
  const at = steps.slice(0, -FEWEST_STEPS).findLastIndex(isAsLarge);
  const since = prices[at];
  if (since === undefined || steps.slice(at + 1, -1).some(isAsLarge)) return null;
  return {
    kind: 'since',
    of: 'step',
    side: 'high',
    since: since.period,
    value: plain((steps[at] ?? 0) * Math.sign(step)),
  };
}

function extremeOf(move: Move, prices: readonly Price[]): FigureContext | null {
  const side = move.step > 0 ? 'high' : 'low';
  const reaches = (one: Price, other: Price): boolean => !beyond(side, other, one);
  const earlier = prices.slice(0, -1);
  const rival = earlier.findLast((price) => reaches(price, move.actual));
  const since = rival ?? earlier[0];
  if (since === undefined || !isYearBefore(since, move)) return null;
  if (rival !== undefined) return { kind: 'since', of: 'level', side, since: since.period, value: since.value };
  const extreme = furthest(side, earlier);
  // A price that was a record the day before has a trend.
  if (extreme === undefined || extreme.period === move.previous.period) return null;
  return { kind: 'record', of: 'level', side, since: since.period, value: extreme.value };
}

const beyond = (side: 'high' | 'low', one: Price, other: Price): boolean =>
  side === 'high' ? isAbove(one.value, other.value) : isAbove(other.value, one.value);

const furthest = (side: 'high' | 'low', prices: readonly Price[]): Price | undefined =>
  prices.reduce<Price | undefined>(
    (most, price) => (most === undefined || !beyond(side, most, price) ? price : most),
    undefined,
  );

function swingOf({ step, previous }: Move, steps: Steps): FigureContext | null {
  const before = steps.at(-2) ?? null;
  if (before === null || before * step >= 0 || Math.abs(before) < SHARE_OF_A_SWING * Math.abs(step)) return null;
  const side = before > 0 ? 'high' : 'low';
  return { kind: 'swing', of: 'step', side, since: previous.period, value: plain(before) };
}

function runOf(prices: readonly Price[], steps: Steps): FigureContext | null {
  const way = Math.sign(steps.at(-1) ?? 0);
  const other = steps.findLastIndex((step) => step === null || Math.sign(step) !== way);
  const length = steps.length - 1 - other;
  const first = prices[other];
  if (first === undefined || length < SHORTEST_RUN) return null;
  return { kind: 'streak', of: null, side: null, since: first.period, value: String(length) };
}

/** A fall is measured from the high, and a rise from the low, of the 365 days before. */
function distanceOf(move: Move, prices: readonly Price[]): FigureContext | null {
  const side = move.step > 0 ? 'low' : 'high';
  const [oldest] = prices;
  const year = prices.slice(0, -1).filter((price) => !isYearBefore(price, move));
  const mark = furthest(side, year);
  if (oldest === undefined || !isYearBefore(oldest, move) || mark === undefined) return null;
  if (move.measure === 'amount' || mark.number <= 0) return null;
  return { kind: 'distance', of: 'level', side, since: mark.period, value: mark.value };
}
