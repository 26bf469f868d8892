// A number with its unit in a sentence.
import type { Locale } from '../locale/locale.js';
import type { UnitDefinition } from './units.js';

/** In full: 98.63 US dollars per barrel, 每桶98.63美元, 1バレル当たり98.63米ドル. */
export function withUnit(locale: Locale, unit: UnitDefinition, number: string): string {
  return unit.display[locale].replace('{n}', number);
}

/**
 * Beside a number of the same unit that is written in full: 98.63, 98.63美元, 98.63米ドル. English names the unit
 * with the last of two numbers that follow each other closely, Chinese and Japanese with the first.
 */
export function withUnitSaid(locale: Locale, unit: UnitDefinition, number: string): string {
  return unit.display[locale]
    .replace(/^[^{]*/, '')
    .replace(/ .*/, '')
    .replace('{n}', number);
}

/** A difference between two prices, which say themselves what they are per: 55.29 US dollars, 55.29美元. */
export function differenceInUnit(locale: Locale, unit: UnitDefinition, number: string): string {
  return unit.display[locale]
    .replace(/^[^{]*/, '')
    .replace(/ per .*/, '')
    .replace('{n}', number);
}

/** From one number to another: which of them carries the unit in full. */
export function fromTo(
  locale: Locale,
  unit: UnitDefinition,
  from: string,
  to: string,
): { readonly from: string; readonly to: string } {
  return locale === 'en'
    ? { from: withUnitSaid(locale, unit, from), to: withUnit(locale, unit, to) }
    : { from: withUnit(locale, unit, from), to: withUnitSaid(locale, unit, to) };
}
