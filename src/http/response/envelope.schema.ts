import { z } from 'zod';
import { LOCALES } from '../../locale/locale.js';
import { SourceAttribution } from '../../sources/source.schema.js';

const page = z
  .object({
    limit: z.int().describe('Items asked for'),
    nextCursor: z.string().nullable().describe('Send as `cursor` for the next page; null at the end'),
  })
  .meta({ id: 'Page' });

const meta = z
  .object({
    locale: z.enum(LOCALES).describe('Language of the content'),
    dataVersion: z.int().describe('Newest data version that changed this family of resources; 0 before any'),
    publishedAt: z.iso.datetime().nullable().describe('When that data version was published'),
    sources: z.array(SourceAttribution).describe('Each source id that stands in `data`, once, by id'),
    notices: z.array(z.string()).describe('Sentences that must be shown with this data'),
    window: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .describe('The days that a default became'),
    nearest: z
      .object({ before: z.string().nullable(), after: z.string().nullable() })
      .optional()
      .describe('Where the window is empty: the nearest days before and after it that have something'),
    reach: z
      .object({
        given: z.int().describe('How far the answer reaches'),
        allowed: z.int().describe('How far the plan allows'),
        more: z.boolean().describe('Whether there is more beyond that'),
      })
      .optional()
      .describe('Only where the plan cuts the answer'),
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
