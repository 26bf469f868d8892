// What a vintage did to figures that were known before it: it restated, withdrew or returned them.
import { differsByMoreThan } from '../../domain/figures/decimal.js';
import { NOISE } from '../../domain/figures/noise.js';
import type { KnownRange, PreviousFigure } from './release-revision.rule.js';

/** A value that a period had before, or null while the source gave none; known since that day. */
export interface EarlierValue {
  readonly value: string | null;
  readonly knownSince: string;
}

/** The facts of a revision beside its two figures. */
export interface RevisionFacts {
  readonly way: 'restated' | 'withdrawn' | 'returned';
  /** Number of periods that the change stands for, and the oldest of them. */
  readonly periods: number;
  readonly since: string;
  /** Figures of the series that the same vintage restated by too little for a change. Only the newest revision counts them. */
  readonly smaller: number;
  /** Of the change's period, oldest first. */
  readonly earlier: readonly EarlierValue[];
}

/** A figure that its source withdrew, or gave again after a withdrawal. */
export interface PresenceChange {
  readonly kind: 'revision';
  readonly period: string;
  /** Null after a withdrawal. */
  readonly actual: string | null;
  /** The last known figure. */
  readonly previous: PreviousFigure & { readonly value: string };
  readonly revision: RevisionFacts & { readonly way: 'withdrawn' | 'returned' };
}

/**
 * At most two changes of a series and vintage: all figures that it withdraws, and all that it gives again, each summed up by the newest.
 * @param ranges all stored rows of the series, by period and then by day
 */
export function derivePresence(ranges: readonly KnownRange[], day: string): PresenceChange[] {
  const [withdrawn, returned]: [KnownRange[], KnownRange[]] = [[], []];
  for (const [at, range] of ranges.entries()) {
    const [before, after] = [ranges[at - 1], ranges[at + 1]];
    const goesOn = after?.period === range.period && after.from === day;
    if (range.to === day && !goesOn) withdrawn.push(range);
    if (range.from === day && before?.period === range.period && before.to !== day) returned.push(range);
  }
  return [
    ...presenceChanges(withdrawn, 'withdrawn', ranges, day),
    ...presenceChanges(returned, 'returned', ranges, day),
  ];
}

function presenceChanges(
  changed: readonly KnownRange[],
  way: 'withdrawn' | 'returned',
  ranges: readonly KnownRange[],
  day: string,
): PresenceChange[] {
  const [first, newest] = [changed[0], changed.at(-1)];
  if (first === undefined || newest === undefined) return [];
  const before = way === 'withdrawn' ? newest : lastBefore(ranges, newest.period, day);
  if (before === undefined) return [];
  const { period, value, from } = before;
  return [
    {
      kind: 'revision',
      period,
      actual: way === 'withdrawn' ? null : newest.value,
      previous: { period, basis: 'vintage', value, missing: null, knownSince: from },
      revision: {
        way,
        periods: changed.length,
        since: first.period,
        smaller: 0,
        earlier: earlierOf(ranges, period, day),
      },
    },
  ];
}

const lastBefore = (ranges: readonly KnownRange[], period: string, day: string): KnownRange | undefined =>
  ranges.findLast((range) => range.period === period && range.from < day);

/** Every value that a period had before a day, and each time without one. */
export function earlierOf(ranges: readonly KnownRange[], period: string, day: string): EarlierValue[] {
  const own = ranges.filter((range) => range.period === period && range.from < day);
  return own.flatMap(({ value, from, to }, at) => {
    const next = own[at + 1]?.from ?? day;
    return [{ value, knownSince: from }, ...(to !== null && to < next ? [{ value: null, knownSince: to }] : [])];
  });
}

/** How many figures a vintage restated by at most 0.1 %, and not only by other digits of the same number. */
export const countSmaller = (ranges: readonly KnownRange[], day: string): number =>
  ranges.filter(({ period, from, value }, at) => {
    const before = ranges[at - 1];
    return (
      from === day &&
      before?.period === period &&
      before.to === day &&
      differsByMoreThan(before.value, value, String(NOISE)) &&
      !differsByMoreThan(before.value, value)
    );
  }).length;
