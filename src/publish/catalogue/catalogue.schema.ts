import { z } from 'zod';
import { limitOverrides } from '../../domain/catalogue/limits.schema.js';
import { keyText as slug, localized, localizedOf, text } from '../../domain/catalogue/texts.schema.js';
import { isTimeZone } from '../../domain/figures/local-time.js';
import { VERBS } from '../../domain/figures/wording.js';

// Schemas of the catalogue's entries. docs/reference/catalogue/ publishes them; catalogue-checks.ts has the rules between entries.

const order = z.number().int();
/** How much people watch a subject, against the most watched ones (100): it weighs the importance of changes. */
const attention = z.number().int().min(30).max(100);

export const sourceEntry = z.strictObject({
  id: slug,
  name: localized,
  publisher: localized,
  url: z.url(),
  level: z.enum(['primary', 'regulator', 'company', 'institutional', 'media', 'derived', 'community']),
  licence: text,
  attribution: localized,
  notice: localized.nullable().default(null),
  /** Republishes what others make: a sentence credits the first origin of its series. */
  portal: z.boolean().default(false),
  /** Estimates of a model: a sentence credits their maker where another publishes them. */
  modelled: z.boolean().default(false),
  /** Publishes figures of others beside its own: each of its indicators names their origins. */
  republishes: z.boolean().default(false),
  withheld: z.boolean().default(false),
  /** Of its yearly figures: the first month of an economy's year, where that is not January. */
  fiscalYears: z.record(text, z.int().min(2).max(12)).optional(),
  /** What the audit lets pass of its figures, where the defaults do not suit. */
  limits: limitOverrides.optional(),
});

export const coverageEntry = z.strictObject({ key: slug, name: localized, description: localized, order });

export const topicEntry = z.strictObject({
  slug,
  name: localized,
  description: localized,
  coverage: z.array(slug),
  order,
});

const currency = z.string().regex(/^[A-Z]{3}$/, 'is not a code of ISO 4217, such as EUR');

export const regionEntry = z.strictObject({
  code: z.string().regex(/^[A-Z0-9]{2,3}$/),
  alpha3: z.string().nullable(),
  aliases: z.array(z.string()),
  kind: z.enum(['country', 'aggregate']),
  name: localized,
  /** ISO 4217: the currency of the region's exchange rate. */
  currency: currency.nullable(),
  weight: z.number().int().min(0).max(100),
  board: z.boolean(),
  order: order.nullable(),
});

const daysOf = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('day') }),
  z.strictObject({ on: z.literal('working-day') }),
  z.strictObject({ on: z.literal('weekday'), weekday: z.int().min(1).max(7) }),
  z.strictObject({
    on: z.literal('month-day'),
    months: z.array(z.int().min(1).max(12)).min(1),
    day: z.int().min(1).max(31),
  }),
]);

/** When a publisher releases figures. */
export const timetableEntry = z.strictObject({
  id: slug,
  /** Whose codes the files use, as in indicators and instruments; of a register its publisher. */
  provider: slug,
  timeZone: z.string().refine(isTimeZone, 'is no time zone'),
  time: z.string().regex(/^(0[4-9]|1\d|2[0-3]):[0-5]\d$/, 'is no time from 04:00, which no change of the clock skips'),
  releases: daysOf,
  /** Of holidays.json: they are no working days. */
  holidays: slug.optional(),
  delayDays: z.int().min(0),
  graceDays: z.int().min(0),
});

const withFigure = text.refine((given) => given.includes('{n}'), 'has no {n} for the figure');
const sideOf = localizedOf(withFigure);

/** `rose` and `rise`, `fell` and `fall`. */
const verbForms = z.strictObject({ past: text, noun: text });
const upAndDown = z.strictObject({ up: verbForms, down: verbForms });

/** The words that sentences need, because the unit does not imply them. */
const wording = z.strictObject({
  /** One of those that the sentences know, or its forms. */
  verb: z.union([z.enum(VERBS), localizedOf(upAndDown)]),
  /** Whether an English sentence writes an article before it. */
  definite: z.boolean().optional(),
  /** Whether the publisher's figure of a group of economies is their median. */
  median: z.boolean().optional(),
  /** Name of the first estimate of a period, where the publisher makes several. */
  first: localized.optional(),
  sides: z
    .strictObject({
      positive: localized,
      negative: localized,
      turn: z.strictObject({ subject: localized, positive: sideOf, negative: sideOf }),
    })
    .nullable()
    .default(null),
  /** Who decides, and on what. */
  decision: z
    .strictObject({
      body: localized,
      rate: localized,
      range: text.optional().describe('By how much the lower limit of a target range lies below the figure: 0.25'),
    })
    .optional(),
});

/** How many others each kind of identity has. */
const MEMBERS = { quotient: 2, difference: 2, growth: 1, deflated: 2, surplus: 3, converted: 3, alongside: 1 } as const;

/** How the figures of an indicator follow from those of others, for the same region: the audit holds what contradicts it. */
const identity = z
  .strictObject({
    is: z
      .enum(Object.keys(MEMBERS) as (keyof typeof MEMBERS)[])
      .describe(
        'quotient: a / b; difference: a − b; growth: of a, in percent; deflated: the rate a without the inflation b; surplus: a and the balance b in percent of c; converted: its figure of the year before, by the growth a, the inflation b and the exchange rate c; alongside: by as much as a moved',
      ),
    of: z.array(slug).describe('The indicators a, b and c'),
    tolerance: z
      .number()
      .positive()
      .describe(
        'By how much it may differ: a share of it for quotient, converted and alongside, otherwise in its unit',
      ),
  })
  .refine(({ is, of }) => of.length === MEMBERS[is], { path: ['of'], error: 'as many as this identity has' });

const indicatorFields = z.strictObject({
  slug,
  provider: slug,
  providerCode: text,
  /** Its own page at the publisher; null where the publisher has none. */
  seriesUrl: z
    .url({ protocol: /^https$/ })
    .nullable()
    .default(null),
  timetable: slug,
  source: slug,
  unit: text,
  frequency: z.enum(['A', 'H', 'Q', 'M', 'W', 'D']),
  seasonalAdjustment: text.nullable().default(null),
  priceBasis: text.nullable().default(null),
  baseYear: z.int().nullable().default(null),
  name: localized,
  shortName: localized,
  description: localized,
  attention,
  wording,
  topics: z.array(slug).min(1),
  coverage: z.array(slug).min(1),
  origins: z.array(slug),
  board: z.boolean().default(false),
  /** A decision holds from its day until the next one: its periods are the days of decisions. */
  decision: z.boolean().default(false),
  /** What the audit lets pass, where the defaults do not suit. */
  limits: limitOverrides.optional(),
  identity: identity.optional(),
  order,
});

export const indicatorEntry = indicatorFields.refine(
  ({ decision, wording: words }) => decision === (words.decision !== undefined),
  { error: 'its wording names who decides exactly if it is decided' },
);

export const instrumentEntry = z.strictObject({
  key: slug,
  provider: slug,
  providerCode: text,
  /** Its own page at the publisher; null where the publisher has none. */
  seriesUrl: z
    .url({ protocol: /^https$/ })
    .nullable()
    .default(null),
  timetable: slug,
  source: slug,
  kind: z.enum(['fx', 'commodity', 'rate', 'index', 'equity']),
  unit: text,
  currency: currency.nullable(),
  nativeTimeframe: z.enum(['D1', 'W1', 'MN']),
  average: z.boolean().default(false),
  discontinued: z.boolean().default(false),
  /** What the audit lets pass, where the defaults do not suit. */
  limits: limitOverrides.optional(),
  name: localized,
  /** Of a maturity: the yield curve that it is part of, and its own name among the others: US Treasury par yields, 10-year. */
  curve: z.strictObject({ name: localized, tenor: localized }).nullable().default(null),
  description: localized,
  attention,
  regions: z.array(z.string()),
  topics: z.array(slug).min(1),
  coverage: z.array(slug).min(1),
  order,
});

/** The frequency of an instrument's periods. */
export const PERIODS_OF = { D1: 'D', W1: 'W', MN: 'M' } as const satisfies Record<
  InstrumentEntry['nativeTimeframe'],
  IndicatorEntry['frequency']
>;

const header = text;

/** How a CSV of a publisher without an importer of its own is read. */
export const mappingEntry = z
  .strictObject({
    /** As typed: `tidemark import <publisher>`; the provider of its indicators and instruments. */
    publisher: slug,
    delimiter: z.enum([',', ';', '\t']).default(','),
    decimalMark: z.enum(['.', ',']).default('.'),
    /** The column with the period of each row: `2025`, `2025-Q3`, `2025-10`, or a day. */
    period: header,
    /** The column with the region of each row, or the region of all rows; not needed by instruments. */
    region: z.union([z.strictObject({ column: header }), z.strictObject({ code: text })]).optional(),
    /** One row a figure: the columns with the provider's code and the value. */
    figure: z.strictObject({ code: header, value: header }).optional(),
    /** One column a series: the provider's code by column. */
    columns: z.record(header, text).optional(),
    /** The column that says where a row's figure is from. */
    note: header.optional(),
    /** What stands for a missing figure. */
    missing: z.array(z.string()).default(['']),
  })
  .refine(({ figure, columns }) => (figure === undefined) !== (columns === undefined), {
    error: 'has either "figure" or "columns"',
  });

export type SourceEntry = z.infer<typeof sourceEntry>;
export type CoverageEntry = z.infer<typeof coverageEntry>;
export type TopicEntry = z.infer<typeof topicEntry>;
export type RegionEntry = z.infer<typeof regionEntry>;
export type TimetableEntry = z.infer<typeof timetableEntry>;
export type IndicatorEntry = z.infer<typeof indicatorEntry>;
export type InstrumentEntry = z.infer<typeof instrumentEntry>;
export type MappingEntry = z.infer<typeof mappingEntry>;
