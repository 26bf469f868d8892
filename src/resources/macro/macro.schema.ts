import { z } from 'zod';
import { Figure, Unit } from '../../figures/figure.schema.js';
import { day, locale, period, regionCode, slug } from '../parameters.schema.js';

const Region = z.object({
  code: z.string().describe('ISO 3166-1 alpha-2, or an aggregate’s code'),
  name: z.string(),
});

const frequency = z
  .enum(['A', 'H', 'Q', 'M', 'W', 'D'])
  .describe('Annual, half-yearly, quarterly, monthly, weekly or daily');

export const EconomyBoard = z
  .object({
    columns: z.array(z.object({ indicator: z.string(), name: z.string(), unit: Unit })),
    rows: z.array(
      z.object({
        region: Region,
        cells: z.array(Figure).describe('One a column: the latest figure, with the period before'),
      }),
    ),
    indicators: z
      .array(z.object({ slug: z.string(), name: z.string(), unit: Unit, frequency, url: z.url() }))
      .describe('Every indicator that has a series'),
    regions: z.array(Region).describe('Every region that has a series'),
  })
  .meta({ id: 'EconomyBoard' });
export type EconomyBoard = z.infer<typeof EconomyBoard>;

export const MacroSeries = z
  .object({
    indicator: z.object({
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      unit: Unit,
      frequency,
      seasonalAdjustment: z.string().nullable(),
      priceBasis: z.string().nullable().describe('constant or current prices, where it applies'),
      baseYear: z.int().nullable(),
      providerCode: z.string().describe("The publisher's own code"),
    }),
    series: z.array(
      z.object({
        region: Region,
        observations: z
          .array(Figure)
          .describe('Oldest first; a period that is missing in between is there with its reason'),
        source: z.string(),
      }),
    ),
  })
  .meta({ id: 'MacroSeries' });
export type MacroSeries = z.infer<typeof MacroSeries>;

export const BoardQuery = z.strictObject({ locale });

export const MacroQuery = z.strictObject({
  locale,
  region: regionCode
    .optional()
    .describe(
      'ISO 3166-1 alpha-2 or alpha-3 in any case, or an aggregate such as WLD. With it: the whole series; without: the latest two periods of every region',
    ),
  from: period
    .optional()
    .describe('First period, inclusive: 2015, 2015-Q1, 2015-01 or a day. A period counts by its last day')
    .meta({ examples: ['2015'] }),
  to: period
    .optional()
    .describe('Last period, inclusive')
    .meta({ examples: ['2025'] }),
  asOf: day
    .optional()
    .describe('The figures as they were known at the end of this UTC day; not in the future')
    .meta({ examples: ['2026-04-30'] }),
});
export type MacroQuery = z.infer<typeof MacroQuery>;

export const IndicatorSlug = slug.describe('Slug of an indicator').meta({ examples: ['gdp-growth'] });
