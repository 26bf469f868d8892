import { z } from 'zod';

export const SOURCE_LEVELS = [
  'primary',
  'regulator',
  'company',
  'institutional',
  'media',
  'derived',
  'community',
] as const;
export type SourceLevel = (typeof SOURCE_LEVELS)[number];

/** One attribution in `meta.sources`. */
export const SourceAttribution = z
  .object({
    id: z.string().describe('What `source`, `origins` and `sources` in the data refer to'),
    name: z.string().describe('Name of the publication, in the language of the request'),
    publisher: z.string().describe('Who publishes it'),
    url: z.url().describe('Where it is published'),
    series: z
      .array(
        z.object({
          key: z.string().describe('Slug of an indicator or key of an instrument'),
          name: z.string(),
          url: z.url(),
        }),
      )
      .describe(
        'Of the series in `data`, those that have a page of their own at the publisher: cite that page',
      ),
    level: z.enum(SOURCE_LEVELS).describe('How near the source stands to the fact'),
    licence: z.object({ id: z.string(), name: z.string(), url: z.url() }),
    attribution: z.string().describe('Sentence to show wherever the figures are shown'),
    notice: z.string().nullable().describe('Sentence that must be shown with the figures, or null'),
    retrievedAt: z
      .string()
      .nullable()
      .describe('Day of the newest data held from it, YYYY-MM-DD; null for a source named by another'),
  })
  .meta({ id: 'Source' });

export type SourceAttribution = z.infer<typeof SourceAttribution>;
