// Details that differ by language: numbers, lists, and names inside a sentence.
import { formatPeriod, formatWhen } from '../../../locale/format.js';
import type { Locale } from '../../../locale/locale.js';

const IN_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** English spells the numbers below ten out; Chinese does not group digits. */
export function countIn(locale: Locale, count: number): string {
  if (locale === 'zh') return String(count);
  return (locale === 'en' ? IN_WORDS[count] : undefined) ?? count.toLocaleString('en');
}

/** A and B; A, B and C. */
export function listIn(locale: Locale, items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  const before = items.slice(0, -1);
  if (before.length === 0) return last;
  if (locale === 'en') return `${before.join(', ')} and ${last}`;
  return locale === 'zh' ? `${before.join('、')}和${last}` : [...before, last].join('、');
}

/** Regions that English names with an article, by code. */
const WITH_ARTICLE = new Set(
  [
    'AE',
    'BS',
    'CC',
    'CD',
    'CF',
    'CG',
    'CK',
    'DO',
    'FK',
    'FO',
    'GB',
    'GM',
    'IM',
    'KM',
    'KY',
    'MH',
    'MP',
  ].concat(['MV', 'NL', 'PH', 'SB', 'TC', 'US', 'VG', 'VI', 'ARB', 'CHI', 'EUU']),
);
/** Aggregates whose English name is no proper name. */
const COMMON_NAMES: Readonly<Record<string, string>> = { EMU: 'the euro area', WLD: 'the world' };

/** The name of a region in a running sentence. */
export function placeIn(locale: Locale, code: string, name: string): string {
  if (locale !== 'en') return name;
  return COMMON_NAMES[code] ?? (WITH_ARTICLE.has(code) ? `the ${name}` : name);
}

/** The short form of an English headline; the other languages have none. */
const SHORT_NAMES: Readonly<Record<string, string>> = { AE: 'UAE', EUU: 'EU', GB: 'UK', US: 'US' };

export function shortName(locale: Locale, code: string, name: string): string {
  return locale === 'en' ? (SHORT_NAMES[code] ?? name) : name;
}

/** The headline of a market move without its time, for contexts that state the time. */
export function withoutTime(locale: Locale, headline: string, period: string): string {
  const name = formatPeriod(locale, period);
  const time = { en: ` ${formatWhen(locale, period)}`, zh: name, ja: `（${name}）` };
  return headline.replace(time[locale], '');
}
