import { z } from 'zod';
import { page } from '../links.schema.js';
import { day, locale, regionCode, slug } from '../parameters.schema.js';

export const HeatQuery = z.strictObject({
  locale,
  country: regionCode
    .optional()
    .describe(
      'One economy: ISO 3166-1 alpha-2 or alpha-3, or an aggregate; default: the countries with the highest heat',
    ),
  days: z.int().min(1).max(90).default(7).describe('Length of the window in days'),
  until: day
    .optional()
    .describe('Last day of the window; default, and for a day in the future: the day of the newest matching change')
    .meta({ examples: ['2026-07-01'] }),
  coverage: slug.optional().meta({ description: 'Only changes of this coverage domain', examples: ['prices'] }),
  limit: z.int().min(1).max(60).default(20).describe('Maximum number of countries'),
});
export type HeatQuery = z.infer<typeof HeatQuery>;

export const CountryHeat = z
  .object({
    country: z.object({ code: z.string(), name: z.string() }),
    heat: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .describe('50 is a normal window, 0 an empty one; null only if the country has no changes at all'),
    basis: z
      .enum(['own', 'peers'])
      .nullable()
      .describe("own: compared with the country's earlier windows; peers: compared with the windows of all countries"),
    counts: z.object({
      changes: z.int().describe('Number of changes in the window'),
      importance: z.int().describe('Sum of their importance, which heat compares'),
      windows: z.int().describe('Number of non-empty windows in the comparison'),
      below: z.int().describe('Number of these windows with less importance'),
      equal: z.int().describe('Number of these windows with equal importance'),
    }),
    changes: z
      .array(z.object({ id: z.string(), url: z.url(), page, headline: z.string() }))
      .describe('The most important changes in the window, at most three'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({
    id: 'CountryHeat',
    description: 'How much changed in a country compared with its normal; never a measure of risk',
  });
export type CountryHeat = z.infer<typeof CountryHeat>;
