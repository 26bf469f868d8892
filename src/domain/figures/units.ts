// The unit table: what each unit is, and how a person writes a number in it.
import { z } from 'zod';
import { readEntries } from '../catalogue/catalogue-files.js';
import { limitOverrides, type LimitOverrides } from '../catalogue/limits.schema.js';
import { localized, localizedOf, text } from '../catalogue/texts.schema.js';
import type { Localized } from '../locale/locale.js';
import type { Precision } from './written-number.js';
import { parseDecimal } from './decimal.js';

export type Dimension = 'ratio' | 'money' | 'count' | 'time' | 'index' | 'exchange_rate';

/** A unit and how texts write a number in it. */
export interface UnitDefinition {
  readonly dimension: Dimension;
  /** ISO 4217; null if the unit is not money. */
  readonly currency: string | null;
  /** Power of ten of the printed number: 6 for millions. */
  readonly scale: number;
  /** What one unit is counted per (`person`, `USD`), or null. */
  readonly per: string | null;
  /** The unit's name, for column heads and legends. */
  readonly label: Localized;
  /** The name where the currency of an exchange rate is known: `{currency}` is its name. */
  readonly labelWith?: Localized | undefined;
  /** A number with the unit, in running text: `{n}` is the number, `{currency}` the currency of an exchange rate. */
  readonly display: Localized;
  /** The same for 1 in English: `{n} shop`; as `display` where it is left out. */
  readonly one?: string | undefined;
  /** The same beside a number that has named the unit in full; as `display` where it is left out. */
  readonly beside?: Localized | undefined;
  /** Of an index: the period that is 100, which a text names beside the level. */
  readonly base?: Localized | undefined;
  readonly precision: Precision;
  readonly limits: LimitOverrides;
}

const withNumber = text.refine((given) => given.split('{n}').length === 2, 'does not have {n} once');
const display = localizedOf(withNumber);

/**
 * What a series' own name already says (per person, of the labour force, and in Chinese and Japanese of GDP) is in
 * the label only, so that a headline does not say it twice.
 */
export const unitEntry = z.strictObject({
  code: z.string().regex(/^[a-z0-9_]{1,64}$/, 'is not made of a-z, 0-9 and _, at most 64'),
  dimension: z.enum(['ratio', 'money', 'count', 'time', 'index', 'exchange_rate']),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .default(null),
  scale: z.int().min(-12).max(15).default(0),
  per: text.nullable().default(null),
  label: localized,
  labelWith: localized.optional(),
  display,
  one: withNumber.optional(),
  beside: display.optional(),
  base: localized.optional(),
  precision: z.strictObject({
    least: z.int().min(0).max(15).default(0),
    most: z.int().min(0).max(15),
    compact: z.boolean().default(false),
    /** Two decimals at most, also beside a figure that differs less. */
    coarse: z.boolean().optional(),
    /** Decimals that a shortened number always has. */
    shortened: z.int().min(0).max(6).optional(),
  }),
  /** What the audit lets pass of figures in it: bounds wider than anything ever printed rightly. */
  limits: limitOverrides,
});

export type UnitCode = string;

/** The unit table: data/catalogue/units.json, and the operator's own. Entries with a fault are not in it. */
export const UNITS: Readonly<Record<UnitCode, UnitDefinition>> = Object.fromEntries(
  readEntries('units', unitEntry).entries.map(({ value: { code, ...unit } }) => [code, unit]),
);

/** @throws where the catalogue of this process lacks a unit that the database has */
export function unitNamed(code: UnitCode): UnitDefinition {
  const unit = Object.hasOwn(UNITS, code) ? UNITS[code] : undefined;
  if (unit === undefined) {
    throw new Error(`The catalogue lacks the unit ${code}: CATALOGUE_DIR differs from that of the import`);
  }
  return unit;
}

/** What one unit of money costs in another. */
export const isExchangeRate = (code: UnitCode): boolean => unitNamed(code).dimension === 'exchange_rate';

/** Converts a printed value to the unit of sentences: 29374.914 billion dollars to 29374914000000 dollars. */
export function inWholeUnits(value: string, { scale }: Pick<UnitDefinition, 'scale'>): string {
  const whole = scale === 0 ? value : parseDecimal(`${value}E${scale}`);
  if (whole === null) throw new RangeError(`"${value}" is not a plain decimal number`);
  return whole;
}
