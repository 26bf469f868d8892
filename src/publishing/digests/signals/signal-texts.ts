// Title and summary of a signal in three languages.
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { formatDay, formatNumber, formatPeriod, formatWhen, styleOf } from '../../../locale/format.js';
import { LOCALES, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/signals.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/signals.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/signals.json' with { type: 'json' };
import { compileAll, type Compiled } from '../../derive/templates.js';
import type { Direction } from './signal.js';

export type SignalTemplates = Compiled<typeof en>;

export const SIGNAL_TEMPLATES: Readonly<Record<Locale, SignalTemplates>> = {
  en: compileAll(en),
  zh: compileAll(zh),
  ja: compileAll(ja),
};

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
  const said = LOCALES.map((locale) => {
    const { title, summary, words } = say(locale);
    const source = { publisher: publisher[locale], day: formatDay(locale, day) };
    return {
      title: capitalised(title(words)),
      summary: capitalised(summary(words)) + SIGNAL_TEMPLATES[locale].source[basis](source),
    };
  });
  const all = (member: 'title' | 'summary'): Localized => {
    const [english = '', chinese = '', japanese = ''] = said.map((texts) => texts[member]);
    return { en: english, zh: chinese, ja: japanese };
  };
  return { title: all('title'), summary: all('summary') };
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
  const style = styleOf([previous.value, actual.value], unit.compact);
  const shown = (value: string): string =>
    unit.display[locale].replace('{n}', formatNumber(locale, value, style));
  return {
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    previousPeriod: formatPeriod(locale, previous.period),
    previousWhen: formatWhen(locale, previous.period),
    previous: shown(previous.value),
    actual: shown(actual.value),
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

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
