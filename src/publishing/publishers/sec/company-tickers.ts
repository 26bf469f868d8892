// The SEC's company_tickers.json: `{"0": {"cik_str": 789019, "ticker": "MSFT", "title": "MICROSOFT CORP"}, …}`.
import { z } from 'zod';
import type { BadRow, Batch } from '../../batches/importer.js';
import { jsonMembers } from '../../batches/json-members.js';
import { registeredName } from '../../batches/text.js';
import type { RegistrantRow } from '../../batches/register-rows.js';

export const SEC = 'sec';

const FULL = 1_000;

const ROW = z.object({
  cik_str: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(2_147_483_647)),
  ticker: z.string().regex(/^[A-Z0-9.-]{1,16}$/),
  title: z.string(),
});

export async function* readTickers(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Batch> {
  let rows: RegistrantRow[] = [];
  let bad: BadRow[] = [];
  /** A ticker belongs to exactly one registrant. */
  const holders = new Map<string, number>();
  let line = 0;
  for await (const { value } of jsonMembers(chunks, file)) {
    line += 1;
    const place = { file, line, column: '' };
    const row = rowOf(value);
    const holder = 'ticker' in row ? holders.get(row.ticker) : undefined;
    if ('reason' in row) bad.push({ place: { ...place, column: row.column }, reason: row.reason });
    else if (holder !== undefined) {
      const reason = `the ticker ${row.ticker} stands in the file twice, for ${holder} and ${row.cik}`;
      bad.push({ place: { ...place, column: 'ticker' }, reason });
    } else {
      holders.set(row.ticker, row.cik);
      rows.push({ ...row, place });
    }
    if (rows.length >= FULL || bad.length >= FULL) {
      yield* batchesOf(rows, bad);
      [rows, bad] = [[], []];
    }
  }
  yield* batchesOf(rows, bad);
}

function* batchesOf(rows: readonly RegistrantRow[], bad: readonly BadRow[]): Generator<Batch> {
  if (rows.length > 0) yield { kind: 'registrants', source: SEC, rows };
  if (bad.length > 0) yield { kind: 'bad', rows: bad };
}

function rowOf(value: unknown): Omit<RegistrantRow, 'place'> | { column: string; reason: string } {
  const parsed = ROW.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const column = issue?.path.join('.') ?? '';
    return { column, reason: `the row is not one of company tickers: ${issue?.message ?? ''}` };
  }
  const { cik_str: cik, ticker, title } = parsed.data;
  const named = registeredName(title);
  return 'fault' in named ? { column: 'title', reason: named.fault } : { cik, ticker, ...named };
}
