// What one change says: in a few words for a title, and as a sentence for the summary.
import { difference, isAbove } from '../../../domain/figures/decimal.js';
import { figureText, measuredName, withBase, writeFigures } from '../../../domain/figures/figure-text.js';
import { isExchangeRate } from '../../../domain/figures/units.js';
import { isBalance, namedBySign, nameOf } from '../../../domain/figures/wording.js';
import { formatPeriod, lowered } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Messages } from '../../../domain/locale/voice/voice.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import {
  classify,
  figureWords,
  turnWords,
  type Classified,
  type ComparedFigure,
  type Form,
} from '../../derive/classify.js';
import { decisionWords } from '../../derive/decisions/decision-texts.js';
import { exchangeWords } from '../../derive/exchange-texts.js';
import { indexChange, sayPercent, type IndexChange } from '../../derive/index-change.js';
import { rebasingWords, restatedIn } from '../../derive/rebasing-texts.js';
import type { Rebasing } from '../../derive/release-revision.rule.js';
import { measured } from '../../derive/templates.js';
import { moveIn } from './move-clause.js';
import { isFigure, type Style, type MentionedChange, type MentionedFigure } from './mentioned-change.js';
import { ownerIn } from './wording.js';

type Words = Readonly<Record<string, string>>;

/** Of one revision among several; `alone`: all of them are of this economy, which has been named. */
export function partIn(locale: Locale, change: MentionedFigure, alone: boolean): string {
  const { revised } = SENTENCES[locale].briefs.clause;
  const figure = comparedOf({ ...change, rebasing: null });
  const found = classify(locale, figure);
  const words = wordsIn(locale, 'part', change, figure, found);
  const { sidedRevision, revisedOf } = VOICES[locale];
  const side = sidedRevision && isBalance(change.wording) ? (words['name'] ?? '') : '';
  return revised[revisedWay(found.form)].part({
    ...words,
    period: (words['period'] ?? '') + side,
    region: revisedOf(words['region'] ?? '', alone),
  });
}

/** A larger deficit is no figure revised up. */
function revisedWay(form: Form): keyof Messages['briefs']['clause']['revised'] {
  if (form.form !== 'revision' || form.way === 'deeper' || form.way === 'shallower') return 'crossed';
  return form.way === 'slight_up' || form.way === 'slight_down' ? 'slight' : form.way;
}

const comparedOf = (change: MentionedFigure): ComparedFigure => ({
  ...change,
  // What is stored does not say whether one factor moved all figures of an index.
  rebased: change.rebasing === null ? null : { proportional: true },
});

/** Falls back to the headline for a change without a clause. */
export function clauseIn(locale: Locale, style: Exclude<Style, 'part'>, change: MentionedChange): string {
  if (change.kind === 'move') return moveIn(locale, style, change) ?? change.headline[locale];
  if (!isFigure(change)) return (style === 'sentence' ? presenceIn(locale, change) : null) ?? change.headline[locale];
  const { clause } = SENTENCES[locale].briefs;
  const figure = comparedOf(change);
  const found = classify(locale, figure);
  const { form } = found;
  if (change.rebasing !== null && form.form === 'rebasing') {
    const ways = { ...clause.rebased.figures, ...clause.rebased[form.way] };
    return ways[style](rebasedWords(locale, style, change, change.rebasing));
  }
  if (change.kind === 'decision') return decisionIn(locale, style, change);
  const words = wordsIn(locale, style, change, figure, found);
  if (form.form === 'revision') return clause.revised[revisedWay(form)][style](words);
  if (form.form === 'index') return indexIn(locale, style, change, words, form.change);
  if (form.form === 'exchange' && form.way !== 'same') {
    const exchange = exchangeWords(locale, { ...change, region: change.regionName }, change.actual, change.previous);
    return clause.exchange[style]({ ...words, ...exchange, percent: exchange?.['share'] ?? '' });
  }
  return clause[found.manner][style](words);
}

/** A figure that its source withdrew, or gives again. */
function presenceIn(locale: Locale, { presence, ...rest }: MentionedChange): string | null {
  const change = { ...rest, actual: rest.actual ?? rest.previous };
  if (presence == null || !isFigure(change)) return null;
  const figure = comparedOf(change);
  const found = classify(locale, figure);
  return SENTENCES[locale].briefs.clause.presence[presence]({
    ...figureWords(locale, figure, found),
    region: ownerIn(locale, 'sentence', change),
    figure: figureText(locale, change, found.now.value),
  });
}

/** The item has its headline; the sentence adds the median. */
const rebasedWords = (locale: Locale, style: Style, change: MentionedFigure, rebasing: Rebasing): Words => ({
  ...rebasingWords(locale, change, rebasing),
  region: ownerIn(locale, style, change),
  name: measured(locale, change, measuredName(locale, change.unit, lowered(locale, change.name[locale]))),
  newest: restatedIn(locale, change, { ...change, previous: { value: change.previous } }),
  period: formatPeriod(locale, change.period),
});

/** It differs from the figure before, but not in what a sentence prints. */
export const isSteady = (locale: Locale, change: MentionedFigure): boolean =>
  classify(locale, comparedOf(change)).manner === 'steady';

/** Whether other economies' figures may be mentioned beside it: it moved along one side of zero, in every language. */
export const isComparable = (change: MentionedFigure): boolean =>
  change.kind === 'release' &&
  change.previous !== null &&
  (change.wording.sides === null || isBelowZero(change.actual) === isBelowZero(change.previous)) &&
  !(change.aggregate && change.wording.median === true) &&
  indexChange(change) === null &&
  !isExchangeRate(change.unit);

export const isBelowZero = (value: string): boolean => isAbove('0', value);

function wordsIn(
  locale: Locale,
  style: Style,
  change: MentionedFigure,
  figure: ComparedFigure,
  found: Classified,
): Words {
  const { now, before, turn } = found;
  const former = formerIn(locale, style, change);
  const values = [now.value, before?.value, former].filter((value) => typeof value === 'string');
  const shown = found.manner === 'steady' ? [now.value] : values;
  const { full, beside } = writeFigures(locale, change, shown, change.like);
  const { restated } = SENTENCES[locale].briefs.clause;
  return {
    actual: full[0] ?? '',
    previous: former === null ? (beside[1] ?? '') : restated({ figure: beside[1] ?? '', former: beside[2] ?? '' }),
    ...figureWords(locale, figure, found),
    ...(turn !== null && turnWords(locale, figure, turn)),
    region: ownerIn(locale, style, change),
  };
}

/** From 2.26% (revised from 2.31%): a title has no room for it, and a figure of another sign another name. */
function formerIn(locale: Locale, style: Style, change: MentionedFigure): string | null {
  const { wording, previous, formerPrevious } = change;
  if (style !== 'sentence' || formerPrevious === undefined || previous === null) return null;
  const name = nameOf(change.kind, change.name, wording);
  const [now, former] = [previous, formerPrevious].map((value) => namedBySign(locale, name, wording, value));
  return now?.negative === former?.negative ? (former?.value ?? null) : null;
}

function indexIn(
  locale: Locale,
  style: Exclude<Style, 'part'>,
  { unit }: MentionedFigure,
  words: Words,
  { year }: IndexChange,
): string {
  const { index, alone } = SENTENCES[locale].briefs.clause;
  if (year !== null) return sayPercent(locale, index[style], year, words);
  return alone[style]({ ...words, actual: withBase(locale, unit, words['actual'] ?? '') });
}

function decisionIn(locale: Locale, style: Exclude<Style, 'part'>, change: MentionedFigure): string {
  const { decision } = change.wording;
  if (decision === undefined || change.previous === null) return change.headline[locale];
  const way = difference(change.actual, change.previous).startsWith('-') ? 'cut' : 'raised';
  return SENTENCES[locale].briefs.clause.decision[way][style]({
    ...decisionWords(locale, decision, { ...change, previous: change.previous }),
    day: formatPeriod(locale, change.period),
  });
}
