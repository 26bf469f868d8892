import { Readable } from 'node:stream';
import { z } from 'zod';
import { BatchBuffer } from '../batches/batch-buffer.js';
import { openDeliveries, type RecognisedFile } from '../batches/deliveries.js';
import {
  badRow,
  type Batch,
  type Fault,
  faultOf,
  type FetchOptions,
  type Importer,
  ImportError,
  isFault,
} from '../batches/importer.js';
import { jsonMembers } from '../batches/json-parts.js';
import type { RegistrantRow } from '../batches/register-rows.js';
import { headOfText } from '../batches/text-head.js';
import { registeredName } from '../batches/text.js';
import { fetchBy, type FetchPlan, type FetchSettings, refusePage } from '../downloads/fetch-plan.js';

/** A member of company_tickers.json: `{"0": {"cik_str": 789019, "ticker": "MSFT", "title": "MICROSOFT CORP"}, …}`. */
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

async function recognise(file: string): Promise<RecognisedFile> {
  const head = await headOfText(file);
  if (!head.startsWith('{')) {
    throw new ImportError(`${file} is not the list of company tickers: one JSON object was expected`);
  }
  if (!head.includes('"cik_str"'))
    throw new ImportError(`${file} is not the list of company tickers: it has no "cik_str"`);
  return { stated: null, read: (chunks) => readTickers(chunks, file) };
}

/** @throws ImportError without a contact: the SEC refuses clients that do not identify themselves */
function* plan({ contact }: FetchOptions, { base }: FetchSettings): FetchPlan<true> {
  if (contact == null) {
    throw new ImportError('The SEC requires a contact: set SEC_USER_AGENT to a name and an e-mail address');
  }
  yield {
    url: `${base}/company_tickers.json`,
    headers: { 'user-agent': contact },
    file: 'company_tickers.json',
    accept: async (body, url) => {
      refusePage(body, url);
      for await (const _batch of readTickers(Readable.from([body]), url));
      return { result: true, content: body };
    },
    progress: () => ({ what: 'company tickers', left: 0 }),
  };
}

export const fetchTickers = fetchBy({ base: 'https://www.sec.gov/files' }, plan);

/** U.S. Securities and Exchange Commission: names, CIK and tickers of its registrants. */
export const sec: Importer = {
  publisher: 'sec',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchTickers,
  requires: 'SEC_USER_AGENT',
};
