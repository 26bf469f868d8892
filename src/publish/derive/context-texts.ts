// The sentence on what stands out about a figure among the earlier ones of its series.
import { unsigned } from '../../domain/figures/decimal.js';
import { figureText, type FigureUnit } from '../../domain/figures/figure-text.js';
import { percentText } from '../../domain/figures/written-number.js';
import { frequencyOf } from '../../domain/figures/periods.js';
import { unitNamed } from '../../domain/figures/units.js';
import { turnedTo, type Turn } from '../../domain/figures/wording.js';
import { formatPeriod, formatWhen } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../domain/locale/voice/voices.js';
import type { FigureContext } from './context.rule.js';

interface Measured extends FigureUnit {
  readonly period: string;
  /** Of a figure whose name says its sign, where one of the sentence is below zero: its average says its own. */
  readonly turn?: Turn | null;
  readonly actual?: string;
}

/** @param words of the figure: its verb, and of an exchange rate its currency */
export function contextText(
  locale: Locale,
  context: FigureContext,
  { period, turn = null, actual = '', ...measure }: Measured,
  words: Readonly<Record<string, string>>,
): string {
  const { context: texts } = SENTENCES[locale].changes;
  const { kind, of, side, since, value } = context;
  if (kind === 'mean' && of === 'step') {
    const mean = percentText(locale, unsigned(value));
    return texts.rate[value.startsWith('-') ? 'down' : 'up']({ mean });
  }
  if (kind === 'mean' && turn !== null) {
    const mean = turnedTo(locale, turn, value, figureText(locale, measure, unsigned(value)));
    return texts.sided({ mean });
  }
  if (kind === 'mean') return texts.mean({ mean: figureText(locale, measure, value) });
  if (kind === 'streak') {
    const { spans } = SENTENCES[locale].signals;
    const frequency = frequencyOf(period);
    const n = VOICES[locale].count(Number(value));
    return texts.streak({ ...words, span: spans[frequency === 'D' ? 'D1' : frequency]({ n }) });
  }
  if (of === null || side === null || (kind !== 'record' && kind !== 'since')) return '';
  const dated = { record: formatWhen, since: formatPeriod }[kind](locale, since);
  // The lowest growth below zero is the largest fall: “it” would be what fell.
  const isFall = of === 'level' && side === 'low' && turn !== null && actual.startsWith('-');
  const { unit, currency } = measure;
  // A deficit as a share of GDP is high or low; an amount is large or small, and that of dollars need not be that of the economy's own currency.
  const compared = of === 'amount' && unitNamed(unit).dimension === 'ratio' ? 'level' : of;
  const terms = unit.startsWith('usd') && currency !== 'USD' ? texts.dollars({}) : '';
  return (isFall ? texts.fall : texts[compared][side])[kind]({ ...words, since: dated, terms });
}
