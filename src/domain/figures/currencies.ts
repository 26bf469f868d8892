// Names of currencies in every language, by ISO 4217 code: those of the Unicode CLDR, shortened as the press writes them.
import { z } from 'zod';
import { readEntries } from '../catalogue/catalogue-files.js';
import { localized } from '../catalogue/texts.schema.js';
import { inAll, type Locale, type Localized } from '../locale/locale.js';
import { VOICES } from '../locale/voice/voices.js';

export const currencyEntry = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, 'is not a code of ISO 4217, such as EUR'),
  /** The currency itself, as the subject of a sentence: Turkish lira, 土耳其里拉, トルコリラ. */
  name: localized,
  /** The currency after a number: 39.45 Swiss francs, 7.85元人民币, 39.45トルコリラ. */
  amount: localized,
  /** Whether several regions of the catalogue have it, so that its own name does not say which one is meant. */
  shared: z.boolean().default(false),
  /** Whether markets quote it in US dollars, not in its own amount per dollar. */
  quotedInDollars: z.boolean().default(false),
  /** Decimals of its reference rate, as the European Central Bank prints it: the zeros at the end count. */
  decimalsPerEuro: z.int().min(0).max(6).optional(),
  /** The currency to which it is pegged: what moves with that one is no move of its own. */
  peg: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
});
type CurrencyEntry = z.output<typeof currencyEntry>;

/** data/catalogue/currencies.json, and the operator's own. Entries with a fault are not in it. */
export const CURRENCIES: Readonly<Record<string, CurrencyEntry>> = Object.fromEntries(
  readEntries('currencies', currencyEntry).entries.map(({ key, value }) => [key, value]),
);

const currencyOf = (code: string): CurrencyEntry | undefined =>
  Object.hasOwn(CURRENCIES, code) ? CURRENCIES[code] : undefined;

export const currencyName = (code: string): Localized => currencyOf(code)?.name ?? inAll(() => code);

export const decimalsPerEuro = (code: string): number | undefined => currencyOf(code)?.decimalsPerEuro;

export const pegOf = (code: string): string | undefined => currencyOf(code)?.peg;

export const isQuotedInDollars = (code: string): boolean => currencyOf(code)?.quotedInDollars === true;

export const currencyAmount = (code: string): Localized => currencyOf(code)?.amount ?? inAll(() => code);

/** The currency at the head of a line: The Turkish lira, but Austria: the euro. */
export function currencyHolder(locale: Locale, code: string, region: string): string {
  const name = currencyName(code)[locale];
  return VOICES[locale].holder(name, region, currencyOf(code)?.shared === true);
}
