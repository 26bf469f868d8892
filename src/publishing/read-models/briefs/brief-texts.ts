// Title and summary of a brief: what happened, the most important fact first.
import { formatDay } from '../../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../../locale/locale.js';
import { pluralForm } from '../../../locale/templates.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import { itemPhrase, type ItemFacts } from './item-texts.js';
import { sizeOf } from './move-clause.js';
import { isPairMove, movedAlike, pairMovesIn } from './pair-moves.js';
import { foremost, isOfEconomy, sectionSentence, tellsDay } from './section-sentence.js';
import { listIn } from './wording.js';

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
  /** The number of all changes of the day. */
  readonly changes: number;
  /** `basis`: where a text has to say what the day means to the source. */
  readonly publishers: readonly {
    readonly name: Localized;
    readonly basis: 'updated' | 'retrieved' | null;
  }[];
}

export function briefTexts(facts: BriefFacts): { title: Localized; summary: Localized } {
  return {
    title: inAll((locale) => titleIn(locale, facts)),
    summary: inAll((locale) => summaryIn(locale, facts)),
  };
}

/**
 * The day, its foremost item, and the foremost of another domain or, failing that, of another subject; two moves in one
 * market may be the day's largest.
 */
function titleIn(locale: Locale, { day, items }: BriefFacts): string {
  const first = largestOf(foremost(items), items);
  const others = items.filter((item) => item !== first && isOfEconomy(item));
  const second =
    others.find(({ section, change }) => section !== first.section || change.kind === 'move') ??
    others.find(({ change }) => change.subject === null || change.subject !== first.change.subject);
  const { title } = BRIEF_TEMPLATES[locale];
  const [largest, next] = isPairMove(first.change)
    ? movedAlike(
        first.change,
        items.map(({ change }) => change),
      )
    : [];
  if (largest !== undefined && next !== undefined && second !== undefined && isPairMove(second.change)) {
    return title.one({ day: formatDay(locale, day), first: pairMovesIn(locale, 'title', [largest, next]) });
  }
  const words = { day: formatDay(locale, day), first: itemPhrase(first)[locale] };
  return second === undefined
    ? title.one(words)
    : // Headlines of moves begin with a common noun.
      title.two({ ...words, second: itemPhrase(second)[locale].replace(/^(?:Spot|Euro) /, lowerCase) });
}

/** A title on the euro leads with its largest move. */
function largestOf(item: BriefItemFacts, items: readonly BriefItemFacts[]): BriefItemFacts {
  const pairs = items.filter(({ change }) => isPairMove(change));
  if (!isPairMove(item.change)) return item;
  return pairs.reduce((most, one) => (sizeOf(one.change) > sizeOf(most.change) ? one : most), item);
}

const lowerCase = (text: string): string => text.toLowerCase();

/** One sentence a section, as important as what it leads with. A single change repeats its own text. */
function summaryIn(locale: Locale, { day, items, changes, publishers }: BriefFacts): string {
  const [first] = items;
  if (first !== undefined && changes === 1) return first.summary[locale];
  const sections = [...new Set(items.map(({ section }) => section))]
    .map((key) => items.filter(({ section }) => section === key))
    .sort((a, b) => rank(items, foremost(a)) - rank(items, foremost(b)));
  const sentences = sections.map((own, at) =>
    sectionSentence(locale, own, tellsDay(own) && sections.slice(0, at).some(tellsDay)),
  );
  return [...sentences, sourceIn(locale, day, publishers)].join(locale === 'en' ? ' ' : '');
}

/** The place in the brief; behind all economies for a group of countries. */
const rank = (items: readonly BriefItemFacts[], item: BriefItemFacts): number =>
  items.indexOf(item) + (isOfEconomy(item) ? 0 : items.length);

function sourceIn(locale: Locale, day: string, publishers: BriefFacts['publishers']): string {
  const { source } = BRIEF_TEMPLATES[locale];
  const namesOf = (basis: BriefFacts['publishers'][number]['basis']): string[] =>
    publishers.filter((one) => one.basis === basis).map(({ name }) => name[locale]);
  const dated = (['retrieved', 'updated'] as const).flatMap((basis) => {
    const names = namesOf(basis);
    return names.length === 0
      ? []
      : [source[basis]({ names: listIn(locale, names), day: formatDay(locale, day) })];
  });
  const rest = namesOf(null);
  const parts = [...dated, ...(rest.length === 0 ? [] : [listIn(locale, rest)])];
  const list = parts.join(locale === 'en' ? '; ' : '；');
  return source[pluralForm(locale, publishers.length)]({ list });
}
