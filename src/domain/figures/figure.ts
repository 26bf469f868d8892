import { capitalised } from '../locale/format.js';
import type { Locale } from '../locale/locale.js';
import type { Citations } from '../sources/citations.js';
import { currencyAmount } from './currencies.js';
import { decimalsOf } from './decimal.js';
import { textInUnit } from './figure-text.js';
import type { Figure, MissingReason, Unit } from './figure.schema.js';
import { unitNamed, type UnitCode, type UnitDefinition } from './units.js';

/** The source of a series and the origins that this source names. */
export interface Provenance {
  readonly source: string;
  readonly origins: readonly string[];
}

export interface FigureParts extends Provenance {
  /** Exact decimal text as stored; null with a reason in `missing`. */
  readonly value: string | null;
  readonly missing: MissingReason | null;
  readonly unit: UnitCode;
  /** Of an exchange rate: the currency whose amount it states, where known. */
  readonly currency: string | null;
  /** The language of `text`. */
  readonly locale: Locale;
  /** null if the source has no such series, or for the unknown day of a decision. */
  readonly period: string | null;
  readonly knownSince: string | null;
  readonly previous?: Omit<NonNullable<Figure['previous']>, 'value' | 'text'> & { readonly value: string | null };
}

/** The only constructor of figures: it cites their sources. */
export function figure(cite: Citations, parts: FigureParts): Figure {
  const { value, missing, unit, currency, locale, period, source, origins, knownSince, previous } = parts;
  if ((value === null) !== (missing !== null)) throw new Error('A figure has either a value or a reason');
  if (value !== null && period !== null) cite.period(period);
  const textOf = (printed: string | null): string | null =>
    printed === null ? null : textInUnit(locale, unitNamed(unit), currency, printed);
  return {
    value: numberOf(value),
    decimals: value === null ? null : decimalsOf(value),
    unit,
    text: textOf(value),
    period,
    source: cite.source(source),
    origins: cite.sources(origins),
    knownSince,
    releasedAt: null,
    ...(previous && { previous: { ...previous, value: numberOf(previous.value), text: textOf(previous.value) } }),
    missing,
  };
}

/** A stored decimal as a JSON number. Import has checked that a double represents it. */
export function numberOf(value: string): number;
export function numberOf(value: string | null): number | null;
export function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value);
}

/** @param counted of an exchange rate: the currency whose amount it states, where one is known for all its figures */
export const unitOf = (code: UnitCode, locale: Locale, counted: string | null = null): Unit => ({
  code,
  ...describedUnit(unitNamed(code), locale, counted),
});

/** The same of a unit that the catalogue need not have. */
export function describedUnit(unit: UnitDefinition, locale: Locale, counted: string | null): Omit<Unit, 'code'> {
  const { dimension, currency, scale, per, label, labelWith } = unit;
  // The label of a unit with a currency of its own names it already.
  const named =
    counted === null || currency !== null
      ? undefined
      : labelWith?.[locale].replace('{currency}', currencyAmount(counted)[locale]);
  return { dimension, currency, scale, per, label: capitalised(named ?? label[locale]) };
}
