import { z } from 'zod';
import { Period } from '../../../domain/figures/figure.schema.js';
import { LOCALES } from '../../../domain/locale/locale.js';
import { SourceAttribution } from '../../../domain/sources/source.schema.js';

const page = z
  .object({
    limit: z.int().describe('Most items of a page; all of them where the response has only one page'),
    nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next page; null on the last page'),
  })
  .meta({ id: 'Page' });

export const Meta = z
  .object({
    locale: z.literal(LOCALES).describe('Language of the content'),
    dataVersion: z
      .int()
      .nullable()
      .describe(
        'Newest data version that changed what the response rests on: its indicator or instrument, otherwise its family of resources, and its sources; 0 before the first publication, null only in an error',
      ),
    publishedAt: z.iso.datetime().nullable().describe('When this data version was published'),
    freshness: z
      .object({
        newestPeriod: Period.nullable().describe(
          'The newest reference period with a value in `data`; null without any value',
        ),
        retrievedAt: z
          .string()
          .nullable()
          .describe('Day of the newest data from the sources of `data`, YYYY-MM-DD; null if there is none'),
        stale: z
          .boolean()
          .describe(
            'Whether newer figures are overdue by the timetables of all publishers in `data`; a notice then says since when',
          ),
      })
      .meta({ id: 'Freshness' })
      .optional()
      .describe('How old the figures are: present if `data` has series, quotes or a brief'),
    sources: z.array(SourceAttribution).describe('The sources that `data` refers to, each once, by id'),
    notices: z.array(z.string()).describe('Sentences that you must show with this data'),
    page: page.optional().describe('Only on lists in pages'),
    total: z
      .object({
        count: z.int(),
        exact: z.boolean().describe('Whether `count` is the number of matches; if false, more match'),
      })
      .meta({ id: 'Total' })
      .optional()
      .describe('With `order=importance`: how many changes match'),
    window: z
      .object({ from: z.string(), to: z.string() })
      .meta({ id: 'Window' })
      .optional()
      .describe('The days that the service chose by default'),
    nearest: z
      .object({ before: z.string().nullable(), after: z.string().nullable() })
      .meta({ id: 'NearestDays' })
      .optional()
      .describe('If the window is empty: the nearest days with content before and after it'),
    removed: z
      .array(z.string())
      .optional()
      .describe(
        'With `publishedSince`, on the first page: ids, slugs, keys or region codes that are no longer served since then, whatever the filters. Delete them from a copy. Withdrawn changes are in the list of `status=withdrawn` instead',
      ),
    reach: z
      .object({
        given: z.int().describe('Depth of this response'),
        allowed: z.int().describe('Depth that the plan allows'),
        more: z.boolean().describe('Whether deeper content exists'),
      })
      .meta({ id: 'Reach' })
      .optional()
      .describe('Only if the plan limits the response'),
  })
  .meta({ id: 'Meta' });

/** The envelope around one resource's schema. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.object({ data, meta: Meta });
}
