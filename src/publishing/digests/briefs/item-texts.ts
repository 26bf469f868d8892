// The line of an item, and the shorter phrase that stands for it in the brief's title.
import { UNITS, type UnitCode, type UnitDefinition } from '../../../figures/units.js';
import { formatNumber, formatPeriod, formatWhen, styleOf } from '../../../locale/format.js';
import { LOCALES, type Locale, type Localized } from '../../../locale/locale.js';
import { BRIEF_TEMPLATES, type BriefTemplates } from './brief-templates.js';
import { countIn, lowered, shortName, withoutTime } from './wording.js';

/** Of a change: what its figures are about, as far as it has any. Decimals are plain text. */
export interface ChangeFigures {
  readonly kind: string;
  readonly headline: Localized;
  readonly subject: string | null;
  /** Of the indicator; null for what is none. */
  readonly name: Localized | null;
  readonly instrumentName: Localized | null;
  readonly unit: UnitCode | null;
  readonly region: string | null;
  readonly regionName: Localized | null;
  /** Whether the region is what everyone calls an economy. */
  readonly economy: boolean;
  readonly period: string | null;
  readonly actual: string | null;
  readonly previous: string | null;
}

/** The foremost change of an item, and how many it gathers of how many regions and periods. */
export interface ItemFacts {
  readonly lead: ChangeFigures;
  readonly changes: number;
  readonly regions: number;
  readonly periods: number;
}

export const inAll = (say: (locale: Locale) => string): Localized => {
  const [en = '', zh = '', ja = ''] = LOCALES.map(say);
  return { en, zh, ja };
};

/** A change alone is told in its own words. */
export function itemHeadline({ lead, changes, regions, periods }: ItemFacts): Localized {
  const figures = figuresOf(lead);
  if (changes === 1 || figures === null) return lead.headline;
  return inAll((locale) => {
    const { alike } = BRIEF_TEMPLATES[locale];
    const words = wordsIn(locale, figures);
    const direction = Number(figures.actual) < Number(figures.previous ?? 0) ? 'down' : 'up';
    if (regions > 1) return alike.regions[direction]({ ...words, count: countIn(locale, regions) });
    const count = countIn(locale, periods);
    const span = alike.span[spanOf(figures.period)]({ count });
    return alike.periods[direction]({ ...words, span });
  });
}

/** What the item says in a few words, for a headline that names the day and joins two. */
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
  readonly unit: UnitDefinition;
  readonly region: string;
  readonly regionName: Localized;
  readonly period: string;
  readonly actual: string;
  readonly previous: string | null;
}

/** Only releases and revisions of an economy's indicator are phrased here. */
function figuresOf(lead: ChangeFigures): Figures | null {
  const { kind, name, unit, region, regionName, period, actual, previous } = lead;
  if (kind !== 'release' && kind !== 'revision') return null;
  if (
    name === null ||
    unit === null ||
    region === null ||
    regionName === null ||
    period === null ||
    actual === null
  )
    return null;
  return { kind, name, unit: UNITS[unit], region, regionName, period, actual, previous };
}

/** Rates rise, amounts grow; and of a balance below zero neither says what happens. */
function mannerOf({ kind, unit, actual, previous }: Figures): keyof BriefTemplates['phrase'] {
  const before = previous === null ? null : Number(previous);
  const now = Number(actual);
  if (kind === 'revision') return now < (before ?? 0) ? 'cut' : 'raised';
  const amount = unit.dimension === 'money' || unit.dimension === 'count';
  if (before === null || (amount && (now < 0 || before < 0))) return 'at';
  if (now === before) return 'same';
  if (amount) return now > before ? 'grows' : 'shrinks';
  return now > before ? 'rises' : 'falls';
}

function wordsIn(locale: Locale, { name, unit, region, regionName, period, actual, previous }: Figures) {
  const style = styleOf(previous === null ? [actual] : [actual, previous], unit.compact);
  const display = unit.display[locale];
  // In English the unit is named once, after the second number.
  const short = locale === 'en' ? display.replace(/ .*/, '') : display;
  const shown = (value: string, as: string): string => as.replace('{n}', formatNumber(locale, value, style));
  return {
    region: shortName(locale, region, regionName[locale]),
    name: name[locale],
    period: formatPeriod(locale, period),
    when: formatWhen(locale, period),
    actual: shown(actual, display),
    previous: previous === null ? '' : shown(previous, short),
  };
}

function spanOf(period: string): keyof BriefTemplates['alike']['span'] {
  if (/^(FY)?\d{4}$/.test(period)) return 'years';
  if (/-Q\d$/.test(period)) return 'quarters';
  return /^\d{4}-\d{2}$/.test(period) ? 'months' : 'periods';
}
