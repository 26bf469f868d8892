// Title and summary of a signal in three languages.
import { decimalsOf } from '../../../figures/decimal.js';
import { fromTo } from '../../../figures/running-text.js';
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { inWholeUnits } from '../../../figures/whole-units.js';
import {
  capitalised,
  formatDay,
  formatNumber,
  formatPeriod,
  formatWhen,
  styleOf,
} from '../../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/signals.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/signals.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/signals.json' with { type: 'json' };
import { compileMessages, type Compiled } from '../../derive/templates.js';
import type { Direction } from './signal.js';

export type SignalTemplates = Compiled<typeof en>;

export const SIGNAL_TEMPLATES = compileMessages({ en, zh, ja });

/** What is said of the source: who it is, and up to which day its figures are taken in. */
export interface Sourced {
  readonly publisher: Localized;
  readonly day: string;
  readonly basis: 'released' | 'retrieved' | 'observed';
}

export interface SignalTexts {
  readonly title: Localized;
  readonly summary: Localized;
}

type Words = Record<string, string>;
export type Sentence = (words: Readonly<Words>) => string;

/** One language's sentences, made by `words` from what is said there. */
export interface Said {
  readonly title: Sentence;
  readonly summary: Sentence;
  readonly words: Words;
}

export function textsOf({ publisher, day, basis }: Sourced, say: (locale: Locale) => Said): SignalTexts {
  const said = { en: say('en'), zh: say('zh'), ja: say('ja') };
  return {
    title: inAll((locale) => capitalised(said[locale].title(said[locale].words))),
    summary: inAll((locale) => {
      const { summary, words } = said[locale];
      const source = { publisher: publisher[locale], day: formatDay(locale, day) };
      return capitalised(summary(words)) + SIGNAL_TEMPLATES[locale].source[basis](source);
    }),
  };
}

/** The words for a move: prices, amounts and rates rise and fall in words of their own. */
export function moveWords(
  locale: Locale,
  unit: UnitCode,
  direction: Direction,
  market: boolean,
): { readonly adverb: string; readonly past: string; readonly noun: string; readonly opposite: string } {
  const { dimension }: UnitDefinition = UNITS[unit];
  const amount = dimension === 'money' || dimension === 'count';
  const manner = dimension === 'ratio' ? 'rate' : market ? 'price' : amount ? 'amount' : 'rate';
  const words = SIGNAL_TEMPLATES[locale].words[manner];
  const { adverb, past, noun } = words[direction];
  const opposite = words[direction === 'up' ? 'down' : 'up'].noun;
  return { adverb: adverb({}), past: past({}), noun: noun({}), opposite: opposite({}) };
}

/** Two figures side by side, from an earlier period to a later one. */
export function stepWords(
  locale: Locale,
  unitCode: UnitCode,
  previous: { readonly period: string; readonly value: string },
  actual: { readonly period: string; readonly value: string },
): Words {
  const unit: UnitDefinition = UNITS[unitCode];
  // Running text counts in dollars, not in billions of them.
  const values = [previous.value, actual.value].map((value) => inWholeUnits(value, unit));
  // A currency pair is read to its last digit, and its name says the unit.
  const pair = unitCode === 'currency_per_eur';
  const style = pair
    ? { decimals: Math.max(...values.map(decimalsOf)), compact: false }
    : styleOf(values, unit.compact);
  const [before = '', now = ''] = values.map((value) => formatNumber(locale, value, style));
  const told = pair ? { from: before, to: now } : fromTo(locale, unit, before, now);
  return {
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    previousPeriod: formatPeriod(locale, previous.period),
    previousWhen: formatWhen(locale, previous.period),
    previous: told.from,
    actual: told.to,
  };
}

const CARDINALS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** English writes small numbers out. */
export function spanWords(locale: Locale, kind: keyof SignalTemplates['spans'], count: number): string {
  const n = (locale === 'en' ? CARDINALS[count] : undefined) ?? String(count);
  return SIGNAL_TEMPLATES[locale].spans[kind]({ n });
}

/** Up to three names, joined as the language joins them. */
export function listed(locale: Locale, names: readonly Localized[]): string {
  const { two, three } = SIGNAL_TEMPLATES[locale].list;
  const [a = '', b, c] = names.map((name) => name[locale]);
  if (b === undefined) return a;
  return c === undefined ? two({ a, b }) : three({ a, b, c });
}
