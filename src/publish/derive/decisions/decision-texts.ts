// Headline and summary of a decision in every language. Its day is the one from which it holds.
import { difference, unsigned } from '../../../domain/figures/decimal.js';
import { basisPoints, writeFigures } from '../../../domain/figures/figure-text.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { DecisionWording } from '../../../domain/figures/wording.js';
import { formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import type { ChangeTexts } from '../templates.js';
import type { Decision } from './decisions.rule.js';

export interface DecisionSubject extends DecisionWording {
  readonly publisher: Localized;
  readonly unit: UnitCode;
}

export function decisionTexts({ publisher, unit, ...wording }: DecisionSubject, decision: Decision): ChangeTexts {
  const { actual, previous, period } = decision;
  const direction = difference(actual, previous.value).startsWith('-') ? 'down' : 'up';
  const words = (locale: Locale) => ({
    ...decisionWords(locale, wording, { unit, actual, previous: previous.value }),
    publisher: publisher[locale],
    day: formatDay(locale, period),
  });
  return {
    headline: inAll((locale) => SENTENCES[locale].decisions.headline[direction](words(locale))),
    summary: inAll((locale) => SENTENCES[locale].decisions.summary[direction](words(locale))),
  };
}

/** Who moved which rate by how much, from what to what: of a target range, both limits. */
export function decisionWords(
  locale: Locale,
  { body, rate, range }: DecisionWording,
  { unit, actual, previous }: { readonly unit: UnitCode; readonly actual: string; readonly previous: string },
) {
  const limits = [actual, previous].flatMap((upper) => [upper, range === undefined ? upper : difference(upper, range)]);
  const { full } = writeFigures(locale, { unit, currency: null }, limits);
  const [now = '', nowLower = '', before = '', beforeLower = ''] = full;
  return {
    body: body[locale],
    rate: rate[locale],
    delta: basisPoints(locale, unsigned(difference(actual, previous))),
    actual: range === undefined ? now : VOICES[locale].range(nowLower, now),
    previous: range === undefined ? before : VOICES[locale].range(beforeLower, before),
  };
}
