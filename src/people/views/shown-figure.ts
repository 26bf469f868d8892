import type { Figure } from '../../domain/figures/figure.schema.js';
import { daysSince, frequencyOf, lastDayOf } from '../../domain/figures/periods.js';
import type { Age } from '../../domain/figures/timetable.js';
import { formatDay } from '../../domain/locale/format.js';
import { pluralForm } from '../../domain/locale/templates.js';
import { printedText } from '../../domain/figures/decimal.js';
import { writeFigures } from '../../domain/figures/figure-text.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import { unitNamed } from '../../domain/figures/units.js';
import { inThousands, percentText } from '../../domain/figures/written-number.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import type { RequestContext } from '../../serve/responses/request-context.js';

/** A figure as the API writes it, or the reason for its absence. */
export function shownText({ text, missing }: Figure, locale: Locale, texts: Texts): string {
  return text ?? texts.say(locale, `site.missing.${missing ?? 'not_published'}`);
}

/** How long ago a period ended, and by when a newer figure was due. */
export function ageText(
  period: string,
  { stale, expectedBy }: Age,
  { locale, today }: Pick<RequestContext, 'locale' | 'today'>,
  texts: Texts,
): string {
  const days = daysText(period, { locale, today }, texts);
  const overdue = stale && expectedBy !== null ? formatDay(locale, expectedBy.slice(0, 10)) : null;
  return [
    ...(days === '' ? [] : [days]),
    ...(overdue === null ? [] : [texts.say(locale, 'site.age.overdue', { day: overdue })]),
  ].join(' · ');
}

const DAYS_OF_YEAR = 365.25;

/** How long ago a period ended, from two years on in years; empty on its last day. */
function daysText(period: string, { locale, today }: Pick<RequestContext, 'locale' | 'today'>, texts: Texts): string {
  const days = Math.max(0, daysSince(lastDayOf(period), today));
  if (days === 0) return '';
  // A quote is as old as its day; the figure of a year is younger than the year.
  const age = frequencyOf(period) === 'D' ? 'site.age' : 'site.age.ended';
  const years = Math.floor(days / DAYS_OF_YEAR);
  if (years >= 2) return texts.say(locale, `${age}.years`, { years });
  return texts.say(locale, `${age}.${pluralForm(locale, days)}`, { days });
}

/** For tables whose header states the unit: with every printed digit, or rounded. */
export function cellText(
  locale: Locale,
  { value, decimals }: Pick<Figure, 'value' | 'decimals'>,
  rounded?: number,
): string {
  if (value === null) return '–';
  const text = rounded === undefined ? printedText(value, decimals) : value.toFixed(rounded);
  return VOICES[locale].number.grouped ? inThousands(text) : text;
}

/** More decimals come from the publisher's computer, not from its measurement. */
const MOST_DECIMALS = 4;

/** The decimals that all figures of a column are shown with. */
export function columnDecimals(figures: readonly Pick<Figure, 'value' | 'decimals' | 'unit'>[]): number {
  const printed = Math.max(0, ...figures.map(({ decimals }) => decimals ?? 0));
  if (printed <= MOST_DECIMALS) return printed;
  const largest = Math.max(...figures.map(({ value }) => Math.abs(value ?? 0)));
  // A rate of 1.09 has four digits that count, a share of 1.09 % has three.
  const isRate = figures[0] !== undefined && unitNamed(figures[0].unit).dimension === 'exchange_rate';
  return largest >= 100_000 ? 0 : largest >= (isRate ? 100 : 1) ? 2 : MOST_DECIMALS;
}

export interface MoveOf {
  /** Of an exchange rate: the currency whose amount it states. */
  readonly currency?: string | null;
  /** From all digits; null for rates. */
  readonly changePercent?: number | null;
}

/** The signed difference between two figures, and its percentage; null if either is missing. */
export function moveText(
  previous: Figure,
  actual: Figure,
  locale: Locale,
  { currency = null, changePercent = null }: MoveOf = {},
): string | null {
  if (previous.value === null || actual.value === null) return null;
  const { difference } = writeFigures(locale, { unit: actual.unit, currency }, [printed(actual), printed(previous)]);
  const move = signOf(actual.value - previous.value) + difference.replace(/^-/, '');
  return changePercent === null ? move : VOICES[locale].bracketed(move, signedPercent(changePercent, locale));
}

/** The percentage of a move, with its sign. */
export const signedPercent = (percent: number, locale: Locale): string =>
  signOf(percent) + percentText(locale, Math.abs(percent).toFixed(6));

const signOf = (size: number): string => (size < 0 ? '−' : size > 0 ? '+' : '');

const printed = ({ value, decimals }: Figure): string => printedText(value ?? 0, decimals);
