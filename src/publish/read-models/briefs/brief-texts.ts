// Title and summary of a brief: what happened, the most important fact first.
import { formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { pluralForm } from '../../../domain/locale/templates.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { itemPhrase, type ItemFacts } from './item-texts.js';
import { isJointMove, jointMovesIn, largerStep, movedAlike, stepLike } from './joint-moves.js';
import { moveIn, sizeOf, type OrdinaryStep } from './move-clause.js';
import { foremost, isOfEconomy, sectionSentence, tellsDay, mentionedLike } from './section-sentence.js';

export interface BriefItemFacts extends ItemFacts {
  readonly section: string;
  /** Of the item's most important change. */
  readonly summary: Localized;
}

export interface BriefFacts {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Sorted by importance; at least one. */
  readonly items: readonly BriefItemFacts[];
  /** Steps beside the day's moves that are none; they end the sentence on these. */
  readonly ordinarySteps?: readonly OrdinaryStep[];
  /** The number of all changes of the day. */
  readonly changes: number;
  /** The number of restatements that are too small for a change. */
  readonly smaller?: number;
  /** `basis`: where a text has to say what the day means to the source. */
  readonly publishers: readonly { readonly name: Localized; readonly basis: 'updated' | 'retrieved' | null }[];
}

export function briefTexts(facts: BriefFacts): { title: Localized; summary: Localized } {
  return { title: inAll((locale) => titleIn(locale, facts)), summary: inAll((locale) => summaryIn(locale, facts)) };
}

/**
 * The day, its foremost item, and the foremost of another domain or, failing that, of another subject; two moves of the
 * euro or of a yield curve may be the day's news, the foremost and the largest, or a price and a step of another, the larger first.
 */
function titleIn(locale: Locale, { day, items, ordinarySteps = [] }: BriefFacts): string {
  const lead = foremost(items);
  const mentioned = mentionedLike(
    lead,
    items.filter(({ section }) => section === lead.section),
  );
  const alike = isJointMove(lead.change) ? movedAlike(lead.change, mentioned).filter((one) => one !== lead.change) : [];
  const first = lead;
  const others = items.filter((item) => item !== first && isOfEconomy(item));
  const second =
    others.find(({ section, change }) => section !== first.section || change.kind === 'move') ??
    others.find(({ change }) => change.subject === null || change.subject !== first.change.subject);
  const { title } = SENTENCES[locale].briefs;
  // Beside the foremost stands the one that people watch more, or else the largest.
  const [largest] = alike.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const [watched] = alike.toSorted((a, b) => b.weight - a.weight);
  const next = watched !== undefined && watched.weight > lead.change.weight ? watched : largest;
  if (isJointMove(lead.change) && next !== undefined && second !== undefined && isJointMove(second.change)) {
    return title.one({ day: formatDay(locale, day), first: jointMovesIn(locale, 'title', [lead.change, next]) });
  }
  const words = { day: formatDay(locale, day), first: itemPhrase(first)[locale] };
  const beside = stepLike(first.change, ordinarySteps);
  const phrases = [
    words.first,
    beside === null ? second && itemPhrase(second)[locale] : (moveIn(locale, 'title', beside) ?? ''),
  ];
  if (largerStep(first.change, ordinarySteps) !== null) phrases.reverse();
  const [one = '', other] = phrases;
  return other === undefined
    ? title.one({ ...words, first: one })
    : // Headlines of moves begin with a common noun.
      title.two({ ...words, first: one, second: other.replace(/^(?:Spot|Euro) /, lowerCase) });
}

const isPair = ({ unit }: Pick<OrdinaryStep, 'unit'>): boolean => unit === 'currency_per_eur';

const lowerCase = (text: string): string => text.toLowerCase();

/** One sentence a section, as important as what it leads with. A single change repeats its own text. */
function summaryIn(
  locale: Locale,
  { day, items, ordinarySteps = [], changes, smaller = 0, publishers }: BriefFacts,
): string {
  const [first] = items;
  if (first !== undefined && changes === 1 && ordinarySteps.length === 0) return first.summary[locale];
  const sections = [...new Set(items.map(({ section }) => section))]
    .map((key) => items.filter(({ section }) => section === key))
    .sort((a, b) => rank(items, foremost(a)) - rank(items, foremost(b)));
  const dated = sections.filter(tellsDay);
  // A step stands beside the moves of its kind, or else ends the last sentence on moves.
  const homeOf = ({ unit }: OrdinaryStep) =>
    dated.find((own) => isPair(foremost(own).change) === isPair({ unit })) ?? dated.at(-1);
  const sentences = sections.map((own) =>
    sectionSentence(
      locale,
      own,
      dated.indexOf(own) > 0,
      ordinarySteps.filter((step) => homeOf(step) === own),
    ),
  );
  const count = VOICES[locale].count(smaller);
  const rest = smaller === 0 ? [] : [SENTENCES[locale].briefs.smaller[pluralForm(locale, smaller)]({ count })];
  return [...sentences, ...rest, sourceIn(locale, day, publishers)].join(VOICES[locale].space);
}

/** The place in the brief; behind all economies for a group of countries. */
const rank = (items: readonly BriefItemFacts[], item: BriefItemFacts): number =>
  items.indexOf(item) + (isOfEconomy(item) ? 0 : items.length);

function sourceIn(locale: Locale, day: string, publishers: BriefFacts['publishers']): string {
  const { source } = SENTENCES[locale].briefs;
  const namesOf = (basis: BriefFacts['publishers'][number]['basis']): string[] =>
    publishers.filter((one) => one.basis === basis).map(({ name }) => name[locale]);
  const dated = (['retrieved', 'updated'] as const).flatMap((basis) => {
    const names = namesOf(basis);
    return names.length === 0
      ? []
      : [source[basis]({ names: VOICES[locale].list(names), day: formatDay(locale, day) })];
  });
  const rest = namesOf(null);
  const parts = [...dated, ...(rest.length === 0 ? [] : [VOICES[locale].list(rest)])];
  const list = parts.join(VOICES[locale].semicolon);
  return source[pluralForm(locale, publishers.length)]({ list });
}
