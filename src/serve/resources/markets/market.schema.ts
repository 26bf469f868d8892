import { z } from 'zod';
import { NAMED } from '../../../domain/errors/named.schema.js';
import { age, Figure, Period, SeriesFigure, Unit } from '../../../domain/figures/figure.schema.js';
import { changedPeriods, page } from '../links.schema.js';
import { countOf, day, locale, paging, period, publishedSince, slug } from '../parameters.schema.js';
import type { Resource } from '../../responses/resource.js';

export const marketsResource = {
  path: 'markets',
  tag: 'Markets',
  about: 'Quotes of exchange rates, commodities and yields from official publishers',
  family: 'markets',
} satisfies Resource;

export const INSTRUMENT_KINDS = ['fx', 'commodity', 'rate', 'index', 'equity'] as const;
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];

export const TIMEFRAMES = ['D1', 'W1', 'MN'] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

const timeframe = z.enum(TIMEFRAMES).describe('D1 days, W1 ISO weeks, MN calendar months');

const members = {
  key: z.string(),
  url: z.url(),
  page,
  name: z.string(),
  description: z.string(),
  kind: z.enum(INSTRUMENT_KINDS),
  unit: Unit,
  currency: z.string().nullable().describe('ISO 4217 code of the quote currency; null if the quote is not money'),
  nativeTimeframe: z
    .literal(TIMEFRAMES)
    .describe('Timeframe in which the source prints the quote; bars are never finer'),
  average: z.boolean().describe('Whether the source prints averages over the periods'),
  status: z
    .enum(['active', 'discontinued'])
    .describe('discontinued: the source no longer prints it; its earlier figures remain'),
  lastObservedOn: z
    .string()
    .nullable()
    .describe('Last day of the newest period with a figure; null if the source has withdrawn all figures'),
  quote: z
    .object({
      last: Figure.describe('The newest figure'),
      previous: Figure.describe('The figure that the source printed before it, after a gap of any length'),
      change: z
        .number()
        .nullable()
        .describe('last − previous, in the unit of the instrument; in percentage points for percentages'),
      changePercent: z
        .number()
        .nullable()
        .describe('Relative difference in percent; null for percentages, and if `previous` is ≤ 0'),
      ...age,
    })
    .meta({ id: 'Quote' })
    .nullable(),
  changedPeriods,
  source: z.string(),
};

export const Instrument = z.object(members).meta({ id: 'Instrument' });
export type Instrument = z.infer<typeof Instrument>;

const PriceRange = z
  .object({
    figures: z.int().describe('Number of figures'),
    first: z.string().describe('Period of the first of them'),
    last: z.string().describe('Period of the last of them'),
    oldest: Figure.describe('The figure of `first`'),
    lowest: Figure.describe('The lowest figure, with the first day of it'),
    highest: Figure.describe('The highest figure, with the first day of it'),
    mean: z
      .object({ value: z.number(), text: z.string().describe('The mean as text in the language of the request') })
      .meta({ id: 'PriceMean' })
      .describe('Arithmetic mean, which the service computes, to as many decimals as the figures have'),
  })
  .meta({ id: 'PriceRange' });
export type PriceRange = z.infer<typeof PriceRange>;

export const InstrumentDetail = z
  .object({
    ...members,
    range: PriceRange.nullable().describe(
      'Of all figures from `from` to `to`, however many `points` shows and whenever they were published; null without `from`, with `cursor`, and if there are none',
    ),
    points: z
      .array(SeriesFigure)
      .describe(
        'The newest figures of the window as the source prints them, oldest first, without days that have no price',
      ),
  })
  .meta({ id: 'InstrumentDetail' });
export type InstrumentDetail = z.infer<typeof InstrumentDetail>;

const unmade = z.number().nullable().describe('null if the source does not print it: it is never computed');

export const Bar = z
  .object({
    period: Period,
    open: unmade,
    high: unmade,
    low: unmade,
    close: Figure.describe(
      'The figure of the last day with a price, which `close.period` names; for an average, the average of the period',
    ),
    derived: z.boolean().describe('Whether the service computes the bar from a finer timeframe'),
    complete: z
      .boolean()
      .describe('false until a price of a later period is known, because the close may still change'),
  })
  .meta({ id: 'Bar' });
export type Bar = z.infer<typeof Bar>;

export const InstrumentBars = z
  .object({
    ...members,
    timeframe: z.literal(TIMEFRAMES),
    bars: z.array(Bar).describe('Oldest first'),
    missing: z
      .enum(['not_published'])
      .nullable()
      .describe(
        'Why there are no bars: the source prints no figures of this timeframe, or only averages of another one',
      ),
  })
  .meta({ id: 'InstrumentBars' });
export type InstrumentBars = z.infer<typeof InstrumentBars>;

const window = {
  from: period
    .optional()
    .describe('First period, inclusive: a day, or 2026-01, 2026-Q1, 2026. The last day of a period decides')
    .meta({ examples: ['2026-01-01'] }),
  to: period.optional().meta({ description: 'Last period, inclusive', examples: ['2026-06-30'] }),
  asOf: day
    .optional()
    .describe('Returns figures and quote as they were known at the end of this UTC day; not in the future')
    .meta({ examples: ['2026-06-30'] }),
};

export const InstrumentsQuery = z.strictObject({
  locale,
  publishedSince: publishedSince.describe(
    'For copies: only instruments with figures that were published, restated or withdrawn at or after this moment',
  ),
});
export type InstrumentsQuery = z.infer<typeof InstrumentsQuery>;

export const MarketQuery = z.strictObject({
  locale,
  points: countOf(1_000, 90).describe('Maximum number of figures: the newest of the window'),
  ...window,
  vintages: z
    .enum(['newest', 'all'])
    .optional()
    .describe(
      'newest, or without it: the current values; all: every value that these periods ever had, with the days between which it was known',
    ),
  publishedSince: publishedSince.describe(
    'For copies: only the figures between `changedPeriods.from` and `changedPeriods.to`, the periods that were published, restated or withdrawn at or after this moment',
  ),
  cursor: paging.cursor.describe('`meta.page.nextCursor` of the previous page; returns older figures'),
});
export type MarketQuery = z.infer<typeof MarketQuery>;

export const KindQuery = z.strictObject({
  locale,
  tf: timeframe.default('D1'),
  instrument: slug.optional().meta({ description: 'Only this instrument of the kind', examples: ['eurusd'] }),
  bars: countOf(260, 30).describe('Maximum number of bars: the newest of the window'),
  ...window,
  publishedSince: publishedSince.describe(
    'For copies: only instruments with figures that were published, restated or withdrawn at or after this moment',
  ),
  cursor: paging.cursor.describe(
    '`meta.page.nextCursor` of the previous page, which only responses with `instrument` have; returns older bars',
  ),
});
export type KindQuery = z.infer<typeof KindQuery>;

export const InstrumentKey = slug
  .meta({ description: 'Key of an instrument', examples: ['eurusd'] })
  .register(NAMED, { reason: 'no_instrument' });
export const KindName = z
  .enum(INSTRUMENT_KINDS)
  .meta({ description: 'Kind of instrument', examples: ['fx'] })
  .register(NAMED, { reason: 'no_kind' });
