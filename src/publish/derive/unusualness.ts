// How unusual the newest figure of a series is against the series' own past: docs/explanation/importance.md.
import { frequencyOf, previousPeriod, type Frequency } from '../../domain/figures/periods.js';

/** How many earlier changes the newest one is compared with, at most and at least. */
const CHANGES = 20;
const FEWEST = 5;
/** The score grows no further beyond this number of robust standard deviations. */
const LARGEST_DISTANCE = 5;
/** Above this autocorrelation, the last change foretells the next: only the change of the change is news. */
const SMOOTH = 0.9;
/** Makes the median absolute deviation of normal values equal to their standard deviation. */
const NORMAL = 1.4826;
/** Of most series a year ago is the comparison: it holds the same season. */
const PERIODS_A_YEAR: Readonly<Record<Frequency, number>> = { A: 1, H: 2, Q: 4, M: 12, W: 52, D: 1 };

/** A period and its value, as known on one day. */
export interface KnownValue {
  readonly period: string;
  readonly value: number;
}

/**
 * 0..1 for the last value: its robust distance from the ordinary change. One half if the past is too short.
 * @param values by period, oldest first
 * @param level whether percent changes from a year ago describe the series, as they do GDP; a ratio changes by points
 */
export function unusualnessOf(values: readonly KnownValue[], level: boolean): number {
  const changes = changesOf(values, level);
  const newest = changes.at(-1);
  if (newest === undefined || newest.period !== values.at(-1)?.period) return 0.5;
  if (crossesZero(values)) return 1;
  const earlier = changes.slice(-CHANGES - 1, -1).map(({ value }) => value);
  if (earlier.length < FEWEST) return 0.5;
  if (autocorrelationOf(earlier) <= SMOOTH) return distanceOf(newest.value, earlier);
  const steps = stepsOf(earlier);
  return distanceOf(newest.value - (earlier.at(-1) ?? newest.value), steps);
}

/** Whether the series has never had another value, as the exchange rate of a currency with itself. */
export const isConstant = (values: readonly KnownValue[]): boolean =>
  values.length > FEWEST && values.every(({ value }) => value === values[0]?.value);

/** A surplus that becomes a deficit, or growth that becomes a decline. */
function crossesZero(values: readonly KnownValue[]): boolean {
  const [before, newest] = values.slice(-2);
  return before !== undefined && newest !== undefined && before.value * newest.value < 0;
}

/** Percent from a year ago if every value is above zero, else the difference from the period before. */
function changesOf(values: readonly KnownValue[], level: boolean): KnownValue[] {
  const known = new Map(values.map(({ period, value }) => [period, value]));
  const share = level && values.every(({ value }) => value > 0);
  return values.slice(-2 * CHANGES).flatMap(({ period, value }) => {
    const before = known.get(share ? aYearBefore(period) : previousPeriod(period));
    if (before === undefined) return [];
    return [{ period, value: share ? (100 * (value - before)) / before : value - before }];
  });
}

function aYearBefore(period: string): string {
  let before = period;
  for (let count = PERIODS_A_YEAR[frequencyOf(period)]; count > 0; count -= 1) before = previousPeriod(before);
  return before;
}

function distanceOf(value: number, earlier: readonly number[]): number {
  const middle = medianOf(earlier);
  const away = Math.abs(value - middle);
  if (away === 0) return 0;
  const deviation = NORMAL * medianOf(earlier.map((other) => Math.abs(other - middle)));
  return Math.min(1, away / (LARGEST_DISTANCE * deviation));
}

/** The correlation of each value with the next one: 1 for a trend. 0 where nothing varies. */
function autocorrelationOf(values: readonly number[]): number {
  const [before, after] = [aroundMean(values.slice(0, -1)), aroundMean(values.slice(1))];
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const scale = Math.sqrt(product(before, before) * product(after, after));
  return scale === 0 ? 0 : product(before, after) / scale;
}

function aroundMean(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

const stepsOf = (values: readonly number[]): number[] =>
  values.slice(1).map((value, index) => value - (values[index] ?? value));

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
