// Headline and summary of a decision in three languages. Its day is the one from which it holds.
import { difference } from '../../../figures/decimal.js';
import { PERCENTAGE_POINTS, UNITS, type UnitCode } from '../../../figures/units.js';
import { formatDay, formatNumber, styleOf } from '../../../locale/format.js';
import { LOCALES, type Locale, type Localized } from '../../../locale/locale.js';
import en from '../../../locale/messages/en/decisions.json' with { type: 'json' };
import ja from '../../../locale/messages/ja/decisions.json' with { type: 'json' };
import zh from '../../../locale/messages/zh/decisions.json' with { type: 'json' };
import { compileTemplate, type Fill } from '../templates.js';
import type { Decision } from './decisions.rule.js';

export interface DecisionSubject {
  readonly name: Localized;
  readonly region: Localized;
  readonly publisher: Localized;
  readonly unit: UnitCode;
}

export interface DecisionTexts {
  readonly headline: Localized;
  readonly summary: Localized;
}

const compile = ({ headline, summary, points }: typeof en) => ({
  headline: { up: compileTemplate(headline.up), down: compileTemplate(headline.down) },
  summary: { up: compileTemplate(summary.up), down: compileTemplate(summary.down) },
  points: compileTemplate(points),
});
const TEMPLATES = { en: compile(en), zh: compile(zh), ja: compile(ja) } as const;

export function decisionTexts(subject: DecisionSubject, decision: Decision): DecisionTexts {
  const { actual, previous } = decision;
  const delta = difference(actual, previous.value);
  const direction = delta.startsWith('-') ? 'down' : 'up';
  const words = (locale: Locale) => wordsIn(locale, subject, decision, delta.replace(/^-/, ''));
  const inAll = (fill: (locale: Locale) => Fill): Localized => {
    const [first = '', second = '', third = ''] = LOCALES.map((locale) => fill(locale)(words(locale)));
    return { en: first, zh: second, ja: third };
  };
  return {
    headline: inAll((locale) => TEMPLATES[locale].headline[direction]),
    summary: inAll((locale) => TEMPLATES[locale].summary[direction]),
  };
}

function wordsIn(
  locale: Locale,
  { name, region, publisher, unit }: DecisionSubject,
  { period, actual, previous }: Decision,
  delta: string,
): Record<string, string> {
  const style = styleOf([actual, previous.value], false);
  const shown = (value: string): string =>
    UNITS[unit].display[locale].replace('{n}', formatNumber(locale, value, style));
  const n = formatNumber(locale, delta, styleOf([delta], false));
  return {
    region: region[locale],
    name: name[locale],
    publisher: publisher[locale],
    day: formatDay(locale, period),
    actual: shown(actual),
    previous: shown(previous.value),
    delta: TEMPLATES[locale].points({ n, unit: PERCENTAGE_POINTS[locale] }),
  };
}
