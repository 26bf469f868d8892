// One section of a brief in one sentence: its foremost fact, with its like beside it.
import { writeFigures } from '../../../domain/figures/figure-text.js';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { namedBySign } from '../../../domain/figures/wording.js';
import { capitalised } from '../../../domain/locale/format.js';
import type { Locale } from '../../../domain/locale/locale.js';
import { placeIn } from '../../../domain/locale/places.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import { clauseIn, isBelowZero, isComparable, isSteady } from './clause.js';
import { isRate, moveIn, sizeOf } from './move-clause.js';
import { foremostOf, isJointMove, jointMovesIn, movedAlike } from './joint-moves.js';
import { isFigure, type ToldChange, type ToldFigure } from './told-change.js';
import { alikeIn, isAlike, spanOf, type ItemFacts } from './item-texts.js';

/** How many facts of one kind a sentence lists. */
const LISTED = 3;
/** From this weight on an economy is worth naming beside another. */
const LARGE = 20;

/**
 * @param items of the section, by importance; at least one
 * @param dated whether an earlier sentence of the brief has named the day of its moves
 */
export function sectionSentence(locale: Locale, items: readonly ItemFacts[], dated = false): string {
  const lead = foremost(items);
  const { change } = lead;
  if (isAlike(lead)) return ended(locale, [alikeIn(locale, 'sentence', lead)]);
  if (change.kind === 'move' || change.kind === 'structure') {
    return ended(locale, movesIn(locale, toldLike(lead, items), dated));
  }
  const clause = clauseIn(locale, 'sentence', change);
  if (!isFigure(change)) return ended(locale, [clause]);
  const beside = companionsOf(
    locale,
    change,
    items.map((item) => item.change),
  );
  return ended(locale, [clause, ...(beside.length === 0 ? [] : [companionsIn(locale, beside)])]);
}

/** What a section tells of the kind that it leads with: moves, or changes of companies. */
export function toldLike(lead: ItemFacts, items: readonly ItemFacts[]): ToldChange[] {
  const like = items.filter((item) => item !== lead && item.change.kind === lead.change.kind);
  const changes = [lead, ...like].map(({ change }) => change);
  if (!isJointMove(lead.change)) return byUnit(withLargest(changes));
  const alike = movedAlike(lead.change, changes);
  const others = changes.filter((one) => !alike.some((joint) => joint === one));
  return [...foremostOf(alike, LISTED), ...byUnit(others.slice(0, Math.max(1, LISTED - alike.length)))];
}

/** Two oil prices stand side by side, whatever else moved as much. */
const byUnit = (changes: readonly ToldChange[]): ToldChange[] =>
  [...new Set(changes.map(({ unit }) => unit))].flatMap((of) => changes.filter(({ unit }) => unit === of));

/** Each in a clause of its own, but moves of the euro, or of a yield curve, in one direction in one. */
function movesIn(locale: Locale, changes: readonly ToldChange[], dated: boolean): string[] {
  const told = new Set<ToldChange>();
  return changes.flatMap((change, at) => {
    if (told.has(change)) return [];
    const [largest, ...others] = isJointMove(change) ? movedAlike(change, changes) : [];
    const first = at === 0 && !dated;
    if (largest === undefined || others.length === 0) {
      return [first ? leadIn(locale, change) : clauseIn(locale, 'sentence', change)];
    }
    for (const one of [largest, ...others]) told.add(one);
    return [jointMovesIn(locale, first ? 'first' : 'sentence', [largest, ...others])];
  });
}

/** A market's sentence begins with the day, and with what its moves are compared with. */
const leadIn = (locale: Locale, change: ToldChange): string =>
  (change.kind === 'move' ? moveIn(locale, 'first', change) : null) ?? clauseIn(locale, 'sentence', change);

/** Whether its sentence tells moves of the brief's day, and names it where no earlier one has. */
export const tellsDay = (items: readonly ItemFacts[]): boolean => {
  const { change } = foremost(items);
  return change.kind === 'move' && change.period !== null && frequencyOf(change.period) === 'D';
};

/** The most important ones, and the largest of the first one's kind beside them. */
function withLargest(changes: readonly ToldChange[]): ToldChange[] {
  const told = changes.slice(0, LISTED);
  const [lead] = told;
  const kin = changes.filter((one) => lead !== undefined && isRate(one) === isRate(lead));
  const largest = kin.reduce<ToldChange | null>(
    (most, one) => (most === null || sizeOf(one) > sizeOf(most) ? one : most),
    null,
  );
  return largest === null || told.includes(largest) ? told : [...told, largest];
}

/** What everyone calls an economy goes before groups of countries by income or lending terms. */
export function foremost<Item extends ItemFacts>(items: readonly Item[]): Item {
  const [first] = items;
  if (first === undefined) throw new Error('A section has at least one item');
  return items.find(isOfEconomy) ?? first;
}

/** Not of a group of countries; a change of a price or of a company has no region. */
export const isOfEconomy = ({ change }: ItemFacts): boolean => change.region === null || change.economy;

/** The same figure of the heaviest other economies, on the same side of zero. */
function companionsOf(locale: Locale, lead: ToldFigure, changes: readonly ToldChange[]): ToldFigure[] {
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
    .sort((a, b) => b.weight - a.weight)
    .slice(0, LISTED - 1);
}

function companionsIn(locale: Locale, companions: readonly ToldFigure[]): string {
  const { companion } = BRIEF_TEMPLATES[locale];
  const said = companions.map(
    ({ region, regionName, name, wording, unit, currency, actual, previous, period }, at) => {
      const values = [actual, previous ?? actual].map(
        (value) => namedBySign(locale, name, wording, value).value,
      );
      const { beside } = writeFigures(locale, { unit, currency }, values);
      return companion[at === 0 ? 'first' : 'next']({
        region: placeIn(locale, region, regionName[locale]),
        actual: beside[0] ?? '',
        previous: beside[1] ?? '',
        before: companion.before[spanOf(period)]({}),
      });
    },
  );
  return companion.all({
    list: locale === 'en' ? said.join(', and ') : said.join(locale === 'zh' ? '，' : '、'),
  });
}

/** English and Chinese join with a semicolon, Japanese writes sentences. */
function ended(locale: Locale, clauses: readonly string[]): string {
  if (locale === 'ja') return clauses.map((clause) => `${clause}。`).join('');
  return capitalised(clauses.join(locale === 'en' ? '; ' : '；')) + (locale === 'en' ? '.' : '。');
}
