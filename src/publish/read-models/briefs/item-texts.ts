// The line of an item, and the shorter phrase for it in the brief's title.
import { capitalised, lowered } from '../../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../../domain/locale/locale.js';
import { placeIn } from '../../../domain/locale/places.js';
import { BRIEF_TEMPLATES, type BriefTemplates } from './brief-templates.js';
import { clauseIn, partIn } from './clause.js';
import { isFigure, type ToldChange, type ToldFigure } from './told-change.js';
import { countIn, ownerIn } from './wording.js';

/** The most important change of an item, and how many changes, places and periods the item contains. */
export interface ItemFacts {
  readonly change: ToldChange;
  readonly changes: number;
  /** Economies and aggregates. */
  readonly regions: number;
  /** Without aggregates. */
  readonly economies: number;
  readonly periods: number;
}

type Alike = ItemFacts & { readonly change: ToldFigure };

/** Several similar revisions, told together. */
export const isAlike = (item: ItemFacts): item is Alike =>
  item.changes > 1 && item.change.kind === 'revision' && isFigure(item.change);

/** An item of one change takes the change's headline. */
export const itemHeadline = (item: ItemFacts): Localized =>
  isAlike(item) ? inAll((locale) => capitalised(alikeIn(locale, 'line', item))) : item.change.headline;

/** The item in a few words, for a title that names the day and joins two items. */
export const itemPhrase = (item: ItemFacts): Localized =>
  inAll((locale) =>
    isAlike(item) ? alikeIn(locale, 'title', item) : clauseIn(locale, 'title', item.change),
  );

/** What was revised for whom, and the most important of it. */
export function alikeIn(
  locale: Locale,
  form: 'title' | 'line' | 'sentence',
  { change, regions, economies, periods }: Alike,
): string {
  const { alike } = BRIEF_TEMPLATES[locale];
  const joint = change.aggregate ? 'joint' : 'economies';
  const of = economies > 1 ? joint : regions > 1 ? 'groups' : 'periods';
  const count = countIn(locale, of === 'periods' ? periods : economies);
  const article =
    locale === 'en' && form === 'sentence' && of !== 'periods' && change.wording.definite === true;
  return alike[of][form]({
    count,
    place: placeIn(locale, change.region, change.regionName[locale]),
    region: ownerIn(locale, form === 'sentence' ? 'sentence' : 'title', change),
    name: (article ? 'the ' : '') + lowered(locale, change.name[locale]),
    span: alike.span[spanOf(change.period)]({ count }),
    clause: partIn(locale, change, of === 'periods'),
  });
}

export function spanOf(period: string): keyof BriefTemplates['alike']['span'] {
  if (/^(FY)?\d{4}$/.test(period)) return 'years';
  if (/-Q\d$/.test(period)) return 'quarters';
  return /^\d{4}-\d{2}$/.test(period) ? 'months' : 'periods';
}
