// Names of figures inside sentences, and what a text of a change consists of.
import { isExchangeRate, type UnitCode } from '../../domain/figures/units.js';
import type { VintageBasis } from '../../domain/figures/vintage-basis.js';
import type { Wording } from '../../domain/figures/wording.js';
import { formatDay } from '../../domain/locale/format.js';
import { inAll, type Locale, type Localized } from '../../domain/locale/locale.js';
import { SENTENCES } from '../../domain/locale/voice/voices.js';

export interface SeriesNames {
  readonly name: Localized;
  readonly region: Localized;
  readonly unit: UnitCode;
  readonly currency: string | null;
  readonly wording: Wording;
  readonly publisher: Localized;
  /** Whether the region is a group of economies. */
  readonly aggregate?: boolean;
}

/** The day of a copy of a publisher's figures. */
export interface DatedVintage {
  readonly day: string;
  readonly basis: VintageBasis;
  /** The day of the copy before it, which lacked the change. */
  readonly copyBefore?: string | null;
}

/** What its publisher does not date changed between two copies, or is in the later one for the first time. */
export function sourceText(
  locale: Locale,
  { basis, copyBefore }: DatedVintage,
  words: Readonly<Record<string, string>>,
  isFirst = false,
): string {
  const { source } = SENTENCES[locale].changes;
  if (basis !== 'retrieved' || !copyBefore) return source[basis](words);
  return source[isFirst ? 'first' : 'between']({ ...words, earlier: formatDay(locale, copyBefore) });
}

/** A publisher's median of a group's economies is no rate of the group, and says so. */
export const measured = (
  locale: Locale,
  { aggregate, wording }: { readonly aggregate?: boolean | undefined; readonly wording: Wording },
  name: string,
): string => (aggregate === true && wording.median === true ? SENTENCES[locale].changes.median({ name }) : name);

/** A yearly exchange rate is an average; the texts of a release say so themselves. */
export const averaged = (locale: Locale, kind: string, unit: UnitCode, name: string): string =>
  kind === 'revision' && isExchangeRate(unit) ? SENTENCES[locale].changes.revision.average({ name }) : name;

export interface ChangeTexts {
  readonly headline: Localized;
  readonly summary: Localized;
  /** The sentence of the summary that sets it in context. Empty without a context. */
  readonly context?: Localized;
}

export function textsInAll(
  say: (locale: Locale) => { readonly headline: string; readonly summary: string; readonly context?: string },
): ChangeTexts {
  const texts = inAll(say);
  return {
    headline: inAll((locale) => texts[locale].headline),
    summary: inAll((locale) => texts[locale].summary),
    context: inAll((locale) => (texts[locale].context ?? '').trim()),
  };
}
