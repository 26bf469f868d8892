// Derives the release and the revisions of one vintage day in one series.
import { differsByMoreThan } from '../../figures/decimal.js';
import { previousPeriod } from '../../figures/periods.js';

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

export interface DerivedChange {
  readonly kind: 'release' | 'revision';
  readonly period: string;
  readonly actual: string;
  readonly previous: PreviousFigure;
}

/**
 * The changes of the vintage of `day`: at most one release, of the newest period ever known, and a revision of
 * each figure that moved by more than 0.1 % from its last known value. Older new periods are backfill; vanished
 * figures make no change.
 * @param ranges all stored rows of the series, by period and then by day
 */
export function deriveReleasesAndRevisions(ranges: readonly KnownRange[], day: string): DerivedChange[] {
  const revisions: DerivedChange[] = [];
  let newestBefore: string | null = null;
  let newest: KnownRange | null = null;
  let lastKnown: KnownRange | null = null;
  for (const range of ranges) {
    if (range.from > day) continue;
    if (lastKnown?.period !== range.period) lastKnown = null;
    if (range.from < day) {
      lastKnown = range;
      newestBefore = range.period;
    } else if (lastKnown === null) {
      newest = range;
    } else if (differsByMoreThan(lastKnown.value, range.value)) {
      revisions.push(revisionOf(range, lastKnown));
    }
  }
  if (newest === null || newestBefore === null || newest.period <= newestBefore) return revisions;
  return [releaseOf(newest, ranges, day), ...revisions];
}

function revisionOf(range: KnownRange, before: KnownRange): DerivedChange {
  return {
    kind: 'revision',
    period: range.period,
    actual: range.value,
    previous: {
      period: range.period,
      basis: 'vintage',
      value: before.value,
      missing: null,
      knownSince: before.from,
    },
  };
}

/** A release is compared with the calendar period before it, never with an older one. */
function releaseOf(range: KnownRange, ranges: readonly KnownRange[], day: string): DerivedChange {
  const period = previousPeriod(range.period);
  const known = ranges.filter((other) => other.period === period && other.from <= day);
  const open = known.find(({ to }) => to === null || to > day);
  return {
    kind: 'release',
    period: range.period,
    actual: range.value,
    previous: {
      period,
      basis: 'period',
      value: open?.value ?? null,
      missing: open ? null : known.length > 0 ? 'withdrawn_by_source' : 'not_published',
      knownSince: open?.from ?? null,
    },
  };
}
