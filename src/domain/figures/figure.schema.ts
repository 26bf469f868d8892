import { z } from 'zod';
import { UNITS } from './units.js';

const unitCodes = Object.keys(UNITS);

export const MISSING_REASONS = [
  'not_published',
  'withdrawn_by_source',
  'awaited',
  'not_in_source',
  'not_held',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

export const Unit = z
  .object({
    code: z.enum(unitCodes),
    dimension: z.string().describe('The measured dimension: ratio, money, count, …'),
    currency: z.string().nullable().describe('ISO 4217 code; null if the unit is not money'),
    scale: z.int().describe('Power of ten of the values: 6 for millions'),
    per: z.string().nullable().describe('Denominator of the unit; null without one'),
    label: z.string().describe('Name of the unit, in the language of the request'),
  })
  .meta({ id: 'Unit' });
export type Unit = z.infer<typeof Unit>;

export const Period = z
  .string()
  .describe('Reference period: 2025, FY2025, 2025-H1, 2025-Q3, 2025-10, 2026-W33 or a day');

export const Missing = z.enum(MISSING_REASONS).nullable().describe('Why `value` is null; null if it is not');

const text = z
  .string()
  .nullable()
  .describe('The figure as text in the language of the request: rounded, with its unit; null without a value');

/** The members of everything that has an age: quotes, series, cells of the board, briefs. */
export const age = {
  stale: z
    .boolean()
    .describe(
      'Whether a newer figure is overdue by the usual timetable of the publisher, on the day of the request or of `asOf`',
    ),
  expectedBy: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the figure after the newest one is usually published, UTC; null if the series has ended or that day was over five years ago',
    ),
};

const previous = z
  .object({
    value: z.number().nullable(),
    text,
    period: Period,
    basis: z
      .enum(['period', 'vintage'])
      .describe('period: the previous reference period; vintage: the same period as published before'),
    missing: Missing,
  })
  .meta({ id: 'PreviousFigure' });

export const Figure = z
  .object({
    value: z.number().nullable().describe('The value that the source printed, not rounded'),
    decimals: z.int().nullable().describe('Number of decimals that the source printed'),
    unit: z.enum(unitCodes).describe('Code of the unit'),
    text,
    period: Period.nullable().describe(
      'Reference period; null if the source has no such series, or a policy decision is not known',
    ),
    source: z.string().describe('Id of the publisher in `meta.sources`'),
    origins: z.array(z.string()).describe('Ids of the sources that the publisher cites'),
    knownSince: z.string().nullable().describe('Day of the first vintage that had this value'),
    releasedAt: z.string().nullable().describe('When the source released it; null if the source does not state it'),
    previous: previous.optional(),
    missing: Missing,
  })
  .meta({ id: 'Figure', description: 'One figure with its source' });
export type Figure = z.infer<typeof Figure>;

export const SeriesFigure = z
  .object({
    ...Figure.shape,
    knownUntil: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Only with `vintages=all`: day of the vintage that restated or withdrew the figure; null if it is current',
      ),
  })
  .meta({ id: 'SeriesFigure', description: 'A figure of a series' });
export type SeriesFigure = z.infer<typeof SeriesFigure>;
