// Title and summary of a signal in every language.
import { fromTo, measuredName, writeFigures, type FigureUnit } from '../../../domain/figures/figure-text.js';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import { isExchangeRate, unitNamed, type UnitCode, type UnitDefinition } from '../../../domain/figures/units.js';
import { capitalised, formatPeriod, formatWhen } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { placeIn } from '../../../domain/locale/places.js';
import type { Messages } from '../../../domain/locale/voice/voice.js';
import type { Direction } from './signal.js';

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
export interface SignalParts {
  readonly title: Sentence;
  readonly summary: Sentence;
  readonly words: Words;
}

export function textsOf({ publisher, period, basis }: Sourced, say: (locale: Locale) => SignalParts): SignalTexts {
  const parts = inAll(say);
  return {
    title: inAll((locale) => capitalised(parts[locale].title(parts[locale].words).replace(/^the /i, ''))),
    summary: inAll((locale) => {
      const { summary, words } = parts[locale];
      const source = { publisher: publisher[locale], day: formatPeriod(locale, period) };
      return capitalised(summary(words)) + SENTENCES[locale].signals.source[basis](source);
    }),
  };
}

/** The words for a move: prices, amounts and rates have different verbs. */
export function moveWords(locale: Locale, unit: UnitCode, direction: Direction, market: boolean): Readonly<Words> {
  const { dimension }: UnitDefinition = unitNamed(unit);
  const amount = dimension === 'money' || dimension === 'count';
  const manner = dimension === 'ratio' ? 'rate' : market ? 'price' : amount ? 'amount' : 'rate';
  // More of a currency to the dollar is a weaker currency.
  const words = SENTENCES[locale].signals.words[isExchangeRate(unit) && !market ? 'exchange' : manner];
  return Object.fromEntries(Object.entries(words[direction]).map(([word, say]) => [word, say({})]));
}

const IN_DOLLARS: ReadonlySet<UnitCode> = new Set(['usd', 'usd_per_person']);

/** What rises in dollars may have fallen in the economy's own currency, so a direction names the dollar. */
export const directedName = (locale: Locale, unit: UnitCode, name: string): string =>
  IN_DOLLARS.has(unit) ? SENTENCES[locale].signals.dollars({ name }) : measuredName(locale, unit, name);

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

export const spanWords = (locale: Locale, kind: keyof Messages['signals']['spans'], count: number): string =>
  SENTENCES[locale].signals.spans[kind]({ n: VOICES[locale].count(count) });

/** Up to three economies, the largest first, joined as the language joins them. */
export function listed(
  locale: Locale,
  economies: readonly { readonly region: string; readonly name: Localized; readonly weight: number }[],
): string {
  const { two, three } = SENTENCES[locale].signals.list;
  const heaviest = economies.toSorted((a, b) => b.weight - a.weight || (a.region < b.region ? -1 : 1));
  const [a = '', b, c] = heaviest.map(({ region, name }) => placeIn(locale, region, name[locale]));
  if (b === undefined) return a;
  return c === undefined ? two({ a, b }) : three({ a, b, c });
}
