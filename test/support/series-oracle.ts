import Big from 'big.js';

// Divisions keep far more digits than the twelve that are compared.
Big.DP = 80;
/** Rounded as the service rounds what it computes. */
export const twelve = (value: Big): number => Number(value.prec(12, Big.roundHalfEven).toString());

/** A figure of the oracle: with all digits, or missing. */
export interface Cell {
  readonly period: string;
  readonly value: Big | null;
}

// The calculations again, by another way: maps of periods and decimals of 80 digits.
const yearOf = (period: string): number => Number(period.slice(0, 4));
const withYear = (period: string, year: number): string => `${String(year)}${period.slice(4)}`;
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
export const isDay = (period: string): boolean => period.length === 10;

function before(cells: readonly Cell[], at: number): Cell | undefined {
  const cell = cells[at];
  if (cell === undefined) return undefined;
  return isDay(cell.period) ? cells[at - 1] : cells.find(({ period }) => period === priorOf(cell.period));
}

function priorOf(period: string): string {
  if (period.length === 4) return String(yearOf(period) - 1);
  if (period.includes('Q')) {
    const quarter = Number(period.slice(-1));
    return quarter === 1 ? `${String(yearOf(period) - 1)}-Q4` : `${period.slice(0, 6)}${String(quarter - 1)}`;
  }
  const month = Number(period.slice(5, 7));
  return month === 1
    ? `${String(yearOf(period) - 1)}-12`
    : `${period.slice(0, 5)}${String(month - 1).padStart(2, '0')}`;
}

function yearBefore(cells: readonly Cell[], { period }: Cell): Cell | undefined {
  const earlier = withYear(period, yearOf(period) - 1);
  if (!isDay(period)) return cells.find((one) => one.period === earlier);
  let day = earlier.endsWith('02-29') ? `${earlier.slice(0, 8)}28` : earlier;
  for (let steps = 0; steps <= 7; steps += 1, day = dayBefore(day)) {
    const found = cells.find((one) => one.period === day);
    if (found !== undefined) return found;
  }
  return undefined;
}

const bucketOf = (period: string, frequency: string): string =>
  frequency === 'A'
    ? period.slice(0, 4)
    : frequency === 'M'
      ? period.slice(0, 7)
      : `${period.slice(0, 4)}-Q${String(Math.ceil(Number(period.slice(5, 7)) / 3))}`;

export function bucketed(cells: readonly Cell[], frequency: string, method: string): Cell[] {
  const buckets = new Map<string, Big[]>();
  for (const { period, value } of cells) {
    const bucket = buckets.get(bucketOf(period, frequency)) ?? [];
    buckets.set(bucketOf(period, frequency), value === null ? bucket : [...bucket, value]);
  }
  return [...buckets].map(([period, values]) => ({
    period,
    value: values.length === 0 ? null : reduced(values, method),
  }));
}

function reduced(values: readonly Big[], method: string): Big {
  const sorted = [...values].sort((a, b) => a.cmp(b));
  const last = values.at(-1) ?? new Big(0);
  if (method === 'high') return sorted.at(-1) ?? last;
  if (method === 'low') return sorted[0] ?? last;
  return method === 'last' ? last : values.reduce((sum, one) => sum.plus(one), new Big(0)).div(values.length);
}

export function compared(cells: readonly Cell[], transform: string, isRate: boolean): Cell[] {
  return cells.map((cell, at) => {
    const base = transform === 'yoy' ? yearBefore(cells, cell) : before(cells, at);
    const { period, value } = cell;
    if (value === null || base?.value == null) return { period, value: null };
    if (isRate || transform === 'change') return { period, value: value.minus(base.value) };
    if (base.value.lte(0) || value.lt(0)) return { period, value: null };
    return { period, value: value.minus(base.value).times(100).div(base.value) };
  });
}

/** Days of the period's end, so that bounds of any frequency compare. */
export const endOf = (period: string): string => {
  if (isDay(period)) return period;
  const year = period.slice(0, 4);
  if (period.length === 4) return `${year}-12-31`;
  const month = period.includes('Q') ? Number(period.slice(-1)) * 3 : Number(period.slice(5, 7));
  return new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
};

export function expectedStatistics(cells: readonly Cell[], printed: (value: Big) => number) {
  const valued = cells.flatMap(({ period, value }, at) => (value === null ? [] : [{ period, value, at }]));
  const steps = valued.slice(1).flatMap((cell, index) => {
    const from = valued[index];
    const isNext = from !== undefined && (isDay(cell.period) || from.at === cell.at - 1);
    return isNext ? [cell.value.minus(from.value)] : [];
  });
  const sorted = [...valued].sort((a, b) => a.value.cmp(b.value) || (a.at < b.at ? -1 : 1));
  const [low, high] = [sorted[0], sorted.findLast((one) => one.value.eq(sorted.at(-1)?.value ?? 0))];
  const highest = valued.find(({ value }) => value.eq(high?.value ?? 0));
  const ordered = [...steps].sort((a, b) => a.cmp(b));
  const [fall, rise] = [ordered[0], ordered.at(-1)];
  const mean = valued.reduce((sum, { value }) => sum.plus(value), new Big(0)).div(Math.max(valued.length, 1));
  return {
    figures: valued.length,
    low: low && [low.period, printed(low.value)],
    high: highest && [highest.period, printed(highest.value)],
    mean: twelve(mean),
    rise: rise?.gt(0) === true ? twelve(rise) : null,
    fall: fall?.lt(0) === true ? twelve(fall) : null,
  };
}

export function quotients(cells: readonly Cell[], divisors: readonly Cell[]): Cell[] {
  const by = new Map(divisors.map(({ period, value }) => [period, value]));
  return cells.flatMap(({ period, value }) => {
    const divisor = by.get(period);
    return divisor === undefined ? [] : [{ period, value: value && divisor ? value.div(divisor) : null }];
  });
}
