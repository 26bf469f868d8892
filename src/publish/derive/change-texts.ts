// Headline and summary of a change in every language, as a statistics office would announce it.
import type { FiscalYear } from '../../domain/figures/fiscal-years.js';
import { isAbove, unsigned } from '../../domain/figures/decimal.js';
import {
  figureText,
  fromTo,
  measuredName,
  withBase,
  writeFigures,
  type FigureUnit,
} from '../../domain/figures/figure-text.js';
import { percentBeside, percentText } from '../../domain/figures/written-number.js';
import { frequencyOf, isOldNews, type Frequency } from '../../domain/figures/periods.js';
import { unitNamed } from '../../domain/figures/units.js';
import {
  articled,
  formsBelowZero,
  isBalance,
  wordingOf,
  type Turn,
  type VerbForms,
  type Wording,
} from '../../domain/figures/wording.js';
import { formatDay, formatPeriod, lowered } from '../../domain/locale/format.js';
import type { Locale } from '../../domain/locale/locale.js';
import type { Fill } from '../../domain/locale/templates.js';
import { SENTENCES, VOICES } from '../../domain/locale/voice/voices.js';
import { classify, figureWords, turnWords, type Classified, type ComparedFigure } from './classify.js';
import { contextText } from './context-texts.js';
import type { FigureContext } from './context.rule.js';
import { exchangeWords } from './exchange-texts.js';
import { sayPercent } from './index-change.js';
import { rebasingWords, restatedIn } from './rebasing-texts.js';
import type { RevisionFacts } from './revision-facts.rule.js';
import { earlierText, formerWords, smallerText } from './revision-texts.js';
import type { DerivedChange } from './release-revision.rule.js';
import {
  averaged,
  measured,
  textsInAll,
  sourceText,
  type ChangeTexts,
  type DatedVintage,
  type SeriesNames,
} from './templates.js';

export interface ChangeFacts extends DatedVintage {
  readonly subject: SeriesNames;
  readonly change: DerivedChange;
  readonly delta: string | null;
  readonly deltaPercent: string | null;
  /** The figure of the same month a year earlier, as known on the day; null for other frequencies. */
  readonly yearBefore: string | null;
  readonly formerYear?: string | null; // Of an index: the change on the year of the figure before, in percent.
  readonly published?: boolean; // The earlier figure, on the day since which it is known.
  readonly context?: FigureContext | null; // Of a release.
  readonly revision?: RevisionFacts | null;
  readonly fiscalYear?: FiscalYear | null; // Where the year is no calendar year.
}

export function changeTexts(facts: ChangeFacts): ChangeTexts {
  const wording = wordingOf(facts.subject.wording, facts.subject.aggregate === true);
  return textsInAll((locale) => textsIn(locale, { ...facts, subject: { ...facts.subject, wording } }));
}

function textsIn(locale: Locale, facts: ChangeFacts): { headline: string; summary: string; context: string } {
  const { release, revision, rebasing } = SENTENCES[locale].changes;
  const { subject, change } = facts;
  const figure = comparedOf(facts);
  const found = classify(locale, figure);
  const words = wordsIn(locale, facts, figure, found);
  const old = change.kind === 'release' && isOldNews(change.period, facts.day);
  const former = formerWords(locale, subject, change);
  const revised = former === null ? '' : release.previousRevised({ ...words, ...former });
  const turn = turnBeside(facts);
  const context = facts.context ? contextText(locale, facts.context, { ...subject, ...change, turn }, words) : '';
  const path = facts.revision ? earlierText(locale, subject, change, facts.revision) : '';
  const smaller = facts.revision ? smallerText(locale, facts.revision) : '';
  const credit =
    context +
    fiscalYearText(locale, facts) +
    (old ? release.newest({}) : '') +
    revised +
    path +
    smaller +
    sourceText(locale, facts, words, change.kind === 'release');
  const inSummary = { ...words, name: articled(locale, subject.wording, words['name'] ?? '') };
  const { form, manner } = found;
  if (form.form === 'rebasing') {
    const name = measured(locale, subject, measuredName(locale, subject.unit, lowered(locale, subject.name[locale])));
    const restated = change.rebasing && rebasingWords(locale, { ...subject, ...change }, change.rebasing);
    const { headline, summary } = { ...rebasing.figures, ...rebasing[form.way] };
    return {
      headline: headline({ ...words, ...restated, name, newest: restatedIn(locale, subject, change) }),
      summary: summary({ ...words, ...restated, name: articled(locale, subject.wording, name) }) + credit,
      context,
    };
  }
  if (form.form === 'revision') {
    // A figure that reads as before needs no word on when it came out.
    const since = form.way === 'steady' || path !== '' || facts.published !== true ? '' : revision.since(words);
    const { headline, summary } = revision;
    return { headline: headline[form.way](words), summary: summary[form.way](inSummary) + since + credit, context };
  }
  if (form.form === 'index') {
    const { headline, summary } = release.index;
    const level = { ...words, actual: withBase(locale, subject.unit, words['actual'] ?? '') };
    const named = { ...level, name: inSummary.name };
    const { year } = form.change;
    if (year === null)
      return { headline: release.headline.alone(level), summary: summary.level(named) + credit, context };
    const { formerYear = null } = facts;
    const former = formerYear === null ? null : percentText(locale, formerYear, 1);
    const after = (say: Fill) => (former === null ? '' : say({ ...words, percent: former }));
    return {
      headline: sayPercent(locale, headline.year, year, words) + after(headline.after),
      summary: sayPercent(locale, summary.year, year, named) + after(summary.after) + summary.end(level) + credit,
      context,
    };
  }
  if (form.form === 'exchange') {
    return {
      headline: release.headline.exchange[form.way](words),
      summary: release.summary.exchange[form.way](words) + credit,
      context,
    };
  }
  const { dimension } = unitNamed(subject.unit);
  const counted = (dimension === 'money' || dimension === 'count') && words['percent'] !== '';
  const way = manner === 'moved' && counted ? 'share' : manner;
  // No percentage says how a balance moved.
  const lead = way === 'share' && isBalance(subject.wording) ? 'moved' : way;
  const body = way === 'alone' ? (change.previous.missing ?? 'not_published') : way;
  return { headline: release.headline[lead](words), summary: release.summary[body](inSummary) + credit, context };
}

/** Of which months the year is, where it is no calendar year. */
function fiscalYearText(locale: Locale, { change: { period }, fiscalYear }: ChangeFacts): string {
  if (!fiscalYear) return '';
  return SENTENCES[locale].changes.release.fiscalYear({
    period: formatPeriod(locale, period),
    first: formatPeriod(locale, fiscalYear.first),
    last: formatPeriod(locale, fiscalYear.last),
  });
}

/** The words of both signs, where a figure of the sentence is below zero. */
function turnBeside({ subject, change, context }: ChangeFacts): Turn | null {
  const values = [change.actual, change.previous.value, context?.value ?? null];
  return values.some((value) => value !== null && isAbove('0', value)) ? (subject.wording.sides?.turn ?? null) : null;
}

const comparedOf = ({ subject, change, yearBefore }: ChangeFacts): ComparedFigure => ({
  ...subject,
  kind: change.kind,
  period: change.period,
  actual: change.actual,
  yearBefore,
  previous: change.previous.value,
  previousPeriod: change.previous.period,
  rebased: change.rebasing === undefined ? null : { proportional: change.proportional === true },
});

function wordsIn(
  locale: Locale,
  { subject, change, deltaPercent, day }: ChangeFacts,
  figure: ComparedFigure,
  { form, manner, now, before, up, turn }: Classified,
): Record<string, string> {
  const { kind, unit, wording, actual } = figure;
  const values = before === null ? [now.value] : [now.value, before.value];
  const { shown, ...written } = figuresIn(locale, subject, change.kind, values);
  const percent = deltaPercent === null ? null : percentBeside(locale, unsigned(deltaPercent), shown);
  const words = figureWords(locale, figure, { now, up });
  return {
    ...words,
    ...written,
    region: subject.region[locale],
    name: averaged(locale, kind, unit, words.name),
    publisher: subject.publisher[locale],
    day: formatDay(locale, day),
    knownSince: change.previous.knownSince === null ? '' : formatDay(locale, change.previous.knownSince),
    ...(kind === 'release' && belowZero(locale, wording, [now.value, before?.value], written.delta)),
    percent: percent === null ? '' : shareOf(locale, subject, change.period, percent),
    step: percent === null ? '' : VOICES[locale].step(percent, words),
    on: comparisonOf(locale, subject, change.period),
    ...(form.form === 'exchange' && exchangeWords(locale, subject, actual, figure.previous ?? actual)),
    ...(manner === 'crossed' && turn !== null && turnWords(locale, figure, turn)),
    ...(manner === 'steady' && { actual: figureText(locale, subject, now.value) }),
  };
}

const WAYS: Partial<Record<Frequency, 'year' | 'quarter' | 'month'>> = { A: 'year', Q: 'quarter', M: 'month' };

/** What the percentage of a headline compares with: the quarter before; in dollars, where they are not the economy's own. */
function comparisonOf(locale: Locale, { unit, currency }: SeriesNames, period: string): string {
  const { on, inDollars } = SENTENCES[locale].changes.release;
  const way = WAYS[frequencyOf(period)] ?? 'other';
  const compared = on[way]({});
  return unit.startsWith('usd') && currency !== 'USD' ? inDollars({ on: compared }) : compared;
}

/** A share of the quarter before is none of a year, and one of dollars none of the economy's own currency. */
function shareOf(locale: Locale, { unit, currency }: SeriesNames, period: string, percent: string) {
  const { quarterly, dollars } = SENTENCES[locale].changes.release;
  if (frequencyOf(period) === 'Q') return quarterly({ percent });
  const converted = unit.startsWith('usd') && currency !== 'USD';
  return converted ? dollars({ percent }) : percent;
}

interface FiguresSaid {
  readonly actual: string;
  readonly previous: string;
  readonly delta: string;
  /** Both as printed, for a percentage between them. */
  readonly shown: readonly [from: string, to: string];
}

/** A revision names the earlier value first; a release names its own first. */
function figuresIn(
  locale: Locale,
  measure: FigureUnit,
  kind: DerivedChange['kind'],
  values: readonly string[],
): FiguresSaid {
  const written = writeFigures(locale, measure, values);
  const [now = '0', before = '0'] = written.shown;
  const rest = { delta: written.difference, shown: [before, now] as const };
  if (kind === 'release') return { actual: written.full[0] ?? '', previous: written.beside[1] ?? '', ...rest };
  const { from, to } = fromTo(locale, written);
  return { actual: to, previous: from, ...rest };
}

/** In Japanese, what lies below zero shrinks or grows. */
function belowZero(
  locale: Locale,
  wording: Wording,
  [actual, previous]: readonly [actual: string, previous: string | undefined],
  delta: string,
): (VerbForms & { readonly delta: string }) | null {
  const forms = previous === undefined ? null : formsBelowZero(locale, wording, previous, actual);
  if (forms === null) return null;
  const { past, noun } = forms;
  const words = SENTENCES[locale].changes.release.belowZero;
  return { past, noun: words.noun({ noun }), delta: words.delta({ delta }) };
}
