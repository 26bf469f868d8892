// Details that differ by language: numbers, lists, and names inside a sentence.
import type { Locale } from '../../../domain/locale/locale.js';
import { nameInText, placeIn, shortName } from '../../../domain/locale/places.js';
import type { Form, ToldFigure } from './told-change.js';

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

/**
 * Before the name of its figure: Japan's, US and, in a sentence about a countable noun, the US. A group of countries
 * has no possessive: its name and a colon.
 */
export function ownerIn(
  locale: Locale,
  form: Form,
  { region, regionName, economy, wording }: Pick<ToldFigure, 'region' | 'regionName' | 'economy' | 'wording'>,
): string {
  const name = nameInText(locale, regionName[locale]);
  if (locale !== 'en') return name;
  if (!economy) return `${name}:`;
  if (region === 'WLD') return form === 'part' ? 'the global' : 'global';
  const short = shortName(locale, region, name);
  const isShort = /^[A-Z]+$/.test(short);
  if (isShort) {
    const definite = form === 'part' || (form === 'sentence' && wording.definite === true);
    return definite ? `the ${short}` : short;
  }
  const place = placeIn(locale, region, name);
  return place.endsWith('s') ? `${place}’` : `${place}’s`;
}
