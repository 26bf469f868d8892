// One section of a brief in one sentence: its foremost fact, with its like beside it.
import { writeFigures } from '../../../domain/figures/figure-text.js';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { namedBySign } from '../../../domain/figures/wording.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { formatPeriod, formatWhen } from '../../../domain/locale/format.js';
import { placeIn } from '../../../domain/locale/places.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { clauseIn, isBelowZero, isComparable, isSteady } from './clause.js';
import { isRate, moveIn, sizeOf, type OrdinaryStep } from './move-clause.js';
import { foremostOf, isJointMove, jointMovesIn, largerStep, movedAlike } from './joint-moves.js';
import { isFigure, type MentionedChange, type MentionedFigure } from './mentioned-change.js';
import { alikeIn, isAlike, itemIn, type ItemFacts } from './item-texts.js';

/** How many facts of one kind a sentence lists. */
const LISTED = 3;
/** From this weight on an economy is worth naming beside another. */
const LARGE = 20;
/** From this weight on it leads before a group of which it is a member. */
const LARGEST = 50;

/**
 * @param items of the section, by importance; at least one
 * @param ordinarySteps of the day, that are no moves
 * @param dated whether an earlier sentence of the brief has named the day of its moves
 */
export function sectionSentence(
  locale: Locale,
  items: readonly ItemFacts[],
  dated = false,
  ordinarySteps: readonly OrdinaryStep[] = [],
): string {
  const lead = foremost(items);
  const { change } = lead;
  if (isAlike(lead)) return VOICES[locale].sentences([alikeIn(locale, 'sentence', lead)]);
  if (change.kind === 'move' || change.kind === 'structure') {
    const larger = largerStep(change, ordinarySteps);
    return VOICES[locale].sentences([
      ...(larger === null ? [] : [moveIn(locale, dated ? 'sentence' : 'first', larger) ?? '']),
      ...movesIn(locale, mentionedLike(lead, items), dated || larger !== null),
      ...ordinaryIn(
        locale,
        ordinarySteps.filter((step) => step !== larger),
      ),
    ]);
  }
  const clause = itemIn(locale, 'sentence', lead);
  if (!isFigure(change)) return VOICES[locale].sentences([clause]);
  const beside = companionsOf(
    locale,
    change,
    items.map((item) => item.change),
  );
  // Countries that changed otherwise have clauses of their own, where none of the same size or larger moved alike.
  const others = rivalsOf(change, items);
  const largest = Math.max(0, ...beside.filter(({ aggregate }) => !aggregate).map(({ weight }) => weight));
  if (others.some(({ weight }) => weight > largest))
    return VOICES[locale].sentences([clause, ...others.map((one) => clauseIn(locale, 'sentence', one))]);
  return VOICES[locale].sentences([clause, ...(beside.length === 0 ? [] : [companionsIn(locale, beside)])]);
}

/** The largest other countries with a figure of the same indicator and period, also of those that changed otherwise, as from a decline to growth. */
const rivalsOf = (lead: MentionedFigure, items: readonly ItemFacts[]): MentionedChange[] =>
  items
    .map(({ change }) => change)
    .filter(
      ({ kind, subject, period, region, aggregate, weight }) =>
        kind === lead.kind &&
        subject === lead.subject &&
        period === lead.period &&
        region !== lead.region &&
        !aggregate &&
        weight >= LARGE,
    )
    .sort((a, b) => b.weight - a.weight)
    .slice(0, LISTED - 1);

/** What a section tells of the kind that it leads with: moves, or changes of companies. */
export function mentionedLike(lead: ItemFacts, items: readonly ItemFacts[]): MentionedChange[] {
  const like = items.filter((item) => item !== lead && item.change.kind === lead.change.kind);
  const changes = [lead, ...like].map(({ change }) => change);
  if (!isJointMove(lead.change)) return byUnit(withLargest(changes));
  const alike = movedAlike(lead.change, changes);
  const others = changes.filter((one) => !alike.some((joint) => joint === one));
  return [...foremostOf(alike, LISTED), ...byUnit(others.slice(0, Math.max(1, LISTED - alike.length)))];
}

/** Two oil prices stand side by side, whatever else moved as much. */
const byUnit = (changes: readonly MentionedChange[]): MentionedChange[] =>
  [...new Set(changes.map(({ unit }) => unit))].flatMap((of) => changes.filter(({ unit }) => unit === of));

/** Each in a clause of its own, but moves of the euro, or of a yield curve, in one direction in one. */
function movesIn(locale: Locale, changes: readonly MentionedChange[], dated: boolean): string[] {
  const mentioned = new Set<MentionedChange>();
  return changes.flatMap((change, at) => {
    if (mentioned.has(change)) return [];
    const [largest, ...others] = isJointMove(change) ? movedAlike(change, changes) : [];
    const first = at === 0 && !dated;
    if (largest === undefined || others.length === 0) {
      return [first ? leadIn(locale, change) : clauseIn(locale, 'sentence', change)];
    }
    for (const one of [largest, ...others]) mentioned.add(one);
    return [jointMovesIn(locale, first ? 'first' : 'sentence', [largest, ...others])];
  });
}

/** Steps that are no moves, because their instruments often move as far. */
function ordinaryIn(locale: Locale, steps: readonly OrdinaryStep[]): string[] {
  const clauses = steps.map((step) => moveIn(locale, 'sentence', step) ?? '');
  if (clauses.length === 0) return [];
  const { ordinary } = SENTENCES[locale].briefs.clause;
  return [clauses.reduce((before, one) => ordinary({ list: before, one }))];
}

/** A market's sentence begins with the day, and with what its moves are compared with. */
const leadIn = (locale: Locale, change: MentionedChange): string =>
  (change.kind === 'move' ? moveIn(locale, 'first', change) : null) ?? clauseIn(locale, 'sentence', change);

/** Whether its sentence tells moves of the brief's day, and names it where no earlier one has. */
export const tellsDay = (items: readonly ItemFacts[]): boolean => {
  const { change } = foremost(items);
  return change.kind === 'move' && change.period !== null && frequencyOf(change.period) === 'D';
};

/** The most important ones, and the largest of the first one's kind beside them. */
function withLargest(changes: readonly MentionedChange[]): MentionedChange[] {
  const mentioned = changes.slice(0, LISTED);
  const [lead] = mentioned;
  const kin = changes.filter((one) => lead !== undefined && isRate(one) === isRate(lead));
  const largest = kin.reduce<MentionedChange | null>(
    (most, one) => (most === null || sizeOf(one) > sizeOf(most) ? one : most),
    null,
  );
  return largest === null || mentioned.includes(largest) ? mentioned : [...mentioned, largest];
}

/** What everyone calls an economy goes before groups of countries by income or lending terms. */
export function foremost<Item extends ItemFacts>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error('A section has at least one item');
  const lead = items.find(isOfEconomy) ?? first;
  // A large member stands for the group: its figure is the news.
  const member = items.find(
    ({ change }) => change.subject === lead.change.subject && !change.aggregate && change.weight >= LARGEST,
  );
  return (lead.change.aggregate ? member : undefined) ?? lead;
}

/** Not of a group of countries; a change of a price or of a company has no region. */
export const isOfEconomy = ({ change }: ItemFacts): boolean => change.region === null || change.economy;

/** The same figure of the heaviest other economies, countries before groups of them, on the same side of zero. */
function companionsOf(locale: Locale, lead: MentionedFigure, changes: readonly MentionedChange[]): MentionedFigure[] {
  if (!isComparable(lead) || isSteady(locale, lead)) return [];
  return changes
    .filter(isFigure)
    .filter(
      (one) =>
        one.economy &&
        one.weight >= LARGE &&
        one.region !== 'WLD' &&
        one.region !== lead.region &&
        one.subject === lead.subject &&
        one.period === lead.period &&
        isComparable(one) &&
        !isSteady(locale, one) &&
        (lead.wording.sides === null || isBelowZero(one.actual) === isBelowZero(lead.actual)),
    )
    .sort((a, b) => Number(a.aggregate) - Number(b.aggregate) || b.weight - a.weight)
    .slice(0, LISTED - 1);
}

function companionsIn(locale: Locale, companions: readonly MentionedFigure[]): string {
  const { companion } = SENTENCES[locale].briefs;
  const clauses = companions.map(
    ({ region, regionName, name, wording, unit, currency, actual, previous, ...of }, at) => {
      const values = [actual, previous ?? actual].map((value) => namedBySign(locale, name, wording, value).value);
      const { beside } = writeFigures(locale, { unit, currency }, values);
      return companion[at === 0 ? 'first' : 'next']({
        region: placeIn(locale, region, regionName[locale]),
        actual: beside[0] ?? '',
        previous: beside[1] ?? '',
        previousPeriod: formatPeriod(locale, of.previousPeriod ?? of.period),
        previousWhen: formatWhen(locale, of.previousPeriod ?? of.period),
      });
    },
  );
  return companion.all({ list: clauses.join(VOICES[locale].compared) });
}
