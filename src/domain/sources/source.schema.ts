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
    id: z.string().describe('`source`, `origins` and `sources` in the data refer to this id'),
    name: z.string().describe('Name of the publication, in the language of the request'),
    publisher: z.string().describe('Name of the publisher'),
    url: z.url().describe('URL of the publication'),
    series: z
      .array(
        z
          .object({
            key: z.string().describe('Slug of an indicator or key of an instrument'),
            name: z.string(),
            url: z.url(),
          })
          .meta({ id: 'SourceSeries' }),
      )
      .describe('The series in `data` that have their own page at the publisher: cite that page'),
    level: z.enum(SOURCE_LEVELS).describe('How close the source is to the fact'),
    licence: z.object({ id: z.string(), name: z.string(), url: z.url() }).meta({ id: 'Licence' }),
    attribution: z.string().describe('Attribution to show wherever you show the figures'),
    notice: z
      .string()
      .nullable()
      .describe('Sentence that you must show with the figures; null if the licence requires none'),
    retrievedAt: z
      .string()
      .nullable()
      .describe(
        'Day of the newest data from this source, YYYY-MM-DD; null for a source that only another source cites',
      ),
  })
  .meta({ id: 'Source' });

export type SourceAttribution = z.infer<typeof SourceAttribution>;
