// Reads a response of the World Bank's API, version 2: `[page, rows]`, as a stream that keeps printed numbers.
import type { Token } from 'stream-json/core/parser.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { z } from 'zod';
import { isDay } from '../../../figures/periods.js';
import { ImportError } from '../../batches/importer.js';
import { CutShortError, jsonTokens } from '../../batches/json-tokens.js';
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

const REFUSAL = z.object({
  message: z.array(z.object({ id: z.string(), key: z.string(), value: z.string() })).min(1),
});

/**
 * Yields at least one part. Numbers in rows are texts, as printed.
 * @throws ImportError with the API's own message for a refusal, or for another document
 */
export async function* apiParts(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ApiPart> {
  const tokensOf = jsonTokens(file);
  const answer = new PageTokens(file);
  for await (const chunk of chunks) {
    for (const token of tokensOf(chunk)) answer.take(token);
    const { page } = answer;
    if (page !== null) yield { page, rows: answer.takeRows() };
  }
  if (!answer.complete) throw CutShortError.of(file);
  if (answer.page === null) throw notAPage(file);
}

/** Follows the brackets of `[{…}, [{…}, …]]` and assembles the objects in it, one at a time. */
class PageTokens {
  page: ApiPage | null = null;
  private rows: unknown[] = [];
  private depth = 0;
  private begun = false;
  private object: Assembler | null = null;

  constructor(private readonly file: string) {}

  get complete(): boolean {
    return this.begun && this.depth === 0;
  }

  takeRows(): unknown[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  take(token: Token): void {
    if (this.object === null && token.name === 'startObject')
      this.object = new Assembler({ numberAsString: true });
    if (this.object !== null) {
      this.object.consume(token);
      if (this.object.done) this.takeObject(this.object.current);
    } else if (token.name === 'startArray') {
      this.begun = true;
      this.depth++;
    } else if (token.name === 'endArray') {
      this.depth--;
    } else if (token.name !== 'nullValue' || this.depth === 0) {
      throw notAPage(this.file);
    }
  }

  private takeObject(object: unknown): void {
    this.object = null;
    if (this.depth === 2 && this.page !== null) this.rows.push(object);
    else if (this.depth === 1 && this.page === null) this.page = pageOf(object, this.file);
    else throw notAPage(this.file);
  }
}

function pageOf(object: unknown, file: string): ApiPage {
  const refusal = REFUSAL.safeParse(object);
  if (refusal.success) {
    const words = refusal.data.message.map(({ id, key, value }) => `${key}: ${value} (${id})`);
    throw new ImportError(
      `${file}: the World Bank answered with an error: ${[...new Set(words)].join('; ')}`,
    );
  }
  const page = PAGE.safeParse(object);
  if (!page.success) throw notAPage(file);
  const lastUpdated = page.data.lastupdated ?? null;
  if (lastUpdated !== null && !isDay(lastUpdated)) {
    throw new ImportError(
      `${file}: "lastupdated" is ${quoted(lastUpdated)}, expected a day such as 2026-07-01`,
    );
  }
  return { ...page.data, perPage: page.data.per_page, lastUpdated };
}

const notAPage = (file: string): ImportError =>
  new ImportError(`${file} is JSON, but not an answer of the World Bank's API (version 2): [page, rows]`);
