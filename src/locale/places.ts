// Names of regions inside sentences.
import type { Locale } from './locale.js';

/** Regions that English names with an article, by code. */
const WITH_ARTICLE = new Set([
  ...['AE', 'BS', 'CC', 'CF', 'CK', 'DO', 'FK', 'FO', 'GB', 'GM', 'IM', 'KM', 'KY', 'MH', 'MP'],
  ...['MV', 'NL', 'PH', 'SB', 'TC', 'US', 'VG', 'VI', 'ARB', 'CHI', 'EUU'],
]);
/** Aggregates whose English name is no proper name. */
const COMMON_NAMES: Readonly<Record<string, string>> = { EMU: 'the euro area', WLD: 'the world' };

/** The name of a region in a running sentence. */
export function placeIn(locale: Locale, code: string, name: string): string {
  if (locale !== 'en') return name;
  return COMMON_NAMES[code] ?? (WITH_ARTICLE.has(code) ? `the ${name}` : name);
}

/** As an English headline shortens them; the others have no shorter form. */
const SHORT_NAMES: Readonly<Record<string, string>> = { AE: 'UAE', EUU: 'EU', GB: 'UK', US: 'US' };

export function shortName(locale: Locale, code: string, name: string): string {
  return locale === 'en' ? (SHORT_NAMES[code] ?? name) : name;
}
