// Headline and summary of a market move in three languages, as a financial newswire would put it.
import { frequencyOf } from '../../figures/periods.js';
import { currencyName } from '../../figures/currencies.js';
import { fromTo, percentText, writeFigures } from '../../figures/figure-text.js';
import type { UnitCode } from '../../figures/units.js';
import { formatPeriod, formatWhen } from '../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../locale/locale.js';
import en from '../../locale/messages/en/moves.json' with { type: 'json' };
import ja from '../../locale/messages/ja/moves.json' with { type: 'json' };
import zh from '../../locale/messages/zh/moves.json' with { type: 'json' };
import type { ChangeTexts } from './change-texts.js';
import type { Move, Superlative } from './moves.rule.js';
import { compileMessages } from '../../locale/templates.js';

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
  const words = wordsIn(locale, facts);
  const direction = move.step < 0 ? 'down' : 'up';
  const span = frequencyOf(move.actual.period) === 'M' ? 'month' : 'day';
  const largest =
    superlative === null
      ? ''
      : templates[superlative.matched ? 'largest' : 'ever'][span][move.measure][direction](words);
  return {
    headline: templates.headline[move.measure][direction]({ ...words, actual: words.alone }),
    summary:
      templates.summary[span][move.measure][direction](words) +
      templates.normal[span](words) +
      largest +
      templates.source(words),
  };
}

function wordsIn(locale: Locale, { name, publisher, unit, currency, move, superlative }: MoveFacts) {
  const { actual, previous } = move;
  const written = writeFigures(locale, { unit, currency }, [actual.value, previous.value]);
  const { from, to } = fromTo(locale, written);
  const size =
    move.measure === 'share' ? percentText(locale, plain(Math.abs(move.step))) : written.difference;
  const against = againstIn(locale, unit, currency);
  // An English sentence names both currencies and needs no unit.
  const pair = locale === 'en' && against !== null;
  return {
    name: against === null ? name[locale] : BASE[locale],
    publisher: publisher[locale],
    ...{ previous: from, actual: pair ? (written.beside[0] ?? '') : to },
    alone: (pair ? written.beside[0] : written.full[0]) ?? '',
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    move: against?.({ size }) ?? size,
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
  return writeFigures(locale, { unit, currency: null }, [plain(ordinary), '0']).difference;
}

/** Without an exponent and without floating-point noise. */
const plain = (value: number): string => String(Number(value.toFixed(6)));
