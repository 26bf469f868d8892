// Derives decisions: changes of a rate that holds from its day until the next one.
import { sameNumber } from '../../../domain/figures/decimal.js';
import { shiftedDay } from '../../../domain/figures/periods.js';
import type { KnownRange } from '../release-revision.rule.js';

/** A first import derives decisions of its last 400 days only. */
const BASELINE_DAYS = 400;

export interface Decision {
  /** First day on which it holds. */
  readonly period: string;
  readonly actual: string;
  /** The previous rate; days without a figure may lie between. */
  readonly previous: { readonly period: string; readonly value: string; readonly knownSince: string };
}

/**
 * A decision for each day that is newer than any known one and has another rate than the last day with a rate.
 * @param ranges all stored rows of the series, by period (day) and then by vintage
 */
export function decisionsOf(ranges: readonly KnownRange[], day: string, baseline: boolean): Decision[] {
  const earliest = baseline ? firstOfBaseline(ranges) : newestBefore(ranges, day);
  const decisions: Decision[] = [];
  let previous: KnownRange | null = null;
  for (const range of ranges) {
    if (range.from > day || (range.to !== null && range.to <= day)) continue;
    const made = range.from === day && range.period > earliest;
    if (made && previous !== null && !sameNumber(range.value, previous.value)) {
      const { period, value, from } = previous;
      decisions.push({ period: range.period, actual: range.value, previous: { period, value, knownSince: from } });
    }
    previous = range;
  }
  return decisions;
}

/** The newest day known before the vintage; older ones are backfill. */
function newestBefore(ranges: readonly KnownRange[], day: string): string {
  return ranges.reduce((newest, { from, period }) => (from < day && period > newest ? period : newest), '');
}

function firstOfBaseline(ranges: readonly KnownRange[]): string {
  const newest = ranges.at(-1)?.period;
  if (newest === undefined) return '';
  return shiftedDay(newest, -BASELINE_DAYS);
}
