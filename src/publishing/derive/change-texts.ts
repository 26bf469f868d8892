// Headline and summary of a change in three languages, as a statistics office would announce it.
import { fromTo, withUnit, withUnitSaid } from '../../figures/running-text.js';
import { PERCENTAGE_POINTS, UNITS, type UnitCode, type UnitDefinition } from '../../figures/units.js';
import { inWholeUnits } from '../../figures/whole-units.js';
import {
  formatDay,
  formatNumber,
  formatPeriod,
  formatWhen,
  lowered,
  styleOf,
  type NumberStyle,
} from '../../locale/format.js';
import type { Locale, Localized } from '../../locale/locale.js';
import type { DerivedChange } from './release-revision.rule.js';
import { CHANGE_TEMPLATES, type ChangeTemplates } from './templates.js';

export interface ChangeSubject {
  readonly name: Localized;
  readonly region: Localized;
  readonly unit: UnitCode;
  readonly publisher: Localized;
}

export interface ChangeFacts {
  readonly subject: ChangeSubject;
  readonly change: DerivedChange;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  readonly day: string;
  readonly basis: 'released' | 'retrieved';
}

export interface ChangeTexts {
  readonly headline: Localized;
  readonly summary: Localized;
}

/** How the numbers are written is the same in all languages: which digits, not which words. */
interface Styles {
  readonly figures: NumberStyle;
  readonly delta: NumberStyle;
}

export function changeTexts(printed: ChangeFacts): ChangeTexts {
  const facts = factsInWholeUnits(printed);
  const { actual, previous } = facts.change;
  const { compact } = UNITS[facts.subject.unit];
  const styles = {
    figures: styleOf(previous.value === null ? [actual] : [actual, previous.value], compact),
    delta: styleOf([unsigned(facts.delta ?? '0')], compact),
  };
  const [en, zh, ja] = [
    textsIn('en', facts, styles),
    textsIn('zh', facts, styles),
    textsIn('ja', facts, styles),
  ];
  return {
    headline: { en: en.headline, zh: zh.headline, ja: ja.headline },
    summary: { en: en.summary, zh: zh.summary, ja: ja.summary },
  };
}

/** Running text counts in dollars, not in billions of them. */
function factsInWholeUnits(facts: ChangeFacts): ChangeFacts {
  const unit: UnitDefinition = UNITS[facts.subject.unit];
  if (unit.scale === 0) return facts;
  const whole = (value: string | null): string | null => (value === null ? null : inWholeUnits(value, unit));
  const { actual, previous } = facts.change;
  const change = {
    ...facts.change,
    actual: inWholeUnits(actual, unit),
    previous: { ...previous, value: whole(previous.value) },
  };
  return { ...facts, change, delta: whole(facts.delta) };
}

function textsIn(locale: Locale, facts: ChangeFacts, styles: Styles): { headline: string; summary: string } {
  const templates = CHANGE_TEMPLATES[locale];
  const words = wordsIn(locale, facts, styles, templates);
  const source = templates.source[facts.basis](words);
  const direction = facts.delta?.startsWith('-') === true ? 'down' : 'up';
  if (facts.change.kind === 'revision') {
    const { headline, summary } = templates.revision;
    return { headline: headline[direction](words), summary: summary[direction](words) + source };
  }
  const { headline, summary } = templates.release;
  const missing = facts.change.previous.missing;
  const said = missing ?? (Number(facts.delta) === 0 ? 'same' : 'moved');
  return {
    headline: headline[missing === null ? 'compared' : 'alone'](words),
    summary: summary[said](words) + source,
  };
}

function wordsIn(
  locale: Locale,
  { subject, change, delta, deltaPercent, day }: ChangeFacts,
  styles: Styles,
  templates: ChangeTemplates,
): Record<string, string> {
  const unit: UnitDefinition = UNITS[subject.unit];
  const { previous } = change;
  const words: Record<string, string> = {
    region: subject.region[locale],
    name: lowered(locale, subject.name[locale]),
    period: formatPeriod(locale, change.period),
    when: formatWhen(locale, change.period),
    previousPeriod: formatPeriod(locale, previous.period),
    previousWhen: formatWhen(locale, previous.period),
    ...figuresIn(locale, unit, change, styles.figures),
    publisher: subject.publisher[locale],
    day: formatDay(locale, day),
    knownSince: previous.knownSince === null ? '' : formatDay(locale, previous.knownSince),
  };
  if (delta === null) return words;
  words['delta'] = step(locale, unit, formatNumber(locale, unsigned(delta), styles.delta), templates);
  const direction = delta.startsWith('-') ? 'down' : 'up';
  const amount = unit.dimension === 'money' || unit.dimension === 'count';
  const percent = amount && deltaPercent !== null ? unsigned(deltaPercent) : null;
  if (percent !== null) words['percent'] = formatNumber(locale, percent, { decimals: 1, compact: false });
  const manner = percent !== null && Number(percent) >= 0.05 ? 'share' : amount ? 'amount' : 'rate';
  words['move'] = templates.move[manner][direction](words);
  return words;
}

/** A revision tells from what to what; a release its figure first, and then what it was before. */
function figuresIn(
  locale: Locale,
  unit: UnitDefinition,
  { kind, actual, previous }: DerivedChange,
  style: NumberStyle,
): { readonly actual: string; readonly previous: string } {
  const to = formatNumber(locale, actual, style);
  if (previous.value === null) return { actual: withUnit(locale, unit, to), previous: '' };
  const from = formatNumber(locale, previous.value, style);
  if (kind === 'release')
    return { actual: withUnit(locale, unit, to), previous: withUnitSaid(locale, unit, from) };
  const told = fromTo(locale, unit, from, to);
  return { actual: told.to, previous: told.from };
}

const unsigned = (value: string): string => value.replace(/^-/, '');

/** The size of a difference: in percentage points for percent, bare for rates and indices, else in the unit. */
function step(locale: Locale, unit: UnitDefinition, n: string, templates: ChangeTemplates): string {
  if (unit.dimension === 'ratio') return templates.points({ n, unit: PERCENTAGE_POINTS[locale] });
  if (unit.dimension === 'exchange_rate' || unit.dimension === 'index') return n;
  return withUnit(locale, unit, n);
}
