// What stands out about the newest figure of a series among its own earlier ones: docs/explanation/context.md.
import { difference, isAbove, meanOf, percentChange, unsigned } from '../../domain/figures/decimal.js';
import {
  daysSince,
  frequencyOf,
  lastDayOf,
  previousPeriod,
  type Frequency,
  yearBeforeOf,
} from '../../domain/figures/periods.js';
import { isExchangeRate, unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { isBalance, type Wording } from '../../domain/figures/wording.js';

/** A superlative holds for at least so many years, since a month of an index for one, and a run is at least so long. */
const FEWEST_YEARS = 5;
const FEWEST_YEARS_OF_AN_INDEX = 1;
const SHORTEST_RUN = 4;
/** A longer run is a trend, whose next step is no news. */
const LONGEST_RUN = 12;
const MEAN_PERIODS: Readonly<Partial<Record<Frequency, number>>> = { A: 10, H: 20, Q: 40, M: 120 };
/** A figure nearer to the mean than this share of the usual distance has none. */
const SHARE_OF_USUAL = 0.2;
const DAYS_A_YEAR = 365.25;

/** A period and its figure, as known on one day; plain decimal text. */
export interface DatedValue {
  readonly period: string;
  readonly value: string;
}

/** What a context compares: the figure, a side of a balance, the change on the year, the step, or a currency. */
export type Compared = 'level' | 'amount' | 'year' | 'step' | 'exchange';

/**
 * The strongest statement that is true: nothing in all figures, or since a period, was as high or as low; a run of steps in one
 * direction; the mean of the ten years before; of a market move, the opposite one before it, or the high or low of the year before.
 */
export interface FigureContext {
  readonly kind: 'record' | 'since' | 'streak' | 'mean' | 'swing' | 'distance';
  /** Null for a run and a mean. */
  readonly of: Compared | null;
  readonly side: 'high' | 'low' | null;
  /** The earliest period that the statement rests on: the one as high or as low, the first of all figures, of the run or of the mean. */
  readonly since: string;
  /** The highest or lowest earlier figure, or step in percent; the number of steps of a run; the mean. Plain decimal text. */
  readonly value: string;
}

/** @param values up to the period of the newest one, oldest first */
export function contextOf(
  values: readonly DatedValue[],
  { unit, wording }: { readonly unit: UnitCode; readonly wording: Wording },
): FigureContext | null {
  // One month that was never published hides no rate of a year.
  const whole = withoutGap(values, unitNamed(unit).dimension === 'index' ? 1 : 0);
  const found = strongestOf(whole, { unit, wording });
  // Figures before the gap may have been higher.
  return found?.kind === 'record' && whole.length < values.length ? null : found;
}

function strongestOf(
  whole: readonly DatedValue[],
  { unit, wording }: { readonly unit: UnitCode; readonly wording: Wording },
): FigureContext | null {
  const { dimension } = unitNamed(unit);
  if (dimension === 'index') return superlativeOf(onTheYear(whole), 'year');
  if (isExchangeRate(unit)) return superlativeOf(whole, 'exchange');
  const streak = streakOf(whole, wording);
  if (isBalance(wording)) return balanceOf(whole);
  if (dimension === 'money' || dimension === 'count') return amountOf(whole, streak);
  return superlativeOf(whole, 'level') ?? streak ?? (dimension === 'ratio' ? meanBefore(whole) : null);
}

/** The figures after the last gap of more missing periods: nothing is compared across one. */
function withoutGap(values: readonly DatedValue[], missing: number): readonly DatedValue[] {
  const follows = (before: string | undefined, period: string, most: number): boolean =>
    before === previousPeriod(period) || (most > 0 && follows(before, previousPeriod(period), most - 1));
  const gap = values.findLastIndex(({ period }, at) => at > 0 && !follows(values[at - 1]?.period, period, missing));
  return gap < 0 ? values : values.slice(gap);
}

function superlativeOf(values: readonly DatedValue[], of: Compared): FigureContext | null {
  const newest = values.at(-1);
  if (newest === undefined) return null;
  const found = (['high', 'low'] as const).flatMap((side) => {
    const since = sinceOf(values, side, of === 'year' ? FEWEST_YEARS_OF_AN_INDEX : FEWEST_YEARS);
    return since === null ? [] : [{ ...since, of, side }];
  });
  return found.sort((a, b) => (a.since < b.since ? -1 : 1))[0] ?? null;
}

/** The newest earlier figure that is as high or as low, or the first of all; null below so many years, or five for the first. */
function sinceOf(
  values: readonly DatedValue[],
  side: 'high' | 'low',
  fewestYears = FEWEST_YEARS,
): Pick<FigureContext, 'kind' | 'since' | 'value'> | null {
  const [newest, first] = [values.at(-1), values[0]];
  if (newest === undefined || first === undefined) return null;
  const beats = (a: string, b: string): boolean => (side === 'high' ? isAbove(a, b) : isAbove(b, a));
  const earlier = values.slice(0, -1);
  const rival = earlier.findLast(({ value }) => !beats(newest.value, value));
  const since = rival ?? first;
  if (yearsBetween(since.period, newest.period) < (rival === undefined ? FEWEST_YEARS : fewestYears)) return null;
  if (rival !== undefined) return { kind: 'since', since: rival.period, value: rival.value };
  // A series whose figure before was a record too has a trend.
  const before = earlier.at(-1);
  const trend = before !== undefined && earlier.slice(0, -1).every(({ value }) => beats(before.value, value));
  const extreme = earlier.reduce((most, one) => (beats(one.value, most.value) ? one : most), first);
  return trend ? null : { kind: 'record', since: since.period, value: extreme.value };
}

const yearsBetween = (from: string, to: string): number =>
  Number((daysSince(lastDayOf(from), lastDayOf(to)) / DAYS_A_YEAR).toFixed(1));

/** A deficit is the largest, or the smallest, of its side only. */
function balanceOf(values: readonly DatedValue[]): FigureContext | null {
  const newest = values.at(-1);
  if (newest === undefined) return null;
  const below = newest.value.startsWith('-');
  const sized = values.map(({ period, value }) => ({
    period,
    value: value.startsWith('-') === below ? unsigned(value) : `-${unsigned(value)}`,
  }));
  const found = superlativeOf(sized, 'amount');
  if (found?.side !== 'low') return found;
  const reached = sized.find(({ period }) => period === found.since);
  return found.kind === 'record' || reached?.value.startsWith('-') === true ? null : found;
}

/** The change on the year of each month that has one. */
const onTheYear = (values: readonly DatedValue[]): DatedValue[] => {
  const known = new Map(values.map(({ period, value }) => [period, value]));
  return values.flatMap(({ period, value }) => {
    const before = known.get(yearBeforeOf(period) ?? '');
    const change = before === undefined ? null : percentChange(before, value);
    return change === null ? [] : [{ period, value: change }];
  });
};

/** The step in percent among those of its direction; a run of falls, because most amounts rise in most years; the mean step. */
function amountOf(values: readonly DatedValue[], streak: FigureContext | null): FigureContext | null {
  const steps = values.slice(1).flatMap(({ period, value }, at) => {
    const percent = percentChange(values[at]?.value ?? value, value);
    return percent === null ? [] : [{ period, value: percent }];
  });
  const newest = steps.at(-1);
  if (newest === undefined || steps.length < values.length - 1 || Number(newest.value) === 0) return null;
  const falls = newest.value.startsWith('-');
  const sized = falls ? steps.map(({ period, value }) => ({ period, value: negated(value) })) : steps;
  const since = sinceOf(sized, 'high');
  if (since !== null) return { ...since, of: 'step', side: 'high' };
  if (falls && streak !== null) return streak;
  const mean = frequencyOf(newest.period) === 'A' ? meanBefore(steps) : null;
  return mean && { ...mean, of: 'step' };
}

const negated = (value: string): string => (value.startsWith('-') ? value.slice(1) : `-${value}`);

/** Steps in one direction, on one side of zero, up to the newest figure. */
function streakOf(values: readonly DatedValue[], { sides }: Wording): FigureContext | null {
  const ways = values.slice(1).map(({ value }, at) => Math.sign(Number(difference(value, values[at]?.value ?? value))));
  const way = ways.at(-1);
  const other = ways.findLastIndex((one) => one !== way);
  const steps = ways.length - 1 - other;
  const run = values.slice(-steps - 1);
  const crosses = sides !== null && run.some(({ value }) => value.startsWith('-'));
  if (way === undefined || way === 0 || crosses || steps < SHORTEST_RUN || steps > LONGEST_RUN) return null;
  return { kind: 'streak', of: null, side: null, since: run[0]?.period ?? '', value: String(steps) };
}

function meanBefore(values: readonly DatedValue[]): FigureContext | null {
  const newest = values.at(-1);
  const periods = newest === undefined ? undefined : MEAN_PERIODS[frequencyOf(newest.period)];
  const before = values.slice(0, -1).slice(-(periods ?? 0));
  const [first] = before;
  if (newest === undefined || periods === undefined || first === undefined || before.length < periods) return null;
  const value = meanOf(before.map((one) => one.value));
  const distanceOf = (one: DatedValue): number => Math.abs(Number(one.value) - Number(value));
  const usual = before.reduce((sum, one) => sum + distanceOf(one), 0) / before.length;
  // What lies where it usually does is no news.
  if (distanceOf(newest) < SHARE_OF_USUAL * usual) return null;
  return { kind: 'mean', of: null, side: null, since: first.period, value };
}
