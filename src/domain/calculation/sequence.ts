// Calculations on figures of consecutive periods. Nothing is computed across a missing period: the result is missing too,
// with the reason of the first input that is, or `not_defined` if only the figure to compare with is.
import { MISSING_REASONS } from '../figures/figure.schema.js';
import {
  frequencyOf,
  isPeriod,
  lastDayOf,
  firstDayOf,
  periodOn,
  periodsBetween,
  previousPeriod,
  shiftedDay,
  type Frequency,
} from '../figures/periods.js';
import { Fraction } from './fraction.js';
import { grouped } from '../grouped.js';

/** `not_defined`: the operation has no result: a percentage of zero, or a comparison with a figure that is missing. */
export const COMPUTED_MISSING = [...MISSING_REASONS, 'not_defined'] as const;
export type ComputedMissing = (typeof COMPUTED_MISSING)[number];

/** A figure of one period, stored or computed. */
export interface Term {
  readonly period: string;
  readonly value: Fraction | null;
  /** As its source printed it; null for a computed value. */
  readonly printed: string | null;
  /** Why there is no value. */
  readonly missing: ComputedMissing | null;
  /** The latest day of a vintage among the figures that it is made of. */
  readonly knownSince: string | null;
  /** The period that it is compared with. */
  readonly base: string | null;
  /** Whether all figures of the period are in it. */
  readonly complete: boolean;
}

/** Oldest first. Days without a figure are left out; of other frequencies every period is there. */
export type Sequence = readonly Term[];

export const OPERATIONS = ['minus', 'per', 'times'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const AGGREGATES = ['mean', 'high', 'low', 'last'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const TRANSFORMS = ['yoy', 'pop', 'change', 'index', 'compound'] as const;
export type Transform = (typeof TRANSFORMS)[number];
type Comparison = Exclude<Transform, 'compound'>;

export interface StoredFigure {
  readonly period: string;
  readonly value: string;
  readonly knownSince: string;
  readonly withdrawn: boolean;
}

export const HUNDRED = Fraction.of('100');
/** A price of the same day a year before may be up to so many days older, for weekends and holidays. */
const MOST_DAYS_OLDER = 7;

const absent = (period: string, missing: ComputedMissing, base: string | null = null): Term => ({
  period,
  value: null,
  printed: null,
  missing,
  knownSince: null,
  base,
  complete: true,
});

/** @param figures of one series, oldest first, one for each period */
export function sequenceOf(figures: readonly StoredFigure[]): Sequence {
  const terms = figures.map(({ period, value, knownSince, withdrawn }): Term =>
    withdrawn
      ? absent(period, 'withdrawn_by_source')
      : { period, printed: value, missing: null, knownSince, base: null, complete: true, value: Fraction.of(value) },
  );
  const [first] = terms;
  if (first === undefined || isDaily(terms)) return terms.filter(({ value }) => value !== null);
  const known = new Map(terms.map((term) => [term.period, term]));
  return periodsBetween(first.period, terms.at(-1)?.period ?? first.period).map(
    (period) => known.get(period) ?? absent(period, 'not_published'),
  );
}

export const isDaily = ([first]: Sequence): boolean => first !== undefined && frequencyOf(first.period) === 'D';

/** Whether nothing lies between two terms: of days, that no other has a figure. */
export const isNext = (before: Term, term: Term): boolean =>
  frequencyOf(term.period) === 'D' || previousPeriod(term.period) === before.period;

/** The periods of both, each computed from the two figures. */
export function combined(left: Sequence, operation: Operation, right: Sequence): Sequence {
  const others = new Map(right.map((term) => [term.period, term]));
  return left.flatMap((term) => {
    const other = others.get(term.period);
    return other === undefined ? [] : [computed([term, other], term.period, null, BINARY[operation])];
  });
}

type Compute = (values: readonly Fraction[]) => Fraction | null;

const BINARY: Readonly<Record<Operation, Compute>> = {
  minus: ([a, b]) => (a && b ? a.minus(b) : null),
  per: ([a, b]) => (a && b && !b.isZero ? a.over(b) : null),
  times: ([a, b]) => (a && b ? a.times(b) : null),
};

/** What currency one buys of the other where the leg prices the other way round. */
export const inverse = (leg: Sequence): Sequence =>
  leg.map((term) =>
    computed([term], term.period, null, ([rate]) =>
      rate === undefined || rate.isZero ? null : Fraction.of('1').over(rate),
    ),
  );

export function computed(terms: readonly Term[], period: string, base: string | null, compute: Compute): Term {
  const lacking = terms.find(({ value }) => value === null);
  if (lacking !== undefined) return absent(period, lacking.missing ?? 'not_defined', base);
  const value = compute(terms.flatMap((term) => term.value ?? []));
  if (value === null) return absent(period, 'not_defined', base);
  const days = terms.flatMap(({ knownSince }) => knownSince ?? []).sort();
  const complete = terms.every((term) => term.complete);
  // The highest, lowest and last of a period are figures as printed.
  const printed = terms.find((term) => term.value === value)?.printed ?? null;
  return { period, value, printed, missing: null, base, complete, knownSince: days.at(-1) ?? null };
}

/** One figure for each period of a longer frequency, from those of its figures that are there. */
export function aggregated(terms: Sequence, frequency: Frequency, aggregate: Aggregate): Sequence {
  const groups = grouped(terms, ({ period }) => periodOn(lastDayOf(period), frequency));
  const newest = terms.at(-1)?.period ?? '';
  return [...groups].map(([period, group]) => {
    const known = group.filter(({ value }) => value !== null);
    if (known.length === 0) return absent(period, group[0].missing ?? 'not_published');
    const made = computed(known, period, null, (values) => AGGREGATED[aggregate](values));
    const isFull = aggregate === 'last' ? known.at(-1) === group.at(-1) : isWhole(period, group, known);
    return { ...made, complete: made.complete && hasEnded(period, group, newest) && isFull };
  });
}

const AGGREGATED: Readonly<Record<Aggregate, Compute>> = {
  mean: (values) => Fraction.sum(values).over(Fraction.of(String(values.length))),
  high: (values) => values.reduce((high, value) => (value.compare(high) > 0 ? value : high)),
  low: (values) => values.reduce((low, value) => (value.compare(low) < 0 ? value : low)),
  last: (values) => values.at(-1) ?? null,
};

/** Of days, a later one is known. */
function hasEnded(period: string, group: readonly Term[], newest: string): boolean {
  const last = group.at(-1)?.period ?? period;
  return frequencyOf(last) === 'D' ? newest > lastDayOf(period) : lastDayOf(last) === lastDayOf(period);
}

/** Of days, the first is near the beginning; of other periods, none is missing. */
function isWhole(period: string, group: readonly Term[], known: readonly Term[]): boolean {
  const first = group[0]?.period ?? period;
  if (frequencyOf(first) === 'D') return first <= shiftedDay(firstDayOf(period), MOST_DAYS_OLDER);
  return known.length === group.length && lastDayOf(previousPeriod(first)) < firstDayOf(period);
}

interface TransformOptions {
  /** Whether the figures are percentages: these change by points, not by percent of themselves. */
  readonly isRate: boolean;
  /** Of an index: the last period of it is 100; without it, the first period with a value. */
  readonly base?: string | undefined;
}

/** Each figure compared with another of its series, which `base` names. */
export function transformed(terms: Sequence, transform: Comparison, options: TransformOptions): Sequence {
  const baseOf = BASES[transform](terms, options.base);
  const compute: Compute = ([value, from]) => {
    if (value === undefined || from === undefined) return null;
    if (transform === 'index') return from.isZero ? null : value.times(HUNDRED).over(from);
    if (transform === 'change' || options.isRate) return value.minus(from);
    // As everywhere: no percentage of what is not above zero.
    if (from.isZero || from.isNegative || value.isNegative) return null;
    return value.minus(from).times(HUNDRED).over(from);
  };
  return terms.map((term, at) => {
    const { period, found } = baseOf(term, at);
    return term.value === null || found?.value == null
      ? absent(term.period, term.missing ?? 'not_defined', found?.period ?? period)
      : computed([term, found], term.period, found.period, compute);
  });
}

interface Base {
  /** null if the calendar has none. */
  readonly period: string | null;
  readonly found: Term | undefined;
}
type BaseOf = (term: Term, index: number) => Base;
type Bases = (terms: Sequence, base: string | undefined) => BaseOf;

const priorPeriod: Bases = (terms) => {
  const daily = isDaily(terms);
  return (term, index) => ({
    // Of other frequencies every period is there.
    period: daily ? (terms[index - 1]?.period ?? null) : previousPeriod(term.period),
    found: terms[index - 1],
  });
};

const BASES: Readonly<Record<Comparison, Bases>> = {
  pop: priorPeriod,
  change: priorPeriod,
  yoy: (terms) => {
    const ends = endsOf(terms);
    return (term) => {
      const period = yearBefore(term.period);
      return { period, found: period === null ? undefined : endingWith(terms, ends, period) };
    };
  },
  index: (terms, base) => {
    const first = terms.find(({ value }) => value !== null);
    const found = base === undefined ? first : endingWith(terms, endsOf(terms), lastDayOf(base));
    return () => ({ period: found?.period ?? base ?? null, found });
  },
};

/** The same period of the year before: 28 February for the 29th; null for a 53rd week that it lacks. */
function yearBefore(period: string): string | null {
  const year = Number(/\d{4}/.exec(period)?.[0]) - 1;
  const earlier = period.replace(/\d{4}/, String(year));
  if (isPeriod(earlier)) return earlier;
  return isPeriod(`${earlier.slice(0, 8)}28`) ? `${earlier.slice(0, 8)}28` : null;
}

const endsOf = (terms: Sequence): readonly string[] => terms.map(({ period }) => lastDayOf(period));

/** The term that ends with a period; of days, the last one of up to a week before its end. */
function endingWith(terms: Sequence, ends: readonly string[], period: string): Term | undefined {
  const day = lastDayOf(period);
  // Ends are ordered: a search by halves.
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? day) <= day) low = middle + 1;
    else high = middle;
  }
  const end = ends[low - 1];
  const earliest = isDaily(terms) ? shiftedDay(day, -MOST_DAYS_OLDER) : day;
  return end !== undefined && end >= earliest ? terms[low - 1] : undefined;
}

/** Plain decimal text: as printed, or rounded once. */
export const termText = ({ value, printed }: Pick<Term, 'value' | 'printed'>): string | null =>
  printed ?? value?.toText() ?? null;
