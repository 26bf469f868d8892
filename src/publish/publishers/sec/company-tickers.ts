// The SEC's company_tickers.json: `{"0": {"cik_str": 789019, "ticker": "MSFT", "title": "MICROSOFT CORP"}, …}`.
import { z } from 'zod';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { badRow, faultOf, isFault, type Batch, type Fault } from '../../batches/importer.js';
import { jsonMembers } from '../../batches/json-parts.js';
import { registeredName } from '../../batches/text.js';
import type { RegistrantRow } from '../../batches/register-rows.js';

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
  const batch = new BatchBuffer('sec');
  /** A ticker belongs to exactly one registrant. */
  const holders = new Map<string, number>();
  let line = 0;
  for await (const { value } of jsonMembers(chunks, file)) {
    line += 1;
    const place = { file, line, column: '' };
    const row = rowOf(value, holders);
    if (isFault(row)) batch.add('bad', badRow(place, row));
    else {
      holders.set(row.ticker, row.cik);
      batch.add('registrants', { ...row, place });
    }
    if (batch.full) yield* batch.take();
  }
  yield* batch.take();
}

function rowOf(value: unknown, holders: ReadonlyMap<string, number>): Omit<RegistrantRow, 'place'> | Fault {
  const parsed = ROW.safeParse(value);
  if (!parsed.success) return faultOf(parsed.error, 'the row is not one of company tickers');
  const { cik_str: cik, ticker, title } = parsed.data;
  const named = registeredName(title);
  if ('fault' in named) return { column: 'title', reason: named.fault };
  const holder = holders.get(ticker);
  if (holder !== undefined) {
    const reason = `the ticker ${ticker} stands in the file twice, for ${holder} and ${cik}`;
    return { column: 'ticker', reason };
  }
  return { cik, ticker, ...named };
}
