import { z } from 'zod';
import {
  AGGREGATES,
  COMPUTED_MISSING,
  OPERATIONS,
  TRANSFORMS,
  type Operation,
} from '../../../domain/calculation/sequence.js';
import { age, Period, Unit } from '../../../domain/figures/figure.schema.js';
import { page } from '../links.schema.js';
import { countOf, day, locale, period, sequenceOfItems } from '../parameters.schema.js';
import { SpanText as text, Statistics } from './series-statistics.schema.js';
import type { Resource } from '../../responses/resource.js';

export const seriesResource = {
  path: 'series',
  tag: 'Series',
  about: 'Several indicators and instruments at once, and what is computed from them',
  family: 'series',
} satisfies Resource;

export const MOST_SERIES = 12;
const MOST_POINTS = 1_000;

/** `indicator@region`, the key of an instrument, or a pair of currencies. */
const reference = z
  .string()
  .max(68)
  .regex(/^(?:[A-Za-z0-9-]+(?:@[A-Za-z0-9]{2,3})?|[A-Za-z]{3}\/[A-Za-z]{3})$/)
  .transform((text) => {
    const [key = '', region] = text.split('@');
    return key.toLowerCase().replace('/', '') + (region === undefined ? '' : `@${region.toUpperCase()}`);
  });

const references = sequenceOfItems(reference, { most: MOST_SERIES, longest: 70 }).meta({
  type: 'string',
  examples: ['usdjpy', 'consumer-price-index@US,policy-rate-upper@US'],
});

const operand = (what: string) =>
  reference
    .optional()
    .describe(`${what}. An indicator without a region is that of the region of each series`)
    .meta({ type: 'string' });

export const SeriesQuery = z.strictObject({
  locale,
  series: references.describe(
    `Up to ${MOST_SERIES}, separated by commas, in the order of the response: \`indicator@region\`, the key of an instrument, or a pair of currencies such as \`usdjpy\` or \`usd/jpy\` (yen per dollar), which is computed from the rates of one publisher and day`,
  ),
  minus: operand('Subtracts this series from each, as for a spread').meta({ examples: ['us-par-yield-2y'] }),
  per: operand('Divides each by this series, as for amounts per head').meta({ examples: ['population'] }),
  times: operand(
    'Multiplies each by this series, as for amounts in local currency; a percentage of GDP times GDP is an amount',
  ).meta({ examples: ['official-exchange-rate'] }),
  frequency: z
    .enum(['W', 'M', 'Q', 'A'])
    .optional()
    .describe('Makes one figure of each week, month, quarter or year, as `aggregate` says'),
  aggregate: z
    .enum(AGGREGATES)
    .optional()
    .describe(
      'Only with `frequency`: mean (default), highest, lowest or last figure. Series of one frequency are combined first, others aggregated first',
    ),
  transform: z
    .enum(TRANSFORMS)
    .optional()
    .describe(
      'After the rest. yoy: percent on the same period of the year before; pop: percent on the period before (month on month for months); both in percentage points for percentages; change: the difference from the period before; index: `base` = 100; compound: growth rates chained to an index; `base`, by default the period before the first rate, = 100',
    ),
  base: period
    .optional()
    .describe(
      'Only with `transform=index` or `compound`: the period that is 100; default: the first of the span, for `compound` the one before it',
    )
    .meta({ examples: ['2015'] }),
  level: z
    .string()
    .regex(/^-?\d{1,15}(?:\.\d{1,12})?$/)
    .max(29)
    .optional()
    .describe('A number with which `statistics.level` compares the figures')
    .meta({ examples: ['100'] }),
  from: period
    .optional()
    .describe('First period, inclusive: 2015, 2015-Q1, 2015-01 or a day. The last day of a period decides')
    .meta({ examples: ['2015'] }),
  to: period.optional().meta({ description: 'Last period, inclusive', examples: ['2025'] }),
  asOf: day
    .optional()
    .describe('Computes with the figures as they were known at the end of this UTC day; not in the future')
    .meta({ examples: ['2026-04-30'] }),
  points: countOf(MOST_POINTS, 100).describe(
    'Maximum number of points of each series: the newest of the span. `statistics` is of all',
  ),
});
export type SeriesQuery = z.infer<typeof SeriesQuery>;

/** The parameter with the second operand. */
export const operationOf = (query: SeriesQuery): Operation | undefined =>
  OPERATIONS.find((name) => query[name] !== undefined);

const ComputedUnit = z
  .object({ ...Unit.shape, code: Unit.shape.code.nullable().describe('null unless published figures have it') })
  .meta({ id: 'ComputedUnit', description: 'What the figures are counted in' });

const Point = z
  .object({
    period: Period,
    value: z
      .number()
      .nullable()
      .describe('As the source printed it; computed values are rounded once, half-even to 12 significant digits'),
    decimals: z.int().nullable(),
    text: text.nullable(),
    missing: z
      .enum(COMPUTED_MISSING)
      .nullable()
      .describe('Why `value` is null; not_defined: a figure to compare with is missing, or not above zero'),
    knownSince: z.string().nullable().describe('The latest day of a vintage among the figures that it is made of'),
    base: z.string().nullable().describe('With `transform`: the period that it is compared with'),
    complete: z
      .boolean()
      .describe('Whether all figures of the period are in it: false while it runs, and if one is missing'),
  })
  .meta({ id: 'SeriesPoint' });

const Input = z
  .object({
    series: z.string(),
    name: z.string(),
    url: z.url(),
    page,
    unit: ComputedUnit,
    last: z
      .object({ period: Period, value: z.number(), text })
      .nullable()
      .describe('Its last figure up to the end of the span')
      .meta({ id: 'SeriesInputFigure' }),
    newestPeriod: Period.nullable().describe('The newest period with a figure'),
    ...age,
    source: z.string(),
  })
  .meta({ id: 'SeriesInput', description: 'A series of published figures' });

export const Series = z
  .object({
    series: z.string().describe('As requested: `indicator@region`, the key of an instrument, or a pair of currencies'),
    name: z.string(),
    url: z.url().describe('The series, or this computation alone'),
    page,
    unit: ComputedUnit,
    frequency: z.enum(['A', 'H', 'Q', 'M', 'W', 'D']),
    computed: z
      .object({
        operation: z
          .string()
          .describe('The calculation, such as `yoy(mean(eurjpy / eurusd, A))`; the innermost is done first'),
        inputs: z.array(Input),
      })
      .nullable()
      .describe('null for figures as their source published them')
      .meta({ id: 'Computed' }),
    points: z.array(Point).describe('Oldest first, with missing periods; of days only those with a figure'),
    omitted: z
      .int()
      .describe('Older points of the span that `points` leaves out, from the first that is computable on'),
    statistics: Statistics.describe('Of all figures of the span; null if there are none'),
    stale: age.stale,
    expectedBy: age.expectedBy,
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'Series' });
export type Series = z.infer<typeof Series>;
