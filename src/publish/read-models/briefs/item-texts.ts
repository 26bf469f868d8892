// The line of an item, and the shorter phrase for it in the brief's title.
import { articled, type Wording } from '../../../domain/figures/wording.js';
import { capitalised, lowered } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { placeIn } from '../../../domain/locale/places.js';
import type { Messages } from '../../../domain/locale/voice/voice.js';
import { SENTENCES, VOICES } from '../../../domain/locale/voice/voices.js';
import { clauseIn, partIn } from './clause.js';
import { isFigure, type MentionedChange, type MentionedFigure } from './mentioned-change.js';
import { ownerIn } from './wording.js';

/** The most important change of an item, and how many changes, places and periods the item contains. */
export interface ItemFacts {
  readonly change: MentionedChange;
  readonly changes: number;
  /** Economies and aggregates. */
  readonly regions: number;
  /** Without aggregates. */
  readonly economies: number;
  readonly periods: number;
}

type Alike = ItemFacts & { readonly change: MentionedFigure };

/** Several similar revisions, mentioned together. */
export const isAlike = (item: ItemFacts): item is Alike =>
  item.changes > 1 && item.change.kind === 'revision' && isFigure(item.change);

type Together = ItemFacts & {
  readonly change: MentionedChange & {
    readonly presence: 'withdrawn' | 'returned';
    readonly name: Localized;
    readonly wording: Wording;
  };
};

/** Figures of several economies that their source withdrew, or gives again. */
const isTogether = (item: ItemFacts): item is Together =>
  item.economies > 1 && item.change.presence != null && item.change.name !== null;

function togetherIn(locale: Locale, form: 'title' | 'line' | 'sentence', { change, economies }: Together): string {
  return SENTENCES[locale].briefs.alike.presence[change.presence][form]({
    name: lowered(locale, change.name[locale]),
    count: VOICES[locale].count(economies),
  });
}

/** An item of one change takes the change's headline. */
export const itemHeadline = (item: ItemFacts): Localized =>
  isAlike(item) || isTogether(item)
    ? inAll((locale) => capitalised(itemIn(locale, 'line', item)))
    : item.change.headline;

/** The item in a few words, for a title that names the day and joins two items. */
export const itemPhrase = (item: ItemFacts): Localized => inAll((locale) => itemIn(locale, 'title', item));

/** @returns a clause for a sentence, without its end */
export function itemIn(locale: Locale, form: 'title' | 'line' | 'sentence', item: ItemFacts): string {
  if (isAlike(item)) return alikeIn(locale, form, item);
  if (isTogether(item)) return togetherIn(locale, form, item);
  return clauseIn(locale, form === 'line' ? 'sentence' : form, item.change);
}

/** What was revised for whom, and the most important of it. */
export function alikeIn(
  locale: Locale,
  form: 'title' | 'line' | 'sentence',
  { change, regions, economies, periods }: Alike,
): string {
  const { alike } = SENTENCES[locale].briefs;
  const joint = change.aggregate ? 'joint' : 'economies';
  const of = economies > 1 ? joint : regions > 1 ? 'groups' : 'periods';
  const count = VOICES[locale].count(of === 'periods' ? periods : economies);
  const name = lowered(locale, change.name[locale]);
  return alike[of][form]({
    count,
    place: placeIn(locale, change.region, change.regionName[locale]),
    region: ownerIn(locale, form === 'sentence' ? 'sentence' : 'title', change),
    name: form === 'sentence' && of !== 'periods' ? articled(locale, change.wording, name) : name,
    span: alike.span[spanOf(change.period)]({ count }),
    clause: partIn(locale, change, of === 'periods'),
  });
}

export function spanOf(period: string): keyof Messages['briefs']['alike']['span'] {
  if (/^(FY)?\d{4}$/.test(period)) return 'years';
  if (/-Q\d$/.test(period)) return 'quarters';
  return /^\d{4}-\d{2}$/.test(period) ? 'months' : 'periods';
}
