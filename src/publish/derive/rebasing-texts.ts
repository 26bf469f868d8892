// The words of a re-basing: how many periods it restated, by how much, and the newest of them.
import { figureText, fromTo, plainUnit, writeFigures, type FigureUnit } from '../../domain/figures/figure-text.js';
import { percentText } from '../../domain/figures/written-number.js';
import { frequencyOf, periodsBetween } from '../../domain/figures/periods.js';
import { unitNamed } from '../../domain/figures/units.js';
import { formatPeriod } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Rebasing, Restated } from './release-revision.rule.js';
import { SENTENCES } from '../../domain/locale/voice/voices.js';

/** A series and its newest restated period. */
export interface RebasedSeries extends FigureUnit {
  readonly period: string;
  readonly restated?: readonly Restated[];
}

/** Figures without sides: one restatement may reach across zero. */
export function rebasingWords(
  locale: Locale,
  { period, restated = [], ...measure }: RebasedSeries,
  { periods, since, median, medianPercent }: Rebasing,
) {
  const { some, whole, more, last } = SENTENCES[locale].changes.rebasing;
  // Revisions of life expectancy are written in years, those of rates in percentage points.
  const share = ['ratio', 'time'].includes(unitNamed(measure.unit).dimension) ? null : medianPercent;
  const all = periodsBetween(since, period).length;
  const spans = all === periods ? whole : some;
  const beside = besideOf(measure, restated);
  const named = restated.map((step) =>
    SENTENCES[locale].changes.rebasing.restated(stepOf(locale, measure, step, beside)),
  );
  return {
    span: spans[frequencyOf(period)]({ count: String(periods), all: String(all) }),
    since: formatPeriod(locale, since),
    median: share === null ? writeFigures(locale, measure, [median, '0']).difference : percentText(locale, share),
    restated: named.length === 0 ? '' : named.reduce((a, b, at) => (at === named.length - 1 ? last : more)({ a, b })),
  };
}

/** One text has one number of decimals; rates have two anyway. */
function besideOf({ unit }: FigureUnit, restated: readonly Restated[]): string[] {
  const counted = ['money', 'count'].includes(unitNamed(unit).dimension);
  const one = counted && !restated.some(({ actual, previous }) => isApart(actual, previous));
  return one ? restated.flatMap(({ actual, previous }) => [actual, previous]) : [];
}

/** The newest restated period, and its figure before and after. */
export function restatedIn(
  locale: Locale,
  measure: FigureUnit,
  {
    period,
    actual,
    previous,
    restated = [],
  }: {
    readonly restated?: readonly Restated[];
    readonly period: string;
    readonly actual: string;
    readonly previous: { readonly value: string | null };
  },
): string {
  const newest = { period, actual, previous: previous.value ?? actual };
  const step = stepOf(locale, measure, newest, besideOf(measure, restated));
  return SENTENCES[locale].changes.rebasing.newest(step);
}

/** The name has said what a ratio is to. */
function stepOf(
  locale: Locale,
  { unit, currency }: FigureUnit,
  { period, actual, previous }: Restated,
  beside: readonly string[] = [],
) {
  const measure = { unit: plainUnit(unit), currency };
  const { from, to } = isApart(actual, previous)
    ? { from: figureText(locale, measure, previous), to: figureText(locale, measure, actual) }
    : fromTo(locale, writeFigures(locale, measure, [actual, previous], beside));
  return { period: formatPeriod(locale, period), previous: from, actual: to };
}

/** Figures that a thousandfold separates, an error of scale that was corrected: one scale would suit neither. */
export function isApart(one: string, other: string): boolean {
  const [a, b] = [Math.abs(Number(one)), Math.abs(Number(other))];
  return Math.max(a, b) >= 1000 * Math.min(a, b);
}
