// Title and summary of a brief: what happened, the most important fact first.
import { formatDay } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { pluralForm } from '../../../domain/locale/templates.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import { itemPhrase, type ItemFacts } from './item-texts.js';
import { isJointMove, jointMovesIn, movedAlike } from './joint-moves.js';
import { foremost, isOfEconomy, sectionSentence, tellsDay, toldLike } from './section-sentence.js';
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
 * The day, its foremost item, and the foremost of another domain or, failing that, of another subject; two moves of the
 * euro or of a yield curve may be the day's news, the largest first.
 */
function titleIn(locale: Locale, { day, items }: BriefFacts): string {
  const lead = foremost(items);
  const told = toldLike(
    lead,
    items.filter(({ section }) => section === lead.section),
  );
  const [largest, ...alike] = isJointMove(lead.change) ? movedAlike(lead.change, told) : [];
  const first = items.find(({ change }) => change === largest) ?? lead;
  const others = items.filter((item) => item !== first && isOfEconomy(item));
  const second =
    others.find(({ section, change }) => section !== first.section || change.kind === 'move') ??
    others.find(({ change }) => change.subject === null || change.subject !== first.change.subject);
  const { title } = BRIEF_TEMPLATES[locale];
  // Beside the largest stands the one that people watch most.
  const [next] = alike.sort((a, b) => b.weight - a.weight);
  if (largest !== undefined && next !== undefined && second !== undefined && isJointMove(second.change)) {
    return title.one({ day: formatDay(locale, day), first: jointMovesIn(locale, 'title', [largest, next]) });
  }
  const words = { day: formatDay(locale, day), first: itemPhrase(first)[locale] };
  return second === undefined
    ? title.one(words)
    : // Headlines of moves begin with a common noun.
      title.two({ ...words, second: itemPhrase(second)[locale].replace(/^(?:Spot|Euro) /, lowerCase) });
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
