import { z } from 'zod';
import { LOCALES } from '../../locale/locale.js';
import { SourceAttribution } from '../../sources/source.schema.js';

const page = z
  .object({
    limit: z.int().describe('Requested number of items'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Send it as `cursor` to get the next page; null on the last page'),
  })
  .meta({ id: 'Page' });

const meta = z
  .object({
    locale: z.enum(LOCALES).describe('Language of the content'),
    dataVersion: z
      .int()
      .describe('Newest data version that changed these resources; 0 before the first publication'),
    publishedAt: z.iso.datetime().nullable().describe('When this data version was published'),
    sources: z.array(SourceAttribution).describe('The sources that `data` refers to, each once, by id'),
    notices: z.array(z.string()).describe('Sentences that you must show with this data'),
    window: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .describe('The days that the service chose by default'),
    nearest: z
      .object({ before: z.string().nullable(), after: z.string().nullable() })
      .optional()
      .describe('If the window is empty: the nearest days with content before and after it'),
    reach: z
      .object({
        given: z.int().describe('Depth of this response'),
        allowed: z.int().describe('Depth that the plan allows'),
        more: z.boolean().describe('Whether deeper content exists'),
      })
      .optional()
      .describe('Only if the plan limits the response'),
  })
  .meta({ id: 'Meta' });

const pagedMeta = meta.extend({ page }).meta({ id: 'PagedMeta' });

/** The envelope around one resource's schema. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.object({ data, meta });
}

export function envelopedPage<Data extends z.ZodType>(data: Data) {
  return z.object({ data, meta: pagedMeta });
}
