// Names of regions inside sentences.
import type { Locale } from './locale.js';

/** Regions that English names with an article, by code. */
const WITH_ARTICLE = new Set([
  ...['AE', 'BS', 'CC', 'CF', 'CK', 'DO', 'FK', 'FO', 'GB', 'GM', 'IM', 'KM', 'KY', 'MH', 'MP'],
  ...['MV', 'NL', 'PH', 'SB', 'TC', 'US', 'VG', 'VI', 'ARB', 'CHI', 'EUU'],
]);
/** Aggregates whose English name is no proper name. */
const COMMON_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ EMU: 'the euro area', WLD: 'the world' }),
);

/** The long names of the Unicode CLDR, and what statistics offices write for them. */
const IN_TEXTS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: { 'Hong Kong SAR China': 'Hong Kong SAR', 'Macao SAR China': 'Macao SAR' },
  zh: { 中国香港特别行政区: '中国香港', 中国澳门特别行政区: '中国澳门' },
  ja: { 中華人民共和国香港特別行政区: '香港', 中華人民共和国マカオ特別行政区: 'マカオ' },
};

/** The name of a region in a headline or a sentence; an operator's own name stays. */
export const nameInText = (locale: Locale, name: string): string =>
  Object.hasOwn(IN_TEXTS[locale], name) ? (IN_TEXTS[locale][name] ?? name) : name;

/** The same, with its article in a running sentence. */
export function placeIn(locale: Locale, code: string, given: string): string {
  const name = nameInText(locale, given);
  if (locale !== 'en') return name;
  return COMMON_NAMES.get(code) ?? (WITH_ARTICLE.has(code) ? `the ${name}` : name);
}

/** As an English headline shortens them; the others have no shorter form. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ AE: 'UAE', EUU: 'EU', GB: 'UK', US: 'US' }),
);

export function shortName(locale: Locale, code: string, name: string): string {
  return locale === 'en' ? (SHORT_NAMES.get(code) ?? name) : name;
}
