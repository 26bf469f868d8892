// Title and summary of a signal in three languages.
import { fromTo, measuredName, writeFigures, type FigureUnit } from '../../../domain/figures/figure-text.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import { unitNamed, type UnitCode, type UnitDefinition } from '../../../domain/figures/units.js';
import { capitalised, formatPeriod, formatWhen } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import en from '../../../domain/locale/messages/en/signals.json' with { type: 'json' };
import ja from '../../../domain/locale/messages/ja/signals.json' with { type: 'json' };
import zh from '../../../domain/locale/messages/zh/signals.json' with { type: 'json' };
import { placeIn } from '../../../domain/locale/places.js';
import { compileMessages, type Compiled } from '../../../domain/locale/templates.js';
import type { Direction } from './signal.js';

export type SignalTemplates = Compiled<typeof en>;

export const SIGNAL_TEMPLATES = compileMessages({ en, zh, ja });

/** The source of a signal, and the day or period of its newest figure. */
export interface Sourced {
  readonly publisher: Localized;
  readonly period: string;
  readonly basis: VintageBasis | 'observed';
}

export interface SignalTexts {
  readonly title: Localized;
  readonly summary: Localized;
}

type Words = Record<string, string>;
export type Sentence = (words: Readonly<Words>) => string;

/** The sentences of one language and their words. */
export interface Said {
  readonly title: Sentence;
  readonly summary: Sentence;
  readonly words: Words;
}

export function textsOf({ publisher, period, basis }: Sourced, say: (locale: Locale) => Said): SignalTexts {
  const said = inAll(say);
  return {
    title: inAll((locale) => capitalised(said[locale].title(said[locale].words).replace(/^the /i, ''))),
    summary: inAll((locale) => {
      const { summary, words } = said[locale];
      const source = { publisher: publisher[locale], day: formatPeriod(locale, period) };
      return capitalised(summary(words)) + SIGNAL_TEMPLATES[locale].source[basis](source);
    }),
  };
}

/** The words for a move: prices, amounts and rates have different verbs. */
export function moveWords(
  locale: Locale,
  unit: UnitCode,
  direction: Direction,
  market: boolean,
): Readonly<Words> {
  const { dimension }: UnitDefinition = unitNamed(unit);
  const amount = dimension === 'money' || dimension === 'count';
  const manner = dimension === 'ratio' ? 'rate' : market ? 'price' : amount ? 'amount' : 'rate';
  const words = SIGNAL_TEMPLATES[locale].words[manner];
  return Object.fromEntries(Object.entries(words[direction]).map(([word, say]) => [word, say({})]));
}

const IN_DOLLARS: ReadonlySet<UnitCode> = new Set(['usd', 'usd_per_person']);

/** What rises in dollars may have fallen in the economy's own currency, so a direction names the dollar. */
export const directedName = (locale: Locale, unit: UnitCode, name: string): string =>
  IN_DOLLARS.has(unit) ? SIGNAL_TEMPLATES[locale].dollars({ name }) : measuredName(locale, unit, name);

/** Two figures side by side, from an earlier period to a later one. */
export function stepWords(
  locale: Locale,
  measure: FigureUnit,
  previous: { readonly period: string; readonly value: string },
  actual: { readonly period: string; readonly value: string },
): Words {
  const written = writeFigures(locale, measure, [actual.value, previous.value]);
  const values = fromTo(locale, written);
  return {
    period: formatPeriod(locale, actual.period),
    when: formatWhen(locale, actual.period),
    previousPeriod: formatPeriod(locale, previous.period),
    previousWhen: formatWhen(locale, previous.period),
    previous: values.from,
    actual: values.to,
  };
}

const CARDINALS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** English writes small numbers out: nine of the 12 economies. */
export const countWord = (locale: Locale, count: number): string =>
  (locale === 'en' ? CARDINALS[count] : undefined) ?? String(count);

export const spanWords = (locale: Locale, kind: keyof SignalTemplates['spans'], count: number): string =>
  SIGNAL_TEMPLATES[locale].spans[kind]({ n: countWord(locale, count) });

/** Up to three economies, joined as the language joins them. */
export function listed(
  locale: Locale,
  economies: readonly { readonly region: string; readonly name: Localized }[],
): string {
  const { two, three } = SIGNAL_TEMPLATES[locale].list;
  const [a = '', b, c] = economies.map(({ region, name }) => placeIn(locale, region, name[locale]));
  if (b === undefined) return a;
  return c === undefined ? two({ a, b }) : three({ a, b, c });
}
