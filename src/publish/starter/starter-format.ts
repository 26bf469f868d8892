// Tidemark's own interchange format, described in docs/reference/starter-format.md: three lists of figures, and one
// list of all other rows.
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { oneLine } from '../../domain/names/one-line.js';
import { ImportError } from '../batches/importer.js';

/** A list's file and its columns, in order. Fields contain no commas and are never quoted. */
export interface ListFormat {
  readonly file: string;
  readonly columns: readonly string[];
}

export const PUBLICATIONS: ListFormat = {
  file: 'publications.csv',
  columns: ['publication', 'vintage_day', 'published_at', 'basis'],
};

export const VINTAGES: ListFormat = {
  file: 'vintages.csv.gz',
  columns: ['indicator', 'region', 'publication', 'first_period', 'last_period'],
};

export const OBSERVATIONS: ListFormat = {
  file: 'observations.csv.gz',
  columns: ['indicator', 'region', 'period', 'valid_from', 'valid_to', 'value'],
};

/** Rows other than figures, one JSON object a line, without a header. A set without any has no such file. */
export const ROWS: ListFormat = { file: 'rows.jsonl.gz', columns: [] };

export const headerOf = ({ columns }: ListFormat): string[] => (columns.length === 0 ? [] : [columns.join(',')]);

const instant = z.iso.datetime();
const day = z.iso.date();
const lei = z.string().length(20);
const name = z.string().transform(oneLine).pipe(z.string().min(1));
const relationKind = z.enum(['direct', 'ultimate']);

/** The rows of each kind of batch, in its own shape without the source position. */
const ROW = z.discriminatedUnion('kind', [
  line(
    'events',
    z.strictObject({
      indicator: z.string(),
      region: z.string(),
      period: z.string(),
      estimate: z.int().nullable(),
      scheduledOn: day,
      timeZone: z.string(),
      scheduledAt: instant.nullable(),
      status: z.enum(['scheduled', 'postponed', 'cancelled']),
      sourceUrl: z.url().nullable(),
    }),
  ),
  line(
    'entities',
    z.strictObject({
      lei,
      name,
      otherNames: z.array(name).default([]),
      language: z.string().nullable(),
      type: z.string(),
      country: z.string().nullable(),
      jurisdiction: z.string().nullable(),
      status: z.enum(['active', 'inactive']),
    }),
  ),
  line(
    'relation-extents',
    z.strictObject({
      lei,
      side: z.enum(['children', 'parents']),
      kind: relationKind,
      stated: z.int().nullable(),
      from: z.literal('record'),
    }),
  ),
  line(
    'relations',
    z.strictObject({
      child: lei,
      parent: lei,
      kind: relationKind,
      state: z.literal('active'),
      since: day.nullable(),
      until: day.nullable(),
      from: z.literal('record'),
    }),
  ),
  line('registrants', z.strictObject({ cik: z.int(), name, ticker: z.string() })),
]);
export type RecordedRow = z.infer<typeof ROW>;

function line<Kind extends string, Row extends z.ZodType>(kind: Kind, row: Row) {
  return z.strictObject({ publication: z.int(), kind: z.literal(kind), source: z.string(), row });
}

export interface ListLine {
  /** Line number from 1; the header is line 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface RecordedLine {
  readonly line: number;
  readonly recorded: RecordedRow;
}

/** The rows other than figures. @throws ImportError with file and line of a malformed one */
export async function* readRows(path: string): AsyncGenerator<RecordedLine> {
  if (!existsSync(path)) return;
  for await (const { line, content } of linesOf(path)) {
    const parsed = ROW.safeParse(jsonOf(content));
    if (!parsed.success) {
      throw new ImportError(`${path}:${line}: ${parsed.error.issues[0]?.message ?? 'not a row'}`);
    }
    yield { line, recorded: parsed.data };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The lines below the header. Refuses a malformed list with the position of the fault. */
export async function* readList(path: string, format: ListFormat): AsyncGenerator<ListLine> {
  const header = format.columns.join(',');
  let isEmpty = true;
  for await (const { line, content } of linesOf(path)) {
    isEmpty = false;
    const fields = content.split(',');
    if (line === 1 ? content !== header : fields.length !== format.columns.length) {
      throw new ImportError(`${path}:${line}: expected the columns ${header}`);
    }
    if (line > 1) yield { line, fields };
  }
  if (isEmpty) throw new ImportError(`${path}: is empty`);
}

async function* linesOf(path: string): AsyncGenerator<{ readonly line: number; readonly content: string }> {
  const file = createReadStream(path);
  const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe does not forward errors: an unreadable file would end the process.
  file.on('error', (error) => text.destroy(error));
  let line = 0;
  try {
    for await (const content of createInterface({ input: text, crlfDelay: Infinity })) {
      line += 1;
      yield { line, content };
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ImportError(`${path} cannot be read: ${why}`, { cause });
  } finally {
    file.destroy();
  }
}
