import type { Figure } from '../../domain/figures/figure.schema.js';
import { daysSince, lastDayOf } from '../../domain/figures/periods.js';
import type { Age } from '../../domain/figures/timetable.js';
import { formatDay } from '../../domain/locale/format.js';
import { pluralForm } from '../../domain/locale/templates.js';
import { printedText } from '../../domain/figures/decimal.js';
import { writeFigures } from '../../domain/figures/figure-text.js';
import { inThousands } from '../../domain/figures/written-number.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';

/** A figure as the API writes it, or the reason for its absence. */
export function shownText({ text, missing }: Figure, locale: Locale, texts: Texts): string {
  return text ?? texts.say(locale, `site.missing.${missing ?? 'not_published'}`);
}

/** How long ago a period ended, and since when a newer figure is overdue. */
export function ageText(
  period: string,
  { stale, expectedBy }: Age,
  { locale, today }: Pick<RequestContext, 'locale' | 'today'>,
  texts: Texts,
): string {
  const days = Math.max(0, daysSince(lastDayOf(period), today));
  const overdue = stale && expectedBy !== null ? formatDay(locale, expectedBy.slice(0, 10)) : null;
  return [
    ...(days === 0 ? [] : [texts.say(locale, `site.age.${pluralForm(locale, days)}`, { days })]),
    ...(overdue === null ? [] : [texts.say(locale, 'site.age.overdue', { day: overdue })]),
  ].join(' · ');
}

/** For tables whose header states the unit: with every printed digit, or rounded. */
export function cellText({ value, decimals }: Pick<Figure, 'value' | 'decimals'>, rounded?: number): string {
  if (value === null) return '–';
  const text = rounded === undefined ? printedText(value, decimals) : value.toFixed(rounded);
  return inThousands(text);
}

/** More decimals come from the publisher's computer, not from its measurement. */
const MOST_DECIMALS = 4;

/** The decimals that all figures of a column are shown with. */
export function columnDecimals(figures: readonly Pick<Figure, 'value' | 'decimals'>[]): number {
  const printed = Math.max(0, ...figures.map(({ decimals }) => decimals ?? 0));
  if (printed <= MOST_DECIMALS) return printed;
  const largest = Math.max(...figures.map(({ value }) => Math.abs(value ?? 0)));
  return largest >= 100_000 ? 0 : largest >= 1 ? 2 : MOST_DECIMALS;
}

/** The signed difference between two figures; null if either is missing. */
export function differenceText(previous: Figure, actual: Figure, locale: Locale): string | null {
  if (previous.value === null || actual.value === null) return null;
  const measure = { unit: actual.unit, currency: null };
  const { difference } = writeFigures(locale, measure, [printed(actual), printed(previous)]);
  const sign = actual.value < previous.value ? '-' : actual.value > previous.value ? '+' : '';
  return sign + difference.replace(/^-/, '');
}

const printed = ({ value, decimals }: Figure): string => printedText(value ?? 0, decimals);
