// Title and summary of a brief.
import { capitalised, formatDay, lowered } from '../../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../../locale/locale.js';
import { placeIn } from '../../../locale/places.js';
import { pluralForm } from '../../../locale/templates.js';
import { BRIEF_TEMPLATES } from './brief-templates.js';
import { itemPhrase, type ItemFacts } from './item-texts.js';
import { countIn, listIn } from './wording.js';

export const KINDS = ['release', 'revision', 'move', 'decision', 'structure'] as const;
/** From this many changes on, a summary names the domains with most of them. */
const WORTH_DIVIDING = 5;
const NAMED = 3;

export interface BriefFacts {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Sorted by importance; at least one. */
  readonly items: readonly (ItemFacts & { readonly section: string; readonly summary: Localized })[];
  readonly tally: Readonly<Record<(typeof KINDS)[number] | 'up' | 'down', number>>;
  readonly sections: readonly { readonly name: Localized; readonly changes: number }[];
  /** Those of the most important changes first; `total` counts economies, unlisted ones too, and no aggregates. */
  readonly regions: {
    readonly total: number;
    readonly listed: readonly {
      readonly code: string;
      readonly name: Localized;
      readonly economy: boolean;
    }[];
  };
  readonly publishers: readonly { readonly name: Localized; readonly retrieved: boolean }[];
}

export function briefTexts(facts: BriefFacts): { title: Localized; summary: Localized } {
  return {
    title: inAll((locale) => titleIn(locale, facts)),
    summary: inAll((locale) => summaryIn(locale, facts)),
  };
}

/**
 * The day, its foremost item, and the foremost of another domain or, failing that, of another subject. What everyone
 * calls an economy goes before groups of countries by income or lending terms.
 */
function titleIn(locale: Locale, { day, items }: BriefFacts): string {
  const known = items.filter(({ lead }) => lead.region === null || lead.economy);
  const [first, ...others] = known.length > 0 ? known : items;
  if (first === undefined) throw new Error('A brief has at least one item');
  const second =
    others.find(({ section }) => section !== first.section) ??
    others.find(({ lead }) => lead.subject === null || lead.subject !== first.lead.subject);
  const { title } = BRIEF_TEMPLATES[locale];
  const words = { day: formatDay(locale, day), first: itemPhrase(first)[locale] };
  return second === undefined
    ? title.one(words)
    : title.two({ ...words, second: itemPhrase(second)[locale] });
}

function summaryIn(locale: Locale, facts: BriefFacts): string {
  const [first] = facts.items;
  const total = KINDS.reduce((sum, kind) => sum + facts.tally[kind], 0);
  if (first !== undefined && total === 1) return first.summary[locale];
  const sentences = [
    openingIn(locale, facts),
    ...(total < WORTH_DIVIDING ? [] : [divisionIn(locale, facts)]),
    directionIn(locale, facts),
    sourceIn(locale, facts),
  ];
  return sentences.filter((text) => text !== '').join(locale === 'en' ? ' ' : '');
}

function openingIn(locale: Locale, { tally, regions, items }: BriefFacts): string {
  const { kinds, opening } = BRIEF_TEMPLATES[locale];
  const present = KINDS.filter((kind) => tally[kind] > 0);
  const [only] = present;
  if (only === 'move' && present.length === 1) return capitalised(movesIn(locale, items, tally.move));
  const counted = present.map((kind) =>
    kinds[kind][pluralForm(locale, tally[kind])]({ count: countIn(locale, tally[kind]) }),
  );
  const way = present.length === 1 && (only === 'release' || only === 'revision') ? 'figures' : 'mixed';
  const list = locale === 'en' ? listIn(locale, counted) : counted.join('、');
  return capitalised(opening[way]({ list, where: whereIn(locale, regions) }));
}

/** What moved, where a day has market moves only. */
function movesIn(locale: Locale, items: BriefFacts['items'], total: number): string {
  const { moves } = BRIEF_TEMPLATES[locale].opening;
  const named = items.flatMap(({ lead }) =>
    lead.instrumentName === null ? [] : [lead.instrumentName[locale]],
  );
  if (total <= NAMED) return moves.all({ names: listIn(locale, named) });
  const names = named.slice(0, NAMED);
  const list = locale === 'en' ? listIn(locale, names) : names.join('、');
  return moves.some({ names: list, count: countIn(locale, total) });
}

function whereIn(locale: Locale, { total, listed }: BriefFacts['regions']): string {
  const { where } = BRIEF_TEMPLATES[locale];
  if (listed.length === 0) return where.none({});
  const economies = listed.filter(({ economy }) => economy);
  // A few are all named, aggregates too; of many, only economies are counted and named.
  const few = listed.length <= NAMED ? listed : total <= NAMED ? economies : null;
  const names = (few ?? economies.slice(0, NAMED)).map(({ code, name }) =>
    placeIn(locale, code, name[locale]),
  );
  if (few !== null) return few.length === 0 ? where.none({}) : where.all({ names: listIn(locale, names) });
  const count = countIn(locale, total);
  if (names.length === 0) return where.counted({ count });
  return where.some({ names: locale === 'en' ? listIn(locale, names) : names.join('、'), count });
}

/** The one or two domains with the most changes; none if more than two share the lead. */
function divisionIn(locale: Locale, { sections }: BriefFacts): string {
  const { division } = BRIEF_TEMPLATES[locale];
  const ordered = [...sections].sort((a, b) => b.changes - a.changes);
  const [first, second, third] = ordered;
  if (first === undefined) return '';
  const a = first.name[locale];
  const n = countIn(locale, first.changes);
  if (second === undefined) return division.only({ a: lowered(locale, a) });
  const words = { A: a, a: lowered(locale, a), n, b: lowered(locale, second.name[locale]) };
  const m = second.changes;
  if (first.changes === m) return third?.changes === m ? '' : division.tie(words);
  return third?.changes === m ? division.one(words) : division.two({ ...words, m: countIn(locale, m) });
}

function directionIn(locale: Locale, { tally: { revision, up, down } }: BriefFacts): string {
  if (revision < 2 || up + down < revision) return '';
  const { direction } = BRIEF_TEMPLATES[locale];
  if (down === 0) return direction.up({});
  if (up === 0) return direction.down({});
  return capitalised(direction.both({ up: countIn(locale, up), down: countIn(locale, down) }));
}

function sourceIn(locale: Locale, { day, publishers }: BriefFacts): string {
  const { source } = BRIEF_TEMPLATES[locale];
  const namesOf = (retrieved: boolean): string[] =>
    publishers.filter((one) => one.retrieved === retrieved).map(({ name }) => name[locale]);
  const [taken, rest] = [namesOf(true), namesOf(false)];
  const parts = [
    ...(taken.length === 0
      ? []
      : [source.retrieved({ names: listIn(locale, taken), day: formatDay(locale, day) })]),
    ...(rest.length === 0 ? [] : [listIn(locale, rest)]),
  ];
  const list = parts.join(locale === 'en' ? '; ' : '；');
  return source[pluralForm(locale, taken.length + rest.length)]({ list });
}
