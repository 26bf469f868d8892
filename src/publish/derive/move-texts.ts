// Headline and summary of a market move in three languages, as a financial newswire would put it.
import { frequencyOf } from '../../domain/figures/periods.js';
import { currencyName } from '../../domain/figures/currencies.js';
import { basisPoints, fromTo, percentText, writeFigures } from '../../domain/figures/figure-text.js';
import { decimalsOf, difference, unsigned } from '../../domain/figures/decimal.js';
import { unitNamed, type UnitCode } from '../../domain/figures/units.js';
import { formatPeriod, formatWhen, formatWhenBeside, lowered } from '../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../domain/locale/locale.js';
import en from '../../domain/locale/messages/en/moves.json' with { type: 'json' };
import ja from '../../domain/locale/messages/ja/moves.json' with { type: 'json' };
import zh from '../../domain/locale/messages/zh/moves.json' with { type: 'json' };
import type { ChangeTexts } from './change-texts.js';
import type { Move, Superlative } from './moves.rule.js';
import { compileMessages } from '../../domain/locale/templates.js';

const TEMPLATES = compileMessages({ en, zh, ja });

export interface MoveFacts {
  readonly name: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly move: Move;
  readonly superlative: Superlative | null;
}

export function moveTexts(facts: MoveFacts): ChangeTexts {
  const texts = inAll((locale) => textsIn(locale, facts));
  return {
    headline: inAll((locale) => texts[locale].headline),
    summary: inAll((locale) => texts[locale].summary),
  };
}

function textsIn(locale: Locale, facts: MoveFacts): { headline: string; summary: string } {
  const { move, superlative } = facts;
  const templates = TEMPLATES[locale];
  const { inSummary, ...words } = wordsIn(locale, facts);
  const direction = move.step < 0 ? 'down' : 'up';
  const span = frequencyOf(move.actual.period) === 'M' ? 'month' : 'day';
  const largest =
    superlative === null
      ? ''
      : templates[superlative.matched ? 'largest' : 'ever'][span][move.measure][direction](words);
  return {
    headline: templates.headline[move.measure][direction]({ ...words, actual: words.alone }),
    summary:
      templates.summary[move.measure][direction]({ ...words, ...inSummary }) +
      largest +
      templates.normal[span](words) +
      templates.source[facts.unit === 'currency_per_eur' ? 'reference' : 'plain'](words),
  };
}

function wordsIn(locale: Locale, { name, publisher, unit, currency, move, superlative }: MoveFacts) {
  const { actual, previous } = move;
  const percent = move.measure === 'share' ? plain(move.step) : null;
  const values = { actual: actual.value, previous: previous.value };
  const words = priceMoveWords(locale, { name, unit, currency, percent, ...values });
  const paired = againstIn(locale, unit, currency) !== null;
  return {
    ...words,
    name: paired ? words.name : rateName(locale, name, unit, currency),
    // A Japanese sentence names the rate, because the pair would part the two figures from their verb.
    inSummary:
      paired && locale === 'ja' && percent !== null
        ? {
            name: rateName(locale, name, unit, currency),
            move: percentText(locale, percent.replace(/^-/, '')),
            previous:
              writeFigures(locale, { unit, currency }, [actual.value, previous.value]).beside[1] ?? '',
            actual: words.alone,
          }
        : {},
    publisher: publisher[locale],
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    // Not “the day before”: a publisher's holiday is a trading day elsewhere.
    before: formatWhenBeside(locale, previous.period, actual.period),
    ordinary: ordinaryIn(locale, unit, move),
    count: String(move.count),
    since:
      superlative === null
        ? ''
        : superlative.matched
          ? formatPeriod(locale, superlative.since)
          : formatWhen(locale, superlative.since),
  };
}

export interface MovedPrice {
  readonly name: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  /** Decimals as plain text. */
  readonly actual: string;
  readonly previous: string;
  /** Signed; null where the move is a difference. */
  readonly percent: string | null;
}

/** What moved, by how much, and to what: `alone` is the price without the one before. */
export function priceMoveWords(
  locale: Locale,
  { name, unit, currency, actual, previous, percent }: MovedPrice,
) {
  const written = writeFigures(locale, { unit, currency }, [actual, previous].map(twoDecimals(unit)));
  const { from, to } = fromTo(locale, written);
  const size = moveSize(locale, { unit, currency, actual, previous, percent });
  const against = againstIn(locale, unit, currency);
  // An English sentence names both currencies and needs no unit.
  const pair = locale === 'en' && against !== null;
  return {
    name: against === null ? name[locale] : BASE[locale],
    ...{ previous: from, actual: pair ? (written.beside[0] ?? '') : to },
    alone: (pair ? written.beside[0] : written.full[0]) ?? '',
    move: against?.({ size }) ?? size,
  };
}

/** By how much it moved, without a sign: in percent, or in points. */
export function moveSize(
  locale: Locale,
  { unit, currency, actual, previous, percent }: Omit<MovedPrice, 'name'>,
): string {
  if (percent !== null) return percentText(locale, unsigned(percent));
  const { difference: written } = writeFigures(
    locale,
    { unit, currency },
    [actual, previous].map(twoDecimals(unit)),
  );
  return differenceIn(locale, unit, difference(actual, previous), written);
}

/** Yields are quoted with two decimals; a stored one has lost its zeros. */
const twoDecimals =
  (unit: UnitCode) =>
  (value: string): string => {
    const missing = 2 - decimalsOf(value);
    if (unitNamed(unit).dimension !== 'ratio' || missing <= 0) return value;
    return (value.includes('.') ? value : `${value}.`) + '0'.repeat(missing);
  };

/** Markets count yields in basis points; Japanese ones in percentage points. */
function differenceIn(locale: Locale, unit: UnitCode, exact: string, written: string): string {
  return unitNamed(unit).dimension === 'ratio' && locale !== 'ja'
    ? basisPoints(locale, exact.replace(/^-/, ''))
    : written;
}

/**
 * A pair by its rate, which is the European Central Bank's reference and no market price; others by their name, with the
 * article that an English sentence gives to a price or a yield.
 */
export function rateName(locale: Locale, name: Localized, unit: UnitCode, currency: string | null): string {
  if (unit !== 'currency_per_eur' || currency === null) {
    return locale === 'en' && /\b(?:price|yield)\b/.test(name.en)
      ? `The ${lowered('en', name.en)}`
      : name[locale];
  }
  const other = currencyName(currency)[locale];
  return {
    en: `The euro/${other} reference rate`,
    zh: `${name.zh}参考汇率`,
    ja: `ユーロの対${other}参照レート`,
  }[locale];
}

/** The subject of a sentence whose verb names the other currency of a pair; Chinese names the pair. */
export function sentenceName(
  locale: Locale,
  name: Localized,
  unit: UnitCode,
  currency: string | null,
): string {
  if (againstIn(locale, unit, currency) === null) return rateName(locale, name, unit, currency);
  return locale === 'ja' ? `${BASE.ja}の参照レート` : `${BASE[locale]}’s reference rate`;
}

/** English and Japanese name the euro and the other currency, because a pair does not rise; Chinese names the pair. */
function againstIn(
  locale: Locale,
  unit: UnitCode,
  currency: string | null,
): ((words: { readonly size: string }) => string) | null {
  if (unit !== 'currency_per_eur' || currency === null || locale === 'zh') return null;
  const other = currencyName(currency)[locale];
  return ({ size }) => (locale === 'en' ? `${size} against the ${other}` : `対${other}で${size}`);
}

const BASE: Readonly<Record<Locale, string>> = { en: 'The euro', zh: '欧元', ja: 'ユーロ' };

/** The size of the ordinary step, formatted like the move. */
function ordinaryIn(locale: Locale, unit: UnitCode, { measure, ordinary }: Move): string {
  if (measure === 'share') return percentText(locale, plain(ordinary));
  const written = writeFigures(locale, { unit, currency: null }, [plain(ordinary), '0']).difference;
  return differenceIn(locale, unit, plain(ordinary), written);
}

/** Without an exponent and without floating-point noise. */
const plain = (value: number): string => String(Number(value.toFixed(6)));
