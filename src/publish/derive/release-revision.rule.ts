// Derives the release and the revisions of one vintage day in one series.
import { difference, differsByMoreThan, isAbove, medianSize, percentChange } from '../../domain/figures/decimal.js';
import { lastDayOf, previousPeriod } from '../../domain/figures/periods.js';

/** A value of a period and the vintages that know it, from `from` up to but not including `to`. */
export interface KnownRange {
  readonly period: string;
  readonly from: string;
  readonly to: string | null;
  /** Plain decimal text. */
  readonly value: string;
}

export interface PreviousFigure {
  readonly period: string;
  readonly basis: 'period' | 'vintage';
  /** `null`: see `missing`. */
  readonly value: string | null;
  readonly missing: 'not_published' | 'withdrawn_by_source' | null;
  readonly knownSince: string | null;
}

/** Most periods of a series, restated in one vintage: a re-basing, a new membership, another method. */
export interface Rebasing {
  /** Number of restated periods, and the oldest of them. */
  readonly periods: number;
  readonly since: string;
  /** The median size of all restatements, in the unit; decimal text. */
  readonly median: string;
  /** In percent of the earlier figures; `null` if one of them is not above zero. */
  readonly medianPercent: string | null;
}

/** A figure before and after its restatement. */
export interface Restated {
  readonly period: string;
  readonly previous: string;
  readonly actual: string;
}

export interface DerivedChange {
  readonly kind: 'release' | 'revision';
  readonly period: string;
  readonly actual: string;
  readonly previous: PreviousFigure;
  /** Of a revision that stands for all restated periods, of which it is the newest. */
  readonly rebasing?: Rebasing;
  /** Of a re-basing: the newest restated periods, newest first. Its text names each. */
  readonly restated?: readonly Restated[];
  /** Of a re-basing: all held figures moved by one factor, as an index does that gets another base period. */
  readonly proportional?: boolean;
  /** Of a release: what the figure that it is compared with was before the same vintage revised it. */
  readonly previousRevised?: string;
}

/** A series of fewer restated periods has no re-basing: each revision is worth its own change. */
const FEWEST_REBASED = 5;
/** Three years are what people compare; `figures` has the others by day. */
const MOST_NAMED = 3;
/** The least share of a figure that its printed digits show: the BEA restates a quarter by less than 0.1 %. */
const LEAST_PRINTED = '0.0001';
/** Percentage points: what rounding makes of one factor, and the least that another base period makes. */
const ONE_FACTOR = '0.2';
const LEAST_FACTOR = '1';

/**
 * The changes of the vintage of `day`: at most one release, of the newest ended period ever known, and a revision of
 * each figure that moved by more than 0.1 % from its last known value. One revision, of the newest restated period,
 * stands for all if most periods are restated. Older new periods are backfill; `derivePresence` has vanished figures and those that return.
 * @param ranges all stored rows of the series, by period and then by day
 */
export function deriveReleasesAndRevisions(ranges: readonly KnownRange[], day: string): DerivedChange[] {
  const revisions: DerivedChange[] = [];
  let newestBefore: string | null = null;
  let newest: KnownRange | null = null;
  let lastKnown: KnownRange | null = null;
  let known = 0;
  for (const range of ranges) {
    if (range.from > day) continue;
    if (lastKnown?.period !== range.period) lastKnown = null;
    if (range.from < day) {
      if (range.to === null || range.to >= day) known += 1;
      lastKnown = range;
      if (hadEnded(range.period, day)) newestBefore = range.period;
    } else if (lastKnown === null) {
      if (hadEnded(range.period, day)) newest = range;
    } else if (lastKnown.to === day && differsByMoreThan(lastKnown.value, range.value)) {
      revisions.push(revisionOf(range, lastKnown));
    }
  }
  const restated = gather(revisions, known);
  if (newest === null || newestBefore === null || newest.period <= newestBefore) return restated;
  return [releaseOf(newest, ranges, day), ...restated];
}

/** @param known the number of periods with a figure on the day before */
function gather(revisions: DerivedChange[], known: number): DerivedChange[] {
  const [first, last] = [revisions[0], revisions.at(-1)];
  if (first === undefined || last === undefined) return revisions;
  if (revisions.length < FEWEST_REBASED || 2 * revisions.length <= known) return revisions;
  const pairs = revisions.map(({ period, actual, previous }) => ({
    period,
    actual,
    previous: previous.value ?? actual,
  }));
  const percents = pairs.flatMap(({ previous, actual }) => percentChange(previous, actual) ?? []);
  const rebasing: Rebasing = {
    periods: revisions.length,
    since: first.period,
    median: medianSize(pairs.map(({ previous, actual }) => difference(actual, previous))),
    medianPercent: percents.length === pairs.length ? medianSize(percents) : null,
  };
  const proportional = pairs.length === known && percents.length === known && isOneFactor(percents);
  const named = pairs.slice(-MOST_NAMED).reverse();
  return [{ ...last, rebasing, restated: named, ...(proportional && { proportional }) }];
}

/** @param percents by which figures moved; at least one */
function isOneFactor(percents: readonly string[]): boolean {
  const sorted = [...percents].sort((a, b) => (isAbove(a, b) ? 1 : -1));
  const [least, most] = [sorted[0] ?? '0', sorted.at(-1) ?? '0'];
  return !isAbove(difference(most, least), ONE_FACTOR) && isAbove(medianSize(percents), LEAST_FACTOR);
}

/** A period that has not ended has no release, and hides none. The year alone says it of nearly all. */
const hadEnded = (period: string, day: string): boolean =>
  period.slice(0, 4) < day.slice(0, 4) || lastDayOf(period) <= day;

function revisionOf(range: KnownRange, before: KnownRange): DerivedChange {
  return {
    kind: 'revision',
    period: range.period,
    actual: range.value,
    previous: { period: range.period, basis: 'vintage', value: before.value, missing: null, knownSince: before.from },
  };
}

/** A release is compared with the calendar period before it, never with an older one. */
function releaseOf(range: KnownRange, ranges: readonly KnownRange[], day: string): DerivedChange {
  const period = previousPeriod(range.period);
  const known = ranges.filter((other) => other.period === period && other.from <= day);
  const open = known.find(({ to }) => to === null || to > day);
  // A figure that comes back after a withdrawal was not revised.
  const before = known.findLast(({ to }) => to === day);
  const revised =
    open?.from === day && before !== undefined && differsByMoreThan(before.value, open.value, LEAST_PRINTED);
  return {
    kind: 'release',
    period: range.period,
    actual: range.value,
    ...(revised && { previousRevised: before.value }),
    previous: {
      period,
      basis: 'period',
      value: open?.value ?? null,
      missing: open ? null : known.length > 0 ? 'withdrawn_by_source' : 'not_published',
      knownSince: open?.from ?? null,
    },
  };
}
