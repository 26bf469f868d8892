// Names of currencies in three languages, by ISO 4217 code: those of the Unicode CLDR, shortened as the press writes them.
import type { Locale, Localized } from '../locale/locale.js';
import names from './currency-names.json' with { type: 'json' };

const NAMES: Readonly<Record<string, readonly string[]>> = names;

/** The currency itself, as the subject of a sentence: the Turkish lira, 土耳其里拉, トルコリラ. */
export function currencyName(code: string): Localized {
  const [en = code, , zh = code, ja = code] = NAMES[code] ?? [];
  return { en, zh, ja };
}

/** The currency after a number: 39.45 Swiss francs, 7.85元人民币, 39.45トルコリラ. */
export function currencyAmount(code: string): Localized {
  const [, en = code, zh = code, ja = code] = NAMES[code] ?? [];
  return { en, zh: code === 'CNY' ? '元人民币' : zh, ja };
}

/** Currencies of several regions of the catalogue's. */
const SHARED: ReadonlySet<string> = new Set([
  'AUD',
  'CHF',
  'DKK',
  'EUR',
  'NZD',
  'USD',
  'XAF',
  'XCD',
  'XOF',
  'XPF',
]);

/** The currency at the head of a line: The Turkish lira, but Austria: the euro. */
export function currencyHolder(locale: Locale, code: string, region: string): string {
  const name = currencyName(code)[locale];
  const shared = SHARED.has(code);
  if (locale === 'en') return shared ? `${region}: the ${name}` : `The ${name}`;
  return shared ? `${region}：${name}` : name;
}

export const isCurrency = (code: string): boolean => Object.hasOwn(NAMES, code);
