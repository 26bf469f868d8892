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
  const age = texts.say(locale, `site.age.${pluralForm(locale, days)}`, { days });
  if (!stale || expectedBy === null) return age;
  return `${age} · ${texts.say(locale, 'site.age.overdue', { day: formatDay(locale, expectedBy.slice(0, 10)) })}`;
}

/** With every printed digit, for tables whose header states the unit. */
export function cellText({ value, decimals }: Pick<Figure, 'value' | 'decimals'>): string {
  if (value === null) return '–';
  return inThousands(printedText(value, decimals)).replace('-', '−');
}

/** The signed difference between two figures; null if either is missing. */
export function differenceText(previous: Figure, actual: Figure, locale: Locale): string | null {
  if (previous.value === null || actual.value === null) return null;
  const measure = { unit: actual.unit, currency: null };
  const { difference } = writeFigures(locale, measure, [printed(actual), printed(previous)]);
  const sign = actual.value < previous.value ? '−' : actual.value > previous.value ? '+' : '';
  return sign + difference.replace(/^[-−]/, '');
}

const printed = ({ value, decimals }: Figure): string => printedText(value ?? 0, decimals);
