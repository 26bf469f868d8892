// Headline and summary of a decision in three languages. Its day is the one from which it holds.
import { difference } from '../../../domain/figures/decimal.js';
import { basisPoints, writeFigures } from '../../../domain/figures/figure-text.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import { formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import en from '../../../domain/locale/messages/en/decisions.json' with { type: 'json' };
import ja from '../../../domain/locale/messages/ja/decisions.json' with { type: 'json' };
import zh from '../../../domain/locale/messages/zh/decisions.json' with { type: 'json' };
import { compileMessages } from '../../../domain/locale/templates.js';
import type { ChangeTexts } from '../change-texts.js';
import type { Decision } from './decisions.rule.js';

export interface DecisionSubject {
  /** Who decides, and the rate as its sentence names it. */
  readonly body: Localized;
  readonly rate: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
}

const TEMPLATES = compileMessages({ en, zh, ja });

export function decisionTexts(subject: DecisionSubject, decision: Decision): ChangeTexts {
  const { actual, previous } = decision;
  const delta = difference(actual, previous.value);
  const direction = delta.startsWith('-') ? 'down' : 'up';
  const words = (locale: Locale) => wordsIn(locale, subject, decision, delta.replace(/^-/, ''));
  return {
    headline: inAll((locale) => TEMPLATES[locale].headline[direction](words(locale))),
    summary: inAll((locale) => TEMPLATES[locale].summary[direction](words(locale))),
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
