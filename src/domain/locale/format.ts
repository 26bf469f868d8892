// Days and reference periods as each language writes them in running text.
import { inAll, type Locale } from './locale.js';
import { VOICES } from './voice/voices.js';

// To make one takes far longer than to use it.
const COUNTS = inAll((locale) => new Intl.NumberFormat(locale, { useGrouping: VOICES[locale].number.grouped }));

/** `2026-07-01`: 1 July 2026, 2026年7月1日. */
export const formatDay = (locale: Locale, day: string): string =>
  VOICES[locale].period.day(day.slice(0, 4), Number(day.slice(5, 7)), Number(day.slice(8, 10)));

/** The time of an instant where it was stated for, and the zone as people call it: 14:00, Eastern Time. */
export function formatTime(
  locale: Locale,
  instant: string,
  timeZone: string,
): { readonly time: string; readonly zone: string } {
  const at = new Date(instant);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at);
  return { time, zone: formatZone(locale, instant, timeZone) };
}

/** `America/New_York`: Eastern Time, 北美东部时间, 米国東部時間. */
export function formatZone(locale: Locale, instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'longGeneric' });
  const parts = format.formatToParts(new Date(instant));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** A number of things, in groups of three digits where the language writes so. */
export const formatCount = (locale: Locale, count: number): string => COUNTS[locale].format(count);

/** A country by its ISO 3166-1 code, as the Unicode CLDR names it. */
export function formatCountry(locale: Locale, code: string): string {
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** A reference period by its name: 2025, Q3 2025, 2025年第三季度, 2025年度. */
export function formatPeriod(locale: Locale, period: string): string {
  const [, fiscal, year = '', part] = /^(FY)?(\d{4})(?:-(.+))?$/.exec(period) ?? [];
  if (year === '') throw new RangeError(`"${period}" is not a period`);
  const write = VOICES[locale].period;
  if (fiscal !== undefined) return write.fiscalYear(year);
  if (part === undefined) return write.year(year);
  if (part.startsWith('H')) return write.half(year, Number(part.slice(1)));
  if (part.startsWith('Q')) return write.quarter(year, Number(part.slice(1)));
  if (part.startsWith('W')) return write.week(year, Number(part.slice(1)));
  return part.length === 2 ? write.month(year, Number(part)) : formatDay(locale, period);
}

/** The period with its English preposition: in 2025, on 1 July 2026. In other languages: its name. */
export const formatWhen = (locale: Locale, period: string): string =>
  VOICES[locale].period.when(formatPeriod(locale, period), /^\d{4}-\d{2}-\d{2}$/.test(period));

/** A day or a month beside one that has named the year: 17 April, 4月17日. */
export const formatPeriodBeside = (locale: Locale, period: string, named: string): string =>
  withoutYear(locale, formatPeriod(locale, period), period, named);

/** The same with its preposition: on 17 April, in March. */
export const formatWhenBeside = (locale: Locale, period: string, named: string): string =>
  withoutYear(locale, formatWhen(locale, period), period, named);

function withoutYear(locale: Locale, text: string, period: string, named: string): string {
  const year = period.slice(0, 4);
  return year === named.slice(0, 4) ? text.replace(VOICES[locale].period.yearIn(year), '') : text;
}

/** Capitalises the first letter: a sentence may begin with a name in lower case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A name inside an English sentence: `Unemployment rate` becomes lower case, `GDP` does not. */
export const lowered = (locale: Locale, name: string): string => VOICES[locale].lowered(name);
