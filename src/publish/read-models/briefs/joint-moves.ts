// Several moves in one clause, the most important first: of the euro against currencies, or of the maturities of a yield curve.
import { currencyName } from '../../../domain/figures/currencies.js';
import { isAbove } from '../../../domain/figures/decimal.js';
import { writeFigures } from '../../../domain/figures/figure-text.js';
import { percentText } from '../../../domain/figures/written-number.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import { formatPeriod, formatPeriodBeside, formatWhen } from '../../../domain/locale/format.js';
import type { Locale, Localized } from '../../../domain/locale/locale.js';
import { priceMoveWords } from '../../derive/moves/move-texts.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { isRate, sizeOf, type OrdinaryStep } from './move-clause.js';
import type { MentionedChange } from './mentioned-change.js';

/** A move that a sentence can tell together with others of its kind. */
export interface JointMove extends MentionedChange {
  readonly instrumentName: Localized;
  readonly unit: UnitCode;
  readonly period: string;
  readonly actual: string;
  readonly previous: string;
}

export const isJointMove = (change: MentionedChange): change is JointMove =>
  change.kind === 'move' &&
  (change.curve !== null || (change.unit === 'currency_per_eur' && change.currency !== null)) &&
  [change.instrumentName, change.unit, change.period, change.actual, change.previous].every((part) => part !== null);

const isUp = ({ actual, previous }: JointMove): boolean => isAbove(actual, previous);
const kindOf = ({ curve, unit }: JointMove): string => curve?.name.en ?? unit;

/** The moves of the same kind and in the same direction, that one among them, in their order. */
export const movedAlike = (one: JointMove, changes: readonly MentionedChange[]): JointMove[] =>
  changes.filter(isJointMove).filter((other) => kindOf(other) === kindOf(one) && isUp(other) === isUp(one));

/** The foremost ones, and the largest of all beside them. */
export function foremostOf(alike: readonly JointMove[], most: number): JointMove[] {
  const [largest] = [...alike].sort((a, b) => sizeOf(b) - sizeOf(a));
  const first = alike.slice(0, most);
  return largest === undefined || first.includes(largest) ? first : [...first, largest];
}

/** @param moves in one direction on one day; at least one */
export function jointMovesIn(
  locale: Locale,
  form: 'title' | 'first' | 'sentence',
  moves: readonly [JointMove, ...JointMove[]],
): string {
  const [{ period, previousPeriod, curve }] = moves;
  const { pairs, curves } = SENTENCES[locale].briefs.clause;
  const way = isUp(moves[0]) ? 'up' : 'down';
  const { item, [way]: templates } = curve === null ? pairs : curves;
  const items = moves.map((move, at) =>
    item[way](curve === null ? pairWords(locale, move, at === 0) : tenorWords(locale, move)),
  );
  return templates[form]({
    name: curve?.name[locale] ?? '',
    list: VOICES[locale].moves(items),
    when: formatWhen(locale, period),
    period: formatPeriod(locale, period),
    before: formatPeriodBeside(locale, previousPeriod ?? period, period),
  });
}

function pairWords(locale: Locale, move: JointMove, first: boolean): Record<string, string> {
  const { currency, unit, actual, previous } = move;
  const { pair } = SENTENCES[locale].briefs.clause.pairs;
  const { full, beside } = writeFigures(locale, { unit, currency }, [actual, previous]);
  return {
    pair: pair[first ? 'first' : 'next']({ currency: currency === null ? '' : currencyName(currency)[locale] }),
    size: percentText(locale, String(sizeOf(move))),
    // The first says of what the rate is, where the sentence has not named both currencies.
    actual: (first && !VOICES[locale].market.unitless ? full : beside)[0] ?? '',
  };
}

function tenorWords(locale: Locale, move: JointMove): Record<string, string> {
  const { instrumentName: name, unit, currency, actual, previous, curve } = move;
  const words = priceMoveWords(locale, { name, unit, currency, actual, previous, percent: null });
  return { tenor: curve?.tenor[locale] ?? '', size: words.move, actual: words.alone };
}

/** A step of a price of the same kind in the same direction stands beside a move: Brent beside WTI. Of the euro, a larger one. */
export const stepLike = (lead: MentionedChange, steps: readonly OrdinaryStep[]): OrdinaryStep | null =>
  lead.kind !== 'move' || isRate(lead)
    ? null
    : (steps.find(
        (step) =>
          step.unit === lead.unit &&
          Number(step.actual) > Number(step.previous) === Number(lead.actual) > Number(lead.previous) &&
          (!isJointMove(lead) || sizeOf(step) > sizeOf(lead)),
      ) ?? null);

/** Such a step that leads, because it is larger than the move; moves of the euro have a clause of their own. */
export function largerStep(lead: MentionedChange, steps: readonly OrdinaryStep[]): OrdinaryStep | null {
  const step = stepLike(lead, steps);
  return step === null || isJointMove(lead) || sizeOf(step) <= sizeOf(lead) ? null : step;
}
