// What happened to a figure: the one classification from which texts of changes and of briefs choose their form.
import { difference, isAbove, percentChange, sameNumber, unsigned } from '../../domain/figures/decimal.js';
import {
  looksAlike,
  fromTo,
  isSlight,
  readsAlike,
  writeFigures,
  type FigureUnit,
} from '../../domain/figures/figure-text.js';
import { isExchangeRate, unitNamed } from '../../domain/figures/units.js';
import {
  namedBySign,
  nameOf,
  turnBetween,
  turnedTo,
  verbForms,
  type SignedName,
  type Turn,
  type Wording,
} from '../../domain/figures/wording.js';
import { formatPeriod, formatPeriodBeside, formatWhen, formatWhenBeside, lowered } from '../../domain/locale/format.js';
import type { Locale, Localized } from '../../domain/locale/locale.js';
import { indexChange, type IndexChange } from './index-change.js';
import { isApart } from './rebasing-texts.js';
import { measured } from './templates.js';

/** A figure of an indicator beside the one that it is compared with. */
export interface ComparedFigure extends FigureUnit {
  readonly kind: string;
  readonly name: Localized;
  readonly wording: Wording;
  /** Whether the region is a group of economies. */
  readonly aggregate?: boolean | undefined;
  readonly period: string;
  /** Decimals as plain text. */
  readonly actual: string;
  readonly previous: string | null;
  readonly previousPeriod: string | null;
  /** The figure of the same month a year earlier, as known on the day; null for other frequencies. */
  readonly yearBefore: string | null;
  /** Of a restatement of most periods: whether all figures of an index moved by one factor. */
  readonly rebased: { readonly proportional: boolean } | null;
}

export type Manner = 'alone' | 'same' | 'crossed' | 'steady' | 'slight' | 'moved';

export type Form =
  | { readonly form: 'rebasing'; readonly way: 'index' | 'scale' | 'crossed' | 'figures' }
  | {
      readonly form: 'revision';
      readonly way:
        'crossed' | 'steady' | 'slight' | 'slight_up' | 'slight_down' | 'deeper' | 'shallower' | 'up' | 'down';
    }
  | { readonly form: 'index'; readonly change: IndexChange }
  /** The region's currency gains what its exchange rate loses. */
  | { readonly form: 'exchange'; readonly way: 'same' | 'steady' | 'up' | 'down' }
  | { readonly form: 'figure' };

export interface Classified {
  readonly form: Form;
  readonly manner: Manner;
  /** Both figures as the language names them. */
  readonly now: SignedName;
  readonly before: SignedName | null;
  /** Of the value that the language names: a larger deficit is a rise. */
  readonly up: boolean;
  readonly turn: Turn | null;
}

export function classify(locale: Locale, figure: ComparedFigure): Classified {
  const { kind, wording, actual, previous } = figure;
  const name = nameOf(kind, figure.name, wording);
  const now = namedBySign(locale, name, wording, actual);
  const before = previous === null ? null : namedBySign(locale, name, wording, previous);
  const up = before === null || isAbove(now.value, before.value);
  const turn = turnBetween(wording, actual, previous);
  const manner = mannerOf(locale, figure, turn);
  return { form: formOf(figure, manner, now.negative, up), manner, now, before, up, turn };
}

function mannerOf(locale: Locale, figure: ComparedFigure, turn: Turn | null): Manner {
  const { actual, previous } = figure;
  if (previous === null) return 'alone';
  if (sameNumber(actual, previous)) return 'same';
  if (turn !== null) return 'crossed';
  if (isSteady(locale, figure, previous)) return 'steady';
  return isSlight(figure, actual, previous) ? 'slight' : 'moved';
}

/** It differs from the figure before, but not in what a sentence prints. */
function isSteady(locale: Locale, figure: ComparedFigure, previous: string): boolean {
  const { kind, unit, actual } = figure;
  const share = unitNamed(unit).dimension === 'ratio' ? null : percentChange(previous, actual);
  const tiny = share !== null && isAbove('0.005', unsigned(share));
  if (!tiny && !readsAlike(locale, figure, actual, previous)) return false;
  // A revision that rounding does not hide is one, however small.
  return kind === 'release' || looksAlike(locale, figure, actual, previous);
}

function formOf(figure: ComparedFigure, manner: Manner, negative: boolean, up: boolean): Form {
  const { kind, unit, currency, actual, previous, rebased } = figure;
  if (rebased !== null) {
    if (unitNamed(unit).dimension === 'index' && rebased.proportional) return { form: 'rebasing', way: 'index' };
    // That growth became a contraction is the news, however many years were restated with it.
    if (Number(actual) * Number(previous ?? actual) < 0) return { form: 'rebasing', way: 'crossed' };
    return { form: 'rebasing', way: isApart(actual, previous ?? actual) ? 'scale' : 'figures' };
  }
  if (kind === 'revision') {
    if (manner === 'slight' && !negative) return { form: 'revision', way: up ? 'slight_up' : 'slight_down' };
    if (manner === 'crossed' || manner === 'steady' || manner === 'slight') return { form: 'revision', way: manner };
    // A restated exchange rate, up or down, says nothing of a currency that gains or loses.
    if (isExchangeRate(unit)) return { form: 'revision', way: 'crossed' };
    if (negative) return { form: 'revision', way: up ? 'deeper' : 'shallower' };
    return { form: 'revision', way: up ? 'up' : 'down' };
  }
  const change = indexChange(figure);
  if (change !== null) return { form: 'index', change };
  if (!isExchangeRate(unit) || currency === null || previous === null) return { form: 'figure' };
  if (manner === 'same' || manner === 'steady') return { form: 'exchange', way: manner };
  return { form: 'exchange', way: difference(actual, previous).startsWith('-') ? 'up' : 'down' };
}

/** The names of the figure and of its periods, and its verb. */
export const figureWords = (locale: Locale, figure: ComparedFigure, { now, up }: Pick<Classified, 'now' | 'up'>) => ({
  name: measured(locale, figure, lowered(locale, now.name)),
  period: formatPeriod(locale, figure.period),
  when: formatWhen(locale, figure.period),
  previousPeriod: besideOf(formatPeriodBeside, locale, figure),
  previousWhen: besideOf(formatWhenBeside, locale, figure),
  ...verbForms(locale, figure.wording.verb, now.negative, up),
});

const besideOf = (
  format: typeof formatPeriodBeside,
  locale: Locale,
  { period, previousPeriod }: Pick<ComparedFigure, 'period' | 'previousPeriod'>,
): string => (previousPeriod === null ? '' : format(locale, previousPeriod, period));

/** Both figures by their sides, without signs. A revision names the earlier value first; a release names its own first. */
export function turnWords(locale: Locale, figure: ComparedFigure, turn: Turn) {
  const { kind, actual, previous } = figure;
  const before = previous ?? actual;
  const written = writeFigures(locale, figure, [unsigned(actual), unsigned(before)]);
  const { from, to } = kind === 'release' ? { from: written.beside[1], to: written.full[0] } : fromTo(locale, written);
  return {
    name: measured(locale, figure, turn.subject[locale]),
    actual: turnedTo(locale, turn, actual, to ?? ''),
    previous: turnedTo(locale, turn, before, from ?? ''),
  };
}
