import { z } from 'zod';
import { oneLine } from '../../names/one-line.js';
import { isCurrency } from '../../figures/currencies.js';
import { VERBS } from '../../figures/wording.js';
import { UNITS, type UnitCode } from '../../figures/units.js';
import type { LOCALES } from '../../locale/locale.js';
import { isLicenceId, LICENCES } from '../../sources/licences.js';

// Schemas of the catalogue's files. An invalid file stops the process.

const text = z
  .string()
  .trim()
  .min(1)
  .refine((given) => oneLine(given) === given, 'is one line without control or invisible characters');
const localized = z.strictObject({ en: text, zh: text, ja: text } satisfies Record<
  (typeof LOCALES)[number],
  z.ZodType
>);
const slug = z.string().regex(/^[a-z0-9-]{1,64}$/);
const order = z.number().int();

export const sourceEntry = z
  .strictObject({
    id: slug,
    name: localized,
    publisher: localized,
    url: z.url(),
    level: z.enum(['primary', 'regulator', 'company', 'institutional', 'media', 'derived', 'community']),
    licence: z.string().refine(isLicenceId, 'is not in the licence table'),
    attribution: localized,
    notice: localized.nullable(),
    withheld: z.boolean(),
  })
  .refine(({ licence, withheld }) => withheld || mayBeServed(licence), {
    error: 'its licence allows no redistribution or derivation: it must be withheld',
  });

function mayBeServed(licence: string): boolean {
  return isLicenceId(licence) && LICENCES[licence].redistribution && LICENCES[licence].derivation;
}

export const coverageEntry = z.strictObject({ key: slug, name: localized, description: localized, order });

export const topicEntry = z.strictObject({
  slug,
  name: localized,
  description: localized,
  coverage: z.array(slug),
  order,
});

const currency = z.string().refine(isCurrency, 'is no ISO 4217 code that currencies are named by');

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

/** The words that sentences need, because the unit does not imply them. */
const wording = z.strictObject({
  verb: z.enum(VERBS),
  sides: z.strictObject({ positive: localized, negative: localized }).nullable(),
  /** Who decides, and on what. */
  decision: z.strictObject({ body: localized, rate: localized }).optional(),
});

const indicatorFields = z.strictObject({
  slug,
  provider: slug,
  providerCode: text,
  /** Its own page at the publisher; null where the publisher has none. */
  seriesUrl: z.url({ protocol: /^https$/ }).nullable(),
  unit: z.string().refine((unit): unit is UnitCode => Object.hasOwn(UNITS, unit), 'is not in the unit table'),
  frequency: z.enum(['A', 'H', 'Q', 'M', 'W', 'D']),
  seasonalAdjustment: text.nullable(),
  priceBasis: text.nullable(),
  baseYear: z.number().int().nullable(),
  name: localized,
  shortName: localized,
  description: localized,
  wording,
  topics: z.array(slug).min(1),
  coverage: z.array(slug).min(1),
  origins: z.array(slug),
  board: z.boolean(),
  /** A decision holds from its day until the next one: its periods are the days of decisions. */
  decision: z.boolean().default(false),
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
  seriesUrl: z.url({ protocol: /^https$/ }).nullable(),
  source: slug,
  kind: z.enum(['fx', 'commodity', 'rate', 'index', 'equity']),
  unit: z.string().refine((unit): unit is UnitCode => Object.hasOwn(UNITS, unit), 'is not in the unit table'),
  currency: currency.nullable(),
  nativeTimeframe: z.enum(['D1', 'W1', 'MN']),
  average: z.boolean(),
  discontinued: z.boolean(),
  name: localized,
  description: localized,
  regions: z.array(z.string()),
  topics: z.array(slug).min(1),
  coverage: z.array(slug).min(1),
  order,
});

export type SourceEntry = z.infer<typeof sourceEntry>;
export type CoverageEntry = z.infer<typeof coverageEntry>;
export type TopicEntry = z.infer<typeof topicEntry>;
export type RegionEntry = z.infer<typeof regionEntry>;
export type IndicatorEntry = z.infer<typeof indicatorEntry>;
export type InstrumentEntry = z.infer<typeof instrumentEntry>;
