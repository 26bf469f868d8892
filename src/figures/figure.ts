import type { Locale } from '../locale/locale.js';
import type { Citations } from '../sources/citations.js';
import { decimalsOf } from './decimal.js';
import type { Figure, MissingReason, Unit } from './figure.schema.js';
import { UNITS, type UnitCode } from './units.js';

/** Where a figure comes from: a series' own source and what that names as its sources. */
export interface Provenance {
  readonly source: string;
  readonly origins: readonly string[];
}

export interface FigureParts extends Provenance {
  /** Exact decimal text as stored, or null with its reason. */
  readonly value: string | null;
  readonly missing: MissingReason | null;
  readonly unit: UnitCode;
  /** null only where the source has no such series at all. */
  readonly period: string | null;
  readonly knownSince: string | null;
  readonly previous?: NonNullable<Figure['previous']>;
}

/** The only way to a figure: it cites its sources as it is made. */
export function figure(cite: Citations, parts: FigureParts): Figure {
  const { value, missing, unit, period, source, origins, knownSince, previous } = parts;
  if ((value === null) !== (missing !== null)) throw new Error('A figure has either a value or a reason');
  return {
    value: numberOf(value),
    decimals: value === null ? null : decimalsOf(value),
    unit,
    period,
    source: cite.source(source),
    origins: cite.sources(origins),
    knownSince,
    releasedAt: null,
    ...(previous && { previous }),
    missing,
  };
}

/** A stored decimal as a JSON number: import has made sure that a double carries it. */
export function numberOf(value: string): number;
export function numberOf(value: string | null): number | null;
export function numberOf(value: string | null): number | null {
  return value === null ? null : Number(value);
}

export function unitOf(code: UnitCode, locale: Locale): Unit {
  const { dimension, currency, scale, per, label } = UNITS[code];
  return { code, dimension, currency, scale, per, label: label[locale] };
}
