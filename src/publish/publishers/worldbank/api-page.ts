// Reads a response of the World Bank's API, version 2: `[page, rows]`, as a stream that keeps printed numbers.
import { z } from 'zod';
import { isDay } from '../../../domain/figures/periods.js';
import { ImportError } from '../../batches/importer.js';
import { jsonParts, type JsonLayout } from '../../batches/json-parts.js';
import { quoted } from '../../batches/text.js';

export interface ApiPage {
  readonly page: number;
  readonly pages: number;
  readonly perPage: number;
  readonly total: number;
  readonly lastUpdated: string | null;
}

/** The page's metadata and the rows that are complete so far, as parsed JSON. */
export interface ApiPart {
  readonly page: ApiPage;
  readonly rows: readonly unknown[];
}

const PAGE = z.object({
  page: z.coerce.number().int(),
  pages: z.coerce.number().int(),
  per_page: z.coerce.number().int(),
  total: z.coerce.number().int(),
  lastupdated: z.string().nullish(),
});

const REFUSAL = z.object({ message: z.array(z.object({ id: z.string(), key: z.string(), value: z.string() })).min(1) });

const PAGE_AND_ROWS: JsonLayout = {
  enters: ({ length }, bracket) => length < 2 && bracket === 'startArray',
  refusal: "not a response of the World Bank's API (version 2): [page, rows]",
  numberAsString: true,
};

/**
 * Yields at least one part. Numbers in rows are texts, as printed.
 * @throws ImportError with the API's own message for a refusal, or for another document
 */
export async function* apiParts(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ApiPart> {
  let page: ApiPage | null = null;
  for await (const parts of jsonParts(chunks, file, PAGE_AND_ROWS)) {
    const rows: unknown[] = [];
    for (const { path, value } of parts) {
      if (path.length === 2 && page !== null) rows.push(value);
      else if (page === null) page = pageOf(value, file);
      else if (value !== null) throw notAPage(file);
    }
    if (page !== null) yield { page, rows };
  }
  if (page === null) throw notAPage(file);
}

function pageOf(object: unknown, file: string): ApiPage {
  const refusal = REFUSAL.safeParse(object);
  if (refusal.success) {
    const words = refusal.data.message.map(({ id, key, value }) => `${key}: ${value} (${id})`);
    throw new ImportError(`${file}: the World Bank responded with an error: ${[...new Set(words)].join('; ')}`);
  }
  const page = PAGE.safeParse(object);
  if (!page.success) throw notAPage(file);
  const lastUpdated = page.data.lastupdated ?? null;
  if (lastUpdated !== null && !isDay(lastUpdated)) {
    throw new ImportError(`${file}: "lastupdated" is ${quoted(lastUpdated)}, expected a day such as 2026-07-01`);
  }
  return { ...page.data, perPage: page.data.per_page, lastUpdated };
}

const notAPage = (file: string): ImportError => new ImportError(`${file} is JSON, but ${PAGE_AND_ROWS.refusal}`);
