// Days and reference periods as each language writes them in running text.
import type { Locale } from './locale.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** `2026-07-01`: 1 July 2026, 2026年7月1日. */
export function formatDay(locale: Locale, day: string): string {
  const date = Number(day.slice(8, 10));
  return locale === 'en' ? `${date} ${formatMonth(locale, day)}` : `${formatMonth(locale, day)}${date}日`;
}

function formatMonth(locale: Locale, month: string): string {
  const year = month.slice(0, 4);
  const number = Number(month.slice(5, 7));
  return locale === 'en' ? `${MONTHS[number - 1]} ${year}` : `${year}年${number}月`;
}

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

/** A country by its ISO 3166-1 code, as the Unicode CLDR names it. */
export function formatCountry(locale: Locale, code: string): string {
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** A reference period by its name: 2025, Q3 2025, 2025年第三季度, 2025年度. */
export function formatPeriod(locale: Locale, period: string): string {
  const [, fiscal, year = '', part] = /^(FY)?(\d{4})(?:-(.+))?$/.exec(period) ?? [];
  if (year === '') throw new RangeError(`"${period}" is not a period`);
  if (fiscal !== undefined) return FISCAL_YEAR[locale](year);
  if (part === undefined) return locale === 'en' ? year : `${year}年`;
  if (part.startsWith('H')) return HALF_YEAR[locale](year, Number(part.slice(1)));
  if (part.startsWith('Q')) return QUARTER[locale](year, Number(part.slice(1)));
  if (part.startsWith('W')) return WEEK[locale](year, Number(part.slice(1)));
  return part.length === 2 ? formatMonth(locale, period) : formatDay(locale, period);
}

/** The period with its English preposition: in 2025, on 1 July 2026. In other languages: its name. */
export function formatWhen(locale: Locale, period: string): string {
  const name = formatPeriod(locale, period);
  if (locale !== 'en') return name;
  return `${/^\d{4}-\d{2}-\d{2}$/.test(period) ? 'on' : 'in'} ${name}`;
}

/** A day or a month beside one that has named the year: 17 April, 4月17日. */
export const formatPeriodBeside = (locale: Locale, period: string, named: string): string =>
  withoutYear(locale, formatPeriod(locale, period), period, named);

/** The same with its preposition: on 17 April, in March. */
export const formatWhenBeside = (locale: Locale, period: string, named: string): string =>
  withoutYear(locale, formatWhen(locale, period), period, named);

function withoutYear(locale: Locale, text: string, period: string, named: string): string {
  const year = period.slice(0, 4);
  return year === named.slice(0, 4) ? text.replace(locale === 'en' ? ` ${year}` : `${year}年`, '') : text;
}

/** Capitalises the first letter: a sentence may begin with a name in lower case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A name inside an English sentence: `Unemployment rate` becomes lower case, `GDP` does not. */
export function lowered(locale: Locale, name: string): string {
  return locale === 'en' && /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

type Namer = (year: string, number: number) => string;
const CHINESE_NUMERALS = ['', '一', '二', '三', '四'];

const FISCAL_YEAR: Readonly<Record<Locale, (year: string) => string>> = {
  en: (year) => `fiscal year ${year}`,
  zh: (year) => `${year}财年`,
  ja: (year) => `${year}年度`,
};
const HALF_YEAR: Readonly<Record<Locale, Namer>> = {
  en: (year, half) => `the ${half === 1 ? 'first' : 'second'} half of ${year}`,
  zh: (year, half) => `${year}年${half === 1 ? '上' : '下'}半年`,
  ja: (year, half) => `${year}年${half === 1 ? '上' : '下'}半期`,
};
const QUARTER: Readonly<Record<Locale, Namer>> = {
  en: (year, quarter) => `Q${quarter} ${year}`,
  zh: (year, quarter) => `${year}年第${CHINESE_NUMERALS[quarter]}季度`,
  ja: (year, quarter) => `${year}年${quarter * 3 - 2}～${quarter * 3}月期`,
};
const WEEK: Readonly<Record<Locale, Namer>> = {
  en: (year, week) => `week ${week} of ${year}`,
  zh: (year, week) => `${year}年第${week}周`,
  ja: (year, week) => `${year}年第${week}週`,
};
