// Details that differ by language: numbers, lists, and names inside a sentence.
import { formatPeriod, formatWhen } from '../../../locale/format.js';
import type { Locale } from '../../../locale/locale.js';

const IN_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** English spells the numbers below ten out; Chinese and Japanese do not group digits. */
export function countIn(locale: Locale, count: number): string {
  if (locale !== 'en') return String(count);
  return IN_WORDS[count] ?? count.toLocaleString('en');
}

/** A and B; A, B and C. */
export function listIn(locale: Locale, items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  const before = items.slice(0, -1);
  if (before.length === 0) return last;
  if (locale === 'en') return `${before.join(', ')} and ${last}`;
  return locale === 'zh' ? `${before.join('、')}和${last}` : [...before, last].join('、');
}

/** The headline of a market move without its time, for where that has been said. */
export function withoutTime(locale: Locale, headline: string, period: string): string {
  const name = formatPeriod(locale, period);
  const time = { en: ` ${formatWhen(locale, period)}`, zh: name, ja: `（${name}）` };
  return headline.replace(time[locale], '');
}
