// Whether an indicator or instrument is what words of unit and place ask for: “GDP in yen” is not GDP in dollars, and a yield
// of Japan is not one of the United States.
import { regionName } from '../../domain/catalogue/closed-sets.js';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { Locale } from '../../domain/locale/locale.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { NamedSubject } from '../../serve/resources/search/named-subjects.rows.js';
import { pieces } from '../../domain/search/words.js';
import { OF_GDP } from '../../serve/resources/search/stop-words.rule.js';
import { economiesOfRate, isIndicator, measuredOf } from './known-names.js';

/** A currency that an amount is asked for in. */
const IN_CURRENCY: readonly (readonly [words: RegExp, code: string])[] = [
  [
    /\bin (?:(?:current|constant|us) )*(?:dollars?|usd)\b|\(?\b(?:current )?us\$\)?|[按以]美元(?:计价?|计算)?|(?:米?ドル|美元)建て/giu,
    'USD',
  ],
  [/\bin (?:euros?|eur)\b(?! (?:area|zone))|[按以]欧元(?:计价?|计算)?|ユーロ建て/giu, 'EUR'],
  [/\bin (?:yen|jpy)\b|[按以]日元(?:计价?|计算)?|円建て/giu, 'JPY'],
];

/** The words without the currency that an amount is asked for in, and its code. */
export function withoutCurrency(words: string): { readonly text: string; readonly currency: string | undefined } {
  const [form, currency] = IN_CURRENCY.find(([one]) => words.search(one) >= 0) ?? [];
  return { text: form === undefined ? words : words.replace(form, ' '), currency };
}

/**
 * The key of a named indicator or instrument, or of its share of GDP where that is asked for; undefined if it has another
 * currency, or its places are not among those named.
 */
export function keyMeant(
  key: string,
  words: string,
  { currency, places }: { readonly currency: string | undefined; readonly places: readonly string[] },
): string | undefined {
  const isShare = words.search(OF_GDP) >= 0 && isIndicator(key) && !key.endsWith('-to-gdp');
  const meant = isShare ? `${key}-to-gdp` : key;
  const measured = measuredOf(meant);
  if (measured === undefined || (currency !== undefined && measured.currency !== currency)) return undefined;
  const { regions } = measured;
  return regions === undefined || places.every((code) => regions.includes(code)) ? meant : undefined;
}

/** Indicators and instruments; where one word names a thing that is asked for or its key, not what else it names. */
export function otherSubjects(all: readonly NamedSubject[], types: readonly string[], words: string) {
  const isAsked = ({ type }: NamedSubject): boolean => type === 'country' || types.includes(type);
  const written = `-${pieces(words)
    .map(({ text }) => text)
    .join('-')}-`;
  // GDP is the key of one indicator, and what a publisher calls another.
  const isOver = (one: NamedSubject, other: NamedSubject): boolean =>
    other.from === one.from &&
    isAsked(other) &&
    (!isAsked(one) || (written.includes(`-${other.key}-`) && other !== one));
  return all.filter((one) => one.type !== 'country' && !all.some((other) => isOver(one, other)));
}

/** @throws ApiError `invalid_parameter` for countries other than those of an interest rate */
export function requireEconomies(key: string, codes: readonly string[] | undefined, locale: Locale): void {
  const economies = economiesOfRate(key);
  if (economies === undefined || codes === undefined || codes.every((code) => economies.includes(code))) return;
  const stored = economies.map((code) => regionName(locale, code)).join(VOICES[locale].comma);
  throw invalidParameter({ parameter: 'country', reason: 'rate_of_others', args: { name: key, stored } });
}
