// Headline and summary of a market move in every language, as a financial newswire would put it.
import { frequencyOf } from '../../../domain/figures/periods.js';
import { currencyName } from '../../../domain/figures/currencies.js';
import { fromTo, writeFigures } from '../../../domain/figures/figure-text.js';
import { percentText } from '../../../domain/figures/written-number.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import { formatPeriod, formatWhen, formatWhenBeside } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { textsInAll, type ChangeTexts } from '../templates.js';
import { moveContextText } from './move-context-texts.js';
import { moveSize, stepText, twoDecimals, type MovedPrice, type MoveFacts } from './move-sizes.js';

export const moveTexts = (facts: MoveFacts): ChangeTexts => textsInAll((locale) => textsIn(locale, facts));

function textsIn(locale: Locale, facts: MoveFacts): { headline: string; summary: string; context: string } {
  const { move } = facts;
  const templates = SENTENCES[locale].moves;
  const { inSummary, ...words } = wordsIn(locale, facts);
  const direction = move.step < 0 ? 'down' : 'up';
  const span = frequencyOf(move.actual.period) === 'M' ? 'month' : 'day';
  const context = facts.context === null ? '' : moveContextText(locale, facts, facts.context);
  return {
    headline: templates.headline[move.measure][direction]({ ...words, actual: words.alone }),
    summary:
      templates.summary[move.measure][direction]({ ...words, ...inSummary }) +
      context +
      templates.normal[span](words) +
      templates.source[facts.unit === 'currency_per_eur' ? 'reference' : 'plain'](words),
    context,
  };
}

function wordsIn(locale: Locale, { name, publisher, unit, currency, move }: MoveFacts) {
  const { actual, previous } = move;
  const percent = move.measure === 'share' ? plain(move.step) : null;
  const values = { actual: actual.value, previous: previous.value };
  const words = priceMoveWords(locale, { name, unit, currency, percent, ...values });
  const paired = againstIn(locale, unit, currency) !== null;
  return {
    ...words,
    name: paired ? words.name : rateName(locale, name, unit, currency),
    inSummary:
      paired && VOICES[locale].market.rateInSummary && percent !== null
        ? {
            name: rateName(locale, name, unit, currency),
            move: percentText(locale, percent.replace(/^-/, '')),
            previous: writeFigures(locale, { unit, currency }, [actual.value, previous.value]).beside[1] ?? '',
            actual: words.alone,
          }
        : {},
    publisher: publisher[locale],
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    // Not “the day before”: a publisher's holiday is a trading day elsewhere.
    before: formatWhenBeside(locale, previous.period, actual.period),
    ordinary: stepText(locale, unit, move.measure, plain(move.ordinary)),
    count: String(move.count),
  };
}

/** What moved, by how much, and to what: `alone` is the price without the one before. */
export function priceMoveWords(locale: Locale, { name, unit, currency, actual, previous, percent }: MovedPrice) {
  const written = writeFigures(locale, { unit, currency }, [actual, previous].map(twoDecimals(unit)));
  const { from, to } = fromTo(locale, written);
  const size = moveSize(locale, { unit, currency, actual, previous, percent });
  const against = againstIn(locale, unit, currency);
  const pair = VOICES[locale].market.unitless && against !== null;
  return {
    name: against === null ? name[locale] : VOICES[locale].market.euro,
    previous: from,
    actual: pair ? (written.beside[0] ?? '') : to,
    alone: (pair ? written.beside[0] : written.full[0]) ?? '',
    move: against?.(size) ?? size,
  };
}

/**
 * A pair by its rate, which is the European Central Bank's reference and no market price; others by their name, with the
 * article that an English sentence gives to a price or a yield.
 */
export function rateName(locale: Locale, name: Localized, unit: UnitCode, currency: string | null): string {
  const { named, referenceRate } = VOICES[locale].market;
  if (unit !== 'currency_per_eur' || currency === null) return named(name[locale]);
  return referenceRate(name[locale], currencyName(currency)[locale]);
}

/** The subject of a sentence whose verb names the other currency of a pair; Chinese names the pair. */
export function sentenceName(locale: Locale, name: Localized, unit: UnitCode, currency: string | null): string {
  if (againstIn(locale, unit, currency) === null) return rateName(locale, name, unit, currency);
  return VOICES[locale].market.euroRate;
}

/** English and Japanese name the euro and the other currency, because a pair does not rise; Chinese names the pair. */
function againstIn(locale: Locale, unit: UnitCode, currency: string | null): ((size: string) => string) | null {
  const { against } = VOICES[locale].market;
  if (unit !== 'currency_per_eur' || currency === null || against === null) return null;
  return (size) => against(size, currencyName(currency)[locale]);
}

/** Without an exponent and without floating-point noise. */
const plain = (value: number): string => String(Number(value.toFixed(6)));
