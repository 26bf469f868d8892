// Headline and summary of a market move in three languages, as a financial newswire would put it.
import { decimalsOf, difference } from '../../figures/decimal.js';
import { frequencyOf } from '../../figures/periods.js';
import { differenceInUnit, fromTo, withUnit } from '../../figures/running-text.js';
import { PERCENTAGE_POINTS, UNITS, type UnitCode, type UnitDefinition } from '../../figures/units.js';
import { formatNumber, formatPeriod, formatWhen, styleOf, type NumberStyle } from '../../locale/format.js';
import type { Locale, Localized } from '../../locale/locale.js';
import en from '../../locale/messages/en/moves.json' with { type: 'json' };
import ja from '../../locale/messages/ja/moves.json' with { type: 'json' };
import zh from '../../locale/messages/zh/moves.json' with { type: 'json' };
import type { ChangeTexts } from './change-texts.js';
import type { Move, Superlative } from './moves.rule.js';
import { compileMessages } from './templates.js';

const TEMPLATES = compileMessages({ en, zh, ja });

export interface MoveFacts {
  readonly name: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
  readonly move: Move;
  readonly superlative: Superlative | null;
}

export function moveTexts(facts: MoveFacts): ChangeTexts {
  const texts = { en: textsIn('en', facts), zh: textsIn('zh', facts), ja: textsIn('ja', facts) };
  return {
    headline: { en: texts.en.headline, zh: texts.zh.headline, ja: texts.ja.headline },
    summary: { en: texts.en.summary, zh: texts.zh.summary, ja: texts.ja.summary },
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

function wordsIn(locale: Locale, { name, publisher, unit: code, move, superlative }: MoveFacts) {
  const unit: UnitDefinition = UNITS[code];
  const { actual, previous } = move;
  const style = styleFor(unit, [actual.value, previous.value]);
  const [before, now] = [previous.value, actual.value].map((value) => formatNumber(locale, value, style));
  const told = figuresIn(locale, unit, before ?? '', now ?? '');
  return {
    name: name[locale],
    publisher: publisher[locale],
    ...told,
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    move: sizeIn(locale, unit, move, exactSize(move)),
    ordinary: sizeIn(locale, unit, move, plain(move.ordinary)),
    count: String(move.count),
    since:
      superlative === null
        ? ''
        : superlative.matched
          ? formatPeriod(locale, superlative.since)
          : formatWhen(locale, superlative.since),
  };
}

/** An exchange rate is read to its last digit; other figures are shortened where nothing is lost by it. */
function styleFor(unit: UnitDefinition, values: readonly string[]): NumberStyle {
  return unit.dimension === 'exchange_rate'
    ? { decimals: Math.max(...values.map(decimalsOf)), compact: false }
    : styleOf(values, false);
}

/** Both figures as a sentence names them, and the new one as a headline does. The name of a pair says its unit. */
function figuresIn(locale: Locale, unit: UnitDefinition, previous: string, actual: string) {
  if (unit.dimension === 'exchange_rate') return { previous, actual, alone: actual };
  const { from, to } = fromTo(locale, unit, previous, actual);
  return { previous: from, actual: to, alone: withUnit(locale, unit, actual) };
}

/** The size of the move itself, from the printed figures where it is a difference. */
function exactSize({ measure, step, actual, previous }: Move): string {
  return measure === 'share'
    ? plain(Math.abs(step))
    : difference(actual.value, previous.value).replace(/^-/, '');
}

function sizeIn(locale: Locale, unit: UnitDefinition, { measure }: Move, size: string): string {
  if (measure === 'share') {
    const decimals = Number(size) < 0.95 ? 2 : 1;
    return `${formatNumber(locale, size, { decimals, compact: false })}%`;
  }
  const number = formatNumber(locale, size, { decimals: Math.min(decimalsOf(size), 2), compact: false });
  if (measure === 'amount') return differenceInUnit(locale, unit, number);
  return locale === 'en' ? `${number} ${PERCENTAGE_POINTS.en}` : `${number}${PERCENTAGE_POINTS[locale]}`;
}

/** Without an exponent, and without what floating point adds. */
const plain = (value: number): string => String(Number(value.toFixed(6)));
