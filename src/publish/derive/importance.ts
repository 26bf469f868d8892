// How much a change is worth a reader's attention, 0..100: the rule of docs/explanation/importance.md. A pure function
// of what was known on the vintage day, so that a published change can be weighed again.
import { isSlight, type FigureUnit } from '../../domain/figures/figure-text.js';
import { daysSince, lastDayOf } from '../../domain/figures/periods.js';
import { unitNamed } from '../../domain/figures/units.js';
import type { DerivedChange, KnownRange } from './release-revision.rule.js';
import { isConstant, medianOf, unusualnessOf, type KnownValue } from './unusualness.js';

const DAYS_A_YEAR = 365.25;
/** How many past steps a revision or a decision is compared with. */
const STEPS = 20;
/** Eighteen months: a figure first published later than that after its period is no longer news of the day. */
const LATE_DAYS = 546;
const MOST_IF_LATE = 50;
/** Aggregates that people watch as one economy; all others, and all medians, stay below 60. */
const WATCHED_AGGREGATES = ['WLD', 'EMU', 'EUU'];
const SHARE_OF_AN_AGGREGATE = 0.5;
/** Of a rate that its headline calls little changed, or revised marginally. */
const SHARE_OF_A_SLIGHT_STEP = 0.75;

/** What the catalogue states of the indicator and of the economy. */
export interface Watched {
  /** 0..100: how much people watch the indicator. */
  readonly attention: number;
  /** 0..100: the economy's weight. */
  readonly regionWeight: number;
  readonly region: string;
  readonly aggregate: boolean;
  /** Whether the publisher's figure of an aggregate is the median of its members. */
  readonly median?: boolean;
}

export interface Weighing extends Watched {
  readonly kind: 'release' | 'revision';
  /** 0..1: how far the change goes beyond the series' ordinary one. */
  readonly unusualness: number;
  /** Whether it is a rate that hardly moved. */
  readonly slight: boolean;
  /** Days from the end of the period to the vintage day. */
  readonly age: number;
}

/**
 * A release of a period that ended up to eighteen months ago never falls below 12; a revision of one that ended
 * five years ago or more never rises above 7.
 */
export function importanceOf({ kind, unusualness, slight, age, ...watched }: Weighing): number {
  const [attention, weight] = [watched.attention / 100, watched.regionWeight / 100];
  const years = Math.max(0, age) / DAYS_A_YEAR;
  const whole = isMinorAggregate(watched) ? attention * SHARE_OF_AN_AGGREGATE : attention;
  const share = slight ? whole * SHARE_OF_A_SLIGHT_STEP : whole;
  if (kind === 'revision') {
    return Math.round((90 * share * (0.4 * unusualness + 0.6 * weight)) / (1 + 0.6 * Math.max(0, years - 0.5) ** 2));
  }
  const score = (15 + 85 * share * (0.2 + 0.3 * unusualness + 0.5 * weight)) / (1 + 0.6 * Math.max(0, years - 0.75));
  return Math.min(Math.round(score), age > LATE_DAYS ? MOST_IF_LATE : 100);
}

/** A median follows its members, whose figures are the news. */
const isMinorAggregate = ({ region, aggregate, median }: Omit<Watched, 'attention' | 'regionWeight'>): boolean =>
  aggregate && (median === true || !WATCHED_AGGREGATES.includes(region));

/** The importance of a release or a revision. A constant series, as an exchange rate with itself, has no news: 0. */
export function weigh(
  change: Pick<DerivedChange, 'kind' | 'period' | 'previous'> & { readonly actual: string | null },
  ranges: readonly KnownRange[],
  day: string,
  { unit, ...watched }: Watched & Pick<FigureUnit, 'unit'>,
): number {
  const { kind, period, actual, previous } = change;
  const values = valuesOf(ranges, day, period);
  if (kind === 'release' && isConstant(values)) return 0;
  const unusualness =
    kind === 'release'
      ? unusualnessOf(values, unitNamed(unit).dimension !== 'ratio')
      : Number(actual) * Number(previous.value) < 0
        ? 1
        : shareOfOrdinary(
            Number(actual) - Number(previous.value),
            // A figure that is gone moved by no size.
            actual === null ? null : ordinaryStepOf(ranges, day, period),
          );
  const slight = actual !== null && previous.value !== null && isSlight({ unit }, actual, previous.value);
  return importanceOf({ ...watched, kind, unusualness, slight, age: daysSince(lastDayOf(period), day) });
}

/** A decision has the importance of a new figure, and half of the scale for being one. */
export function importanceOfDecision(
  step: number,
  ordinaryStep: number | null,
  { attention, regionWeight }: Pick<Watched, 'attention' | 'regionWeight'>,
): number {
  return Math.round((attention / 100) * (50 + 20 * shareOfOrdinary(step, ordinaryStep) + 0.3 * regionWeight));
}

/** One half for a step of median size, towards one for larger steps; one half if the median is unknown. */
export function shareOfOrdinary(step: number, ordinaryStep: number | null): number {
  if (ordinaryStep === null) return 0.5;
  const size = Math.abs(step);
  return size === 0 ? 0 : size / (size + ordinaryStep);
}

/** The median size of the last twenty steps before `period`, as known on `day`; `null` without any step. */
export function ordinaryStepOf(ranges: readonly KnownRange[], day: string, period: string): number | null {
  const recent = valuesOf(ranges, day, period)
    .filter((known) => known.period < period)
    .slice(-STEPS - 1);
  const sizes = recent.slice(1).map(({ value }, index) => Math.abs(value - (recent[index]?.value ?? value)));
  return sizes.length === 0 ? null : medianOf(sizes);
}

/** The figures known on `day`, up to `period`. */
export const knownOn = (ranges: readonly KnownRange[], day: string, last: string): KnownRange[] =>
  ranges.filter(({ period, from, to }) => period <= last && from <= day && (to === null || to > day));

const valuesOf = (ranges: readonly KnownRange[], day: string, last: string): KnownValue[] =>
  knownOn(ranges, day, last).map(({ period, value }) => ({ period, value: Number(value) }));
