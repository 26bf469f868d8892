// The line of an item, and the shorter phrase for it in the brief's title.
import { fromTo, writeFigures } from '../../../figures/figure-text.js';
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { formatPeriod, formatWhen, lowered } from '../../../locale/format.js';
import { inAll, type Locale, type Localized } from '../../../locale/locale.js';
import { shortName } from '../../../locale/places.js';
import { BRIEF_TEMPLATES, type BriefTemplates } from './brief-templates.js';
import { countIn, withoutTime } from './wording.js';

/** The figures of a change, if it has any. Decimals are plain text. */
export interface ItemFigures {
  readonly kind: string;
  readonly headline: Localized;
  readonly subject: string | null;
  /** Of the indicator; null for other subjects. */
  readonly name: Localized | null;
  readonly instrumentName: Localized | null;
  readonly unit: UnitCode | null;
  /** For an exchange rate: the currency whose amount it states. */
  readonly currency: string | null;
  readonly region: string | null;
  readonly regionName: Localized | null;
  /** Whether people call the region an economy. */
  readonly economy: boolean;
  readonly period: string | null;
  readonly actual: string | null;
  readonly previous: string | null;
}

/** The most important change of an item, and how many changes, regions and periods the item contains. */
export interface ItemFacts {
  readonly lead: ItemFigures;
  readonly changes: number;
  readonly regions: number;
  readonly periods: number;
}

/** An item of one change takes the change's headline. */
export function itemHeadline({ lead, changes, regions, periods }: ItemFacts): Localized {
  const figures = figuresOf(lead);
  if (changes === 1 || figures === null || figures.kind === 'decision') return lead.headline;
  return inAll((locale) => {
    const { alike } = BRIEF_TEMPLATES[locale];
    const words = { ...wordsIn(locale, figures), ...stepIn(locale, figures) };
    const direction = Number(figures.actual) < Number(figures.previous ?? 0) ? 'down' : 'up';
    if (regions > 1) return alike.regions[direction]({ ...words, count: countIn(locale, regions) });
    const count = countIn(locale, periods);
    const span = alike.span[spanOf(figures.period)]({ count });
    return alike.periods[direction]({ ...words, name: lowered(locale, words.name), span });
  });
}

/** The item in a few words, for a title that names the day and joins two items. */
export function itemPhrase({ lead, changes, regions }: ItemFacts): Localized {
  const figures = figuresOf(lead);
  if (figures === null) {
    const { kind, headline, period } = lead;
    if (kind !== 'move' || period === null) return headline;
    return inAll((locale) => withoutTime(locale, headline[locale], period));
  }
  return inAll((locale) => {
    const { phrase } = BRIEF_TEMPLATES[locale];
    const words = wordsIn(locale, figures);
    if (changes > 1 && regions > 1) return phrase.alike({ ...words, count: countIn(locale, regions) });
    return phrase[mannerOf(figures)]({ ...words, name: lowered(locale, words.name) });
  });
}

interface Figures {
  readonly kind: string;
  readonly name: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly region: string;
  readonly regionName: Localized;
  readonly period: string;
  readonly actual: string;
  readonly previous: string | null;
}

/** Only changes of an economy's indicator have a phrase of their own. */
function figuresOf(lead: ItemFigures): Figures | null {
  const { kind, name, unit: code, currency, region, regionName, period, actual, previous } = lead;
  if (kind !== 'release' && kind !== 'revision' && kind !== 'decision') return null;
  if (
    name === null ||
    code === null ||
    region === null ||
    regionName === null ||
    period === null ||
    actual === null
  )
    return null;
  return { kind, name, unit: code, currency, region, regionName, period, actual, previous };
}

/** Rates rise and amounts grow; a balance below zero does neither. */
function mannerOf({ kind, unit, actual, previous }: Figures): keyof BriefTemplates['phrase'] {
  const before = previous === null ? null : Number(previous);
  const now = Number(actual);
  if (kind === 'revision') return now < (before ?? 0) ? 'revised_down' : 'revised_up';
  if (kind === 'decision') return now < (before ?? 0) ? 'cut' : 'raised';
  const { dimension }: UnitDefinition = UNITS[unit];
  const amount = dimension === 'money' || dimension === 'count';
  if (before === null || (amount && (now < 0 || before < 0))) return 'at';
  if (now === before) return 'same';
  if (amount) return now > before ? 'grows' : 'shrinks';
  return now > before ? 'rises' : 'falls';
}

const written = (locale: Locale, { unit, currency, actual, previous }: Figures) =>
  writeFigures(locale, { unit, currency }, previous === null ? [actual] : [actual, previous]);

function wordsIn(locale: Locale, figures: Figures) {
  const { name, region, regionName, period } = figures;
  return {
    region: shortName(locale, region, regionName[locale]),
    name: name[locale],
    period: formatPeriod(locale, period),
    when: formatWhen(locale, period),
    actual: written(locale, figures).full[0] ?? '',
  };
}

/** The previous and the actual value, with the unit once. */
function stepIn(locale: Locale, figures: Figures): { readonly previous: string; readonly actual: string } {
  if (figures.previous === null) return { previous: '', actual: wordsIn(locale, figures).actual };
  const { from, to } = fromTo(locale, written(locale, figures));
  return { previous: from, actual: to };
}

function spanOf(period: string): keyof BriefTemplates['alike']['span'] {
  if (/^(FY)?\d{4}$/.test(period)) return 'years';
  if (/-Q\d$/.test(period)) return 'quarters';
  return /^\d{4}-\d{2}$/.test(period) ? 'months' : 'periods';
}
