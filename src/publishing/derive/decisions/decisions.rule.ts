// The rule of decisions: what a vintage day says of a rate that holds from its day until the next.
import { sameNumber } from '../../../figures/decimal.js';
import { shiftedDay } from '../../../figures/periods.js';
import type { KnownRange } from '../release-revision.rule.js';

/** A first import makes decisions of its last 400 days only. */
const BASELINE_DAYS = 400;

export interface Decision {
  /** The day from which it holds. */
  readonly period: string;
  readonly actual: string;
  /** The rate that held before, which is older by more than a day where there was none between. */
  readonly previous: { readonly period: string; readonly value: string; readonly knownSince: string };
}

/**
 * One for each day that is newer than any known before and has another rate than the day before it that has one.
 * `ranges` are all that is stored of the series, by period (days) and then by vintage.
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
      decisions.push({
        period: range.period,
        actual: range.value,
        previous: { period, value, knownSince: from },
      });
    }
    previous = range;
  }
  return decisions;
}

/** The newest day that was known before the vintage; older ones that come with it are backfill. */
function newestBefore(ranges: readonly KnownRange[], day: string): string {
  return ranges.reduce((newest, { from, period }) => (from < day && period > newest ? period : newest), '');
}

function firstOfBaseline(ranges: readonly KnownRange[]): string {
  const newest = ranges.at(-1)?.period;
  if (newest === undefined) return '';
  return shiftedDay(newest, -BASELINE_DAYS);
}
