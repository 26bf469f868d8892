// Names of currencies in three languages, by ISO 4217 code: those of the Unicode CLDR, shortened as the press writes them.
import type { Localized } from '../locale/locale.js';
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

export const isCurrency = (code: string): boolean => Object.hasOwn(NAMES, code);
