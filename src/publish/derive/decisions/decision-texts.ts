// Headline and summary of a decision in every language. Its day is the one from which it holds.
import { difference } from '../../../domain/figures/decimal.js';
import { basisPoints, writeFigures } from '../../../domain/figures/figure-text.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import { formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { SENTENCES } from '../../../domain/locale/voice/voices.js';
import type { ChangeTexts } from '../templates.js';
import type { Decision } from './decisions.rule.js';

export interface DecisionSubject {
  /** Who decides, and the rate as its sentence names it. */
  readonly body: Localized;
  readonly rate: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
}

export function decisionTexts(subject: DecisionSubject, decision: Decision): ChangeTexts {
  const { actual, previous } = decision;
  const delta = difference(actual, previous.value);
  const direction = delta.startsWith('-') ? 'down' : 'up';
  const words = (locale: Locale) => wordsIn(locale, subject, decision, delta.replace(/^-/, ''));
  return {
    headline: inAll((locale) => SENTENCES[locale].decisions.headline[direction](words(locale))),
    summary: inAll((locale) => SENTENCES[locale].decisions.summary[direction](words(locale))),
  };
}

function wordsIn(
  locale: Locale,
  { body, rate, publisher, unit }: DecisionSubject,
  { period, actual, previous }: Decision,
  delta: string,
): Record<string, string> {
  const { full } = writeFigures(locale, { unit, currency: null }, [actual, previous.value]);
  return {
    body: body[locale],
    rate: rate[locale],
    publisher: publisher[locale],
    day: formatDay(locale, period),
    actual: full[0] ?? '',
    previous: full[1] ?? '',
    delta: basisPoints(locale, delta),
  };
}
