import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { age, Figure, Period, SeriesFigure, Unit } from '../../../domain/figures/figure.schema.js';
import { changedPeriods, page, RegionRef } from '../links.schema.js';
import {
  day,
  locale,
  optionalCountOf,
  paging,
  period,
  publishedSince,
  regionCodes,
  slug,
} from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const macroResource = {
  path: 'macro',
  tag: 'Macro',
  about: 'Series of macro figures, and the economy board',
  family: 'macro',
} satisfies Resource;

const frequency = z
  .enum(['A', 'H', 'Q', 'M', 'W', 'D'])
  .describe('Annual, half-yearly, quarterly, monthly, weekly or daily');

const BoardCell = z
  .object({ ...Figure.shape, ...age })
  .meta({ id: 'BoardCell', description: 'A figure of the board, with its age' });
export type BoardCell = z.infer<typeof BoardCell>;

export const ListedIndicator = z

  .object({
    slug: z.string(),
    name: z.string(),
    unit: Unit,
    frequency,
    url: z.url(),
    economies: z.int().describe('Regions with a figure, aggregates included'),
    firstPeriod: Period.nullable().describe('The oldest period with a figure'),
    newestPeriod: Period.nullable().describe('The newest period with a figure'),
    ...age,
    dataVersion: z
      .int()
      .describe('Newest data version that changed its figures: a copy requests them again if it is new'),
    publishedAt: z.iso.datetime().nullable().describe('When this data version was published'),
    source: z.string(),
  })
  .meta({ id: 'BoardIndicator' });
export type ListedIndicator = z.infer<typeof ListedIndicator>;

export const EconomyBoard = z
  .object({
    columns: z.array(z.object({ indicator: z.string(), name: z.string(), unit: Unit }).meta({ id: 'BoardColumn' })),
    rows: z.array(
      z
        .object({
          region: RegionRef,
          cells: z.array(BoardCell).describe('One per column: the latest figure, with the previous period'),
        })
        .meta({ id: 'BoardRow' }),
    ),
    indicators: z.array(ListedIndicator).describe('Every indicator with a series'),
    regions: z.array(RegionRef).describe('Every region with a series'),
  })
  .meta({ id: 'EconomyBoard' });
export type EconomyBoard = z.infer<typeof EconomyBoard>;

export const MacroSeries = z
  .object({
    indicator: z
      .object({
        slug: z.string(),
        name: z.string(),
        description: z.string(),
        unit: Unit,
        frequency,
        seasonalAdjustment: z.string().nullable(),
        priceBasis: z.string().nullable().describe('Constant or current prices; null if not applicable'),
        baseYear: z.int().nullable(),
        providerCode: z.string().describe("The publisher's code of the series"),
      })
      .meta({ id: 'Indicator' }),
    ranking: z
      .object({
        countries: z.int().describe('Countries compared: those that are stored with comparable figures'),
        newestPeriod: z.string().describe('The newest period of any of them'),
        inNewestPeriod: z.int().describe('Countries whose newest figure is of that period'),
      })
      .nullable()
      .describe('With `rank` and without `region`: of how many countries the ranking is; otherwise null')
      .meta({ id: 'Ranking' }),
    series: z.array(
      z
        .object({
          url: z.url().describe('The whole series'),
          page,
          region: RegionRef,
          currency: z
            .string()
            .nullable()
            .describe('ISO 4217 code of the currency in which an exchange rate is stated; null for other indicators'),
          observations: z
            .array(SeriesFigure)
            .describe('Oldest first. A whole series includes missing periods, with the reason'),
          changedPeriods,
          ...age,
          source: z.string(),
        })
        .meta({ id: 'RegionSeries', description: 'An indicator in one region' }),
    ),
  })
  .meta({ id: 'MacroSeries' });
export type MacroSeries = z.infer<typeof MacroSeries>;

export const MacroQuery = z.strictObject({
  locale,
  region: regionCodes
    .optional()
    .describe(
      'Up to 30 codes, separated by commas: ISO 3166-1 alpha-2 or alpha-3 in any case, or aggregates such as WLD; or `all`. With it: the whole series; without it: the newest two observations of every region',
    ),
  rank: z
    .enum(['highest', 'lowest'])
    .optional()
    .describe(
      'Sorts countries, or those in `region`, by their newest value, each with its newest two observations. Without `from`, omits countries whose newest figure is more than three years older than the newest of all',
    ),
  limit: optionalCountOf(100).meta({
    description: 'Only with `rank`: number of countries; default: 10',
    examples: [10],
  }),
  vintages: z
    .enum(['newest', 'all'])
    .default('newest')
    .describe(
      'newest: the current values; all, only with one region or with `publishedSince`: every value that a period ever had, with the days between which it was known',
    ),
  from: period
    .optional()
    .describe(
      'First period, inclusive: 2015, 2015-Q1, 2015-01 or a day. The last day of a period decides. With `region`, decisions such as a policy rate begin with the one that held before it',
    )
    .meta({ examples: ['2015'] }),
  to: period.optional().meta({ description: 'Last period, inclusive', examples: ['2025'] }),
  asOf: day
    .optional()
    .describe('Returns the figures as they were known at the end of this UTC day; not in the future')
    .meta({ examples: ['2026-04-30'] }),
  publishedSince: publishedSince.describe(
    'For copies: only series with figures that were published, restated or withdrawn at or after this moment, in pages of 100, each with all its figures between `changedPeriods.from` and `changedPeriods.to`. No period outside has changed. Combines with `region`, `vintages` and `cursor` only',
  ),
  cursor: paging.cursor.describe('Only with `publishedSince`: `meta.page.nextCursor` of the previous page'),
});
export type MacroQuery = z.infer<typeof MacroQuery>;

export const IndicatorSlug = slug
  .meta({ description: 'Slug of an indicator', examples: ['gdp-growth'] })
  .register(NAMED, { reason: 'no_indicator' });
