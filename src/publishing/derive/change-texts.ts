// Headline and summary of a change in three languages, as a statistics office would announce it.
import { currencyName } from '../../figures/currencies.js';
import { isAbove, percentChange } from '../../figures/decimal.js';
import { figureText, fromTo, percentText, writeFigures, type FigureUnit } from '../../figures/figure-text.js';
import { UNITS, type UnitCode } from '../../figures/units.js';
import { namedBySign, verbForms, type Wording } from '../../figures/wording.js';
import { formatDay, formatPeriod, formatWhen, lowered } from '../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../locale/locale.js';
import type { DerivedChange } from './release-revision.rule.js';
import { CHANGE_TEMPLATES, type ChangeTemplates } from './templates.js';

export interface SeriesNames {
  readonly name: Localized;
  readonly region: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly wording: Wording;
  readonly publisher: Localized;
}

export interface ChangeFacts {
  readonly subject: SeriesNames;
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

export function changeTexts(facts: ChangeFacts): ChangeTexts {
  const texts = inAll((locale) => textsIn(locale, facts));
  return {
    headline: inAll((locale) => texts[locale].headline),
    summary: inAll((locale) => texts[locale].summary),
  };
}

function textsIn(locale: Locale, facts: ChangeFacts): { headline: string; summary: string } {
  const { release, revision, source } = CHANGE_TEMPLATES[locale];
  const { words, said } = wordsIn(locale, facts);
  const credit = source[facts.basis](words);
  if (facts.change.kind === 'revision') {
    const way = said === 'crossed' ? said : words['direction'] === 'down' ? 'down' : 'up';
    return { headline: revision.headline[way](words), summary: revision.summary[way](words) + credit };
  }
  const headline = said === 'share' ? 'moved' : said;
  const known = headline === 'not_published' || headline === 'withdrawn_by_source' ? 'alone' : headline;
  return { headline: release.headline[known](words), summary: release.summary[said](words) + credit };
}

type Said = keyof ChangeTemplates['release']['summary'];

function wordsIn(
  locale: Locale,
  { subject, change, delta, deltaPercent, day }: ChangeFacts,
): { words: Record<string, string>; said: Said } {
  const { actual, previous, kind } = change;
  const now = namedBySign(locale, subject.name, subject.wording, actual);
  const before =
    previous.value === null ? null : namedBySign(locale, subject.name, subject.wording, previous.value);
  const crossed = before !== null && before.negative !== now.negative;
  const up = before === null || isAbove(now.value, before.value);
  const percent = deltaPercent === null ? null : unsigned(deltaPercent);
  const words = {
    region: subject.region[locale],
    name: lowered(locale, now.name),
    previousName: before === null ? '' : lowered(locale, before.name),
    period: formatPeriod(locale, change.period),
    when: formatWhen(locale, change.period),
    previousPeriod: formatPeriod(locale, previous.period),
    previousWhen: formatWhen(locale, previous.period),
    ...figuresIn(locale, subject, kind, before === null ? [now.value] : [now.value, before.value]),
    publisher: subject.publisher[locale],
    day: formatDay(locale, day),
    knownSince: previous.knownSince === null ? '' : formatDay(locale, previous.knownSince),
    direction: up ? 'up' : 'down',
    ...verbForms(locale, subject.wording.verb, now.negative, up),
    percent: percent === null ? '' : percentText(locale, percent),
  };
  if (previous.missing !== null) return { words, said: previous.missing };
  if (Number(delta) === 0) return { words, said: 'same' };
  if (crossed) return { words, said: 'crossed' };
  const exchange = previous.value === null ? null : exchangeWords(locale, subject, actual, previous.value);
  if (exchange !== null && kind === 'release') return { words: { ...words, ...exchange }, said: 'exchange' };
  const counted = UNITS[subject.unit].dimension === 'money' || UNITS[subject.unit].dimension === 'count';
  return { words, said: counted && percent !== null && Number(percent) >= 0.005 ? 'share' : 'moved' };
}

/** The region's currency gains what the exchange rate loses. `null` for a missing figure. */
function exchangeWords(
  locale: Locale,
  { unit, currency, wording }: SeriesNames,
  actual: string,
  previous: string,
): Record<string, string> | null {
  const gain = currency === null ? null : percentChange(actual, previous);
  if (UNITS[unit].dimension !== 'exchange_rate' || currency === null || gain === null) return null;
  return {
    currency: currencyName(currency)[locale],
    percent: percentText(locale, unsigned(gain)),
    rate: figureText(locale, { unit, currency: locale === 'en' ? null : currency }, actual),
    ...verbForms(locale, wording.verb, false, !gain.startsWith('-')),
  };
}

/** A revision names the earlier value first; a release names its own first. */
function figuresIn(
  locale: Locale,
  measure: FigureUnit,
  kind: DerivedChange['kind'],
  values: readonly string[],
): { readonly actual: string; readonly previous: string; readonly delta: string } {
  const written = writeFigures(locale, measure, values);
  const delta = written.difference;
  if (kind === 'release') return { actual: written.full[0] ?? '', previous: written.beside[1] ?? '', delta };
  const { from, to } = fromTo(locale, written);
  return { actual: to, previous: from, delta };
}

const unsigned = (value: string): string => value.replace(/^-/, '');
