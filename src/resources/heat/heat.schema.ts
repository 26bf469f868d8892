import { z } from 'zod';
import { page } from '../links.schema.js';
import { day, locale, regionCode, slug } from '../parameters.schema.js';

export const HeatQuery = z.strictObject({
  locale,
  country: regionCode
    .optional()
    .describe(
      'One economy: ISO 3166-1 alpha-2 or alpha-3, or an aggregate; without it, the hottest countries',
    ),
  days: z.int().min(1).max(90).default(7).describe('Length of the window in days'),
  until: day
    .optional()
    .describe(
      'Last day of the window; without it, or where it lies in the future, the day of the newest change that matches',
    )
    .meta({ examples: ['2026-07-01'] }),
  coverage: slug
    .optional()
    .describe('Only changes of this coverage domain')
    .meta({ examples: ['prices'] }),
  limit: z.int().min(1).max(60).default(20).describe('Countries at most'),
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
      .describe('50 is an ordinary window, 0 an empty one; null only where nothing has ever changed'),
    basis: z
      .enum(['own', 'peers'])
      .nullable()
      .describe("own: against the country's own earlier windows; peers: against all countries' windows"),
    counts: z.object({
      changes: z.int().describe('Changes in the window'),
      importance: z.int().describe('Their summed importance, which is what is compared'),
      windows: z.int().describe('Non-empty windows that it was compared with'),
      below: z.int().describe('Those of them with less importance'),
      equal: z.int().describe('Those of them with just as much'),
    }),
    changes: z
      .array(z.object({ id: z.string(), url: z.url(), page, headline: z.string() }))
      .describe('Up to three of the most important changes in the window'),
    sources: z.array(z.string()).describe('Ids in `meta.sources`'),
  })
  .meta({ id: 'CountryHeat', description: 'How much changed against what is normal there; never a risk' });
export type CountryHeat = z.infer<typeof CountryHeat>;
