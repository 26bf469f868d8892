// What one change says: in a few words for a title, and as a sentence for the summary.
import { currencyName } from '../../../domain/figures/currencies.js';
import { difference, isAbove, percentChange, sameNumber, unsigned } from '../../../domain/figures/decimal.js';
import {
  basisPoints,
  figureText,
  fromTo,
  isSlight,
  measuredName,
  percentText,
  readsAlike,
  writeFigures,
} from '../../../domain/figures/figure-text.js';
import { isExchangeRate, unitNamed } from '../../../domain/figures/units.js';
import {
  namedBySign,
  nameOf,
  turnBetween,
  turnedTo,
  verbForms,
  type Turn,
} from '../../../domain/figures/wording.js';
import {
  formatPeriod,
  formatPeriodBeside,
  formatWhen,
  formatWhenBeside,
  lowered,
} from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { isApart, rebasingWords, restatedIn } from '../../derive/rebasing-texts.js';
import type { Rebasing } from '../../derive/release-revision.rule.js';
import { measured } from '../../derive/templates.js';
import { indexChange, indexText, sayPercent, type IndexChange } from '../../derive/index-change.js';
import { moveIn } from './move-clause.js';
import { BRIEF_TEMPLATES, type BriefTemplates } from './brief-templates.js';
import { isFigure, type Form, type ToldChange, type ToldFigure } from './told-change.js';
import { ownerIn } from './wording.js';

type Words = Readonly<Record<string, string>>;

/** Of one revision among several; `alone`: all of them are of this economy, which has been named. */
export function partIn(locale: Locale, change: ToldFigure, alone: boolean): string {
  const { revised } = BRIEF_TEMPLATES[locale].clause;
  const words = wordsIn(locale, 'part', change);
  const own = { en: 'the', zh: '', ja: '' };
  const region = locale === 'ja' ? `${words['region'] ?? ''}の` : (words['region'] ?? '');
  // A Chinese figure of a balance says on which side it is.
  const sided = locale === 'zh' && change.wording.verb === 'widen';
  const side = sided ? (words['name'] ?? '') : '';
  const period = (words['period'] ?? '') + side;
  return revised[revisedIn(locale, change)].part({ ...words, period, region: alone ? own[locale] : region });
}

function revisedIn(locale: Locale, change: ToldFigure): keyof BriefTemplates['clause']['revised'] {
  if (turnOf(change) !== null) return 'crossed';
  if (isSteady(locale, change)) return 'steady';
  if (change.previous !== null && isSlight(change, change.actual, change.previous)) return 'slight';
  // A larger deficit is no figure revised up, and a restated exchange rate no currency that gains.
  if (isExchangeRate(change.unit)) return 'crossed';
  if (namedBySign(locale, change.name, change.wording, change.actual).negative) return 'crossed';
  return isRise(locale, change) ? 'up' : 'down';
}

/** Falls back to the headline for a change without a clause. */
export function clauseIn(locale: Locale, form: Exclude<Form, 'part'>, change: ToldChange): string {
  if (change.kind === 'move') return moveIn(locale, form, change) ?? change.headline[locale];
  if (!isFigure(change)) return change.headline[locale];
  const { clause } = BRIEF_TEMPLATES[locale];
  if (change.rebasing !== null) return rebasedIn(locale, form, change, change.rebasing);
  if (change.kind === 'decision') return decisionIn(locale, form, change);
  const words = wordsIn(locale, form, change);
  if (change.kind === 'revision') return clause.revised[revisedIn(locale, change)][form](words);
  const percents = indexChange(change);
  if (percents !== null) return indexIn(locale, form, words, percents);
  const exchange = exchangeIn(locale, change);
  if (exchange !== null) return clause.exchange[form]({ ...words, ...exchange });
  return clause[mannerOf(locale, change)][form](words);
}

/** The item has its headline; the sentence adds the median. An index may only have another base period. */
function rebasedIn(
  locale: Locale,
  form: Exclude<Form, 'part'>,
  change: ToldFigure,
  rebasing: Rebasing,
): string {
  const { name, unit, period, actual, previous } = change;
  const { rebased } = BRIEF_TEMPLATES[locale].clause;
  const way =
    unitNamed(unit).dimension === 'index'
      ? 'index'
      : previous !== null && isApart(actual, previous)
        ? 'scale'
        : 'figures';
  return rebased[way][form]({
    ...rebasingWords(locale, change, rebasing),
    region: ownerIn(locale, form, change),
    name: measured(locale, change, measuredName(locale, unit, lowered(locale, name[locale]))),
    newest: restatedIn(locale, change, { period, actual, previous: { value: previous } }),
    period: formatPeriod(locale, period),
  });
}

function mannerOf(
  locale: Locale,
  change: ToldFigure,
): 'moved' | 'same' | 'steady' | 'slight' | 'alone' | 'crossed' {
  if (change.previous === null) return 'alone';
  if (sameNumber(change.actual, change.previous)) return 'same';
  if (turnOf(change) !== null) return 'crossed';
  if (isSteady(locale, change)) return 'steady';
  return isSlight(change, change.actual, change.previous) ? 'slight' : 'moved';
}

const turnOf = ({ wording, actual, previous }: ToldFigure): Turn | null =>
  turnBetween(wording, actual, previous);

/** It differs from the figure before, but not in what a sentence prints. */
export const isSteady = (locale: Locale, change: ToldFigure): boolean =>
  change.previous !== null &&
  readsAlike(locale, change, change.actual, change.previous) &&
  // A revision that rounding does not hide is one, however small.
  (change.kind !== 'revision' ||
    figureText(locale, change, change.actual) === figureText(locale, change, change.previous));

/** Whether other economies' figures may be told beside it: it moved along one side of zero, in every language. */
export const isComparable = (change: ToldFigure): boolean =>
  change.kind === 'release' &&
  change.previous !== null &&
  (change.wording.sides === null || isBelowZero(change.actual) === isBelowZero(change.previous)) &&
  !(change.aggregate && change.wording.median === true) &&
  indexChange(change) === null &&
  !isExchangeRate(change.unit);

export const isBelowZero = (value: string): boolean => isAbove('0', value);

/** Of the value that the language names: a larger deficit is a rise. */
function isRise(locale: Locale, { name, wording, actual, previous }: ToldFigure): boolean {
  const value = (of: string): string => namedBySign(locale, name, wording, of).value;
  return previous === null || isAbove(value(actual), value(previous));
}

function wordsIn(locale: Locale, form: Form, change: ToldFigure): Words {
  const { wording, unit, currency, previous, period, previousPeriod } = change;
  const name = nameOf(change.kind, change.name, wording);
  const now = namedBySign(locale, name, wording, change.actual);
  const before = previous === null ? null : namedBySign(locale, name, wording, previous);
  const former = formerIn(locale, form, change);
  const values = [now.value, before?.value, former].filter((value) => typeof value === 'string');
  const measure = { unit, currency };
  const { full, beside } = writeFigures(
    locale,
    measure,
    isSteady(locale, change) ? [now.value] : values,
    change.like,
  );
  const turn = turnOf(change);
  const { clause } = BRIEF_TEMPLATES[locale];
  return {
    region: ownerIn(locale, form, change),
    ...(turn === null
      ? {
          name: measured(locale, change, lowered(locale, now.name)),
          actual: full[0] ?? '',
          previous:
            former === null
              ? (beside[1] ?? '')
              : clause.restated({ figure: beside[1] ?? '', former: beside[2] ?? '' }),
        }
      : turnWords(locale, turn, change)),
    period: formatPeriod(locale, period),
    when: formatWhen(locale, period),
    previousPeriod: previousPeriod === null ? '' : formatPeriodBeside(locale, previousPeriod, period),
    previousWhen: previousPeriod === null ? '' : formatWhenBeside(locale, previousPeriod, period),
    ...verbForms(locale, wording.verb, now.negative, isRise(locale, change)),
  };
}

/** From 2.26% (revised from 2.31%): a title has no room for it, and a figure of another sign another name. */
function formerIn(locale: Locale, form: Form, change: ToldFigure): string | null {
  const { wording, previous, formerPrevious } = change;
  if (form !== 'sentence' || formerPrevious === undefined || previous === null) return null;
  const name = nameOf(change.kind, change.name, wording);
  const [now, former] = [previous, formerPrevious].map((value) => namedBySign(locale, name, wording, value));
  return now?.negative === former?.negative ? (former?.value ?? null) : null;
}

/** Both figures by their sides. A revision names the earlier first, and its unit in full where the language does so. */
function turnWords(locale: Locale, turn: Turn, change: ToldFigure): Words {
  const { kind, unit, currency, actual, previous } = change;
  const before = previous ?? actual;
  const written = writeFigures(locale, { unit, currency }, [unsigned(actual), unsigned(before)]);
  const { from, to } =
    kind === 'revision' ? fromTo(locale, written) : { from: written.beside[1], to: written.full[0] };
  return {
    name: measured(locale, change, turn.subject[locale]),
    actual: turnedTo(locale, turn, actual, to ?? ''),
    previous: turnedTo(locale, turn, before, from ?? ''),
  };
}

/** The region's currency gains what the exchange rate loses. */
function exchangeIn(locale: Locale, { unit, currency, wording, actual, previous }: ToldFigure): Words | null {
  if (!isExchangeRate(unit) || currency === null || previous === null) return null;
  const gain = percentChange(actual, previous);
  if (gain === null || Number(gain) === 0) return null;
  return {
    currency: currencyName(currency)[locale],
    percent: percentText(locale, unsigned(gain)),
    rate: figureText(locale, { unit, currency: locale === 'en' ? null : currency }, actual),
    ...verbForms(locale, wording.verb, false, !gain.startsWith('-')),
  };
}

function indexIn(locale: Locale, form: Exclude<Form, 'part'>, words: Words, change: IndexChange): string {
  const { index } = BRIEF_TEMPLATES[locale].clause;
  if (form === 'sentence') return indexText(locale, index, change, words);
  const { month, year } = change;
  return year === null
    ? sayPercent(locale, index.title.month, month, words)
    : sayPercent(locale, index.title.year, year, words);
}

function decisionIn(locale: Locale, form: Exclude<Form, 'part'>, change: ToldFigure): string {
  const { decision } = change.wording;
  if (decision === undefined || change.previous === null) return change.headline[locale];
  const delta = difference(change.actual, change.previous);
  const { full } = writeFigures(locale, { unit: change.unit, currency: null }, [
    change.actual,
    change.previous,
  ]);
  return BRIEF_TEMPLATES[locale].clause.decision[delta.startsWith('-') ? 'cut' : 'raised'][form]({
    body: decision.body[locale],
    rate: decision.rate[locale],
    delta: basisPoints(locale, unsigned(delta)),
    actual: full[0] ?? '',
    previous: full[1] ?? '',
    day: formatPeriod(locale, change.period),
  });
}
