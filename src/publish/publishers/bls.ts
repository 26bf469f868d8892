import { Readable } from 'node:stream';
import { z } from 'zod';
import { isPeriod } from '../../domain/figures/periods.js';
import { BatchBuffer } from '../batches/batch-buffer.js';
import { type CsvRecord, csvRecords } from '../batches/csv-records.js';
import { openDeliveries, type RecognisedFile } from '../batches/deliveries.js';
import { type Batch, type FetchOptions, type Importer, ImportError, type Span, widened } from '../batches/importer.js';
import { addPrinted, positiveFigure } from '../batches/printed-figure.js';
import { quoted } from '../batches/text.js';
import { readHeld, wholeText } from '../batches/whole-text.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../downloads/fetch-plan.js';

/** The file does not name its series: all items, all urban consumers, not seasonally adjusted. */
const CPI_U = 'CUUR0000SA0';
const CPI_REGION = 'USA';
/** The index also as `CPI`. The last column is computed, so it is ignored. */
const HEADER = ['Date', 'Index', 'Inflation'];

async function* readCpiCsv(text: string, file: string): AsyncGenerator<Batch> {
  const batch = new BatchBuffer();
  let span: Span | null = null;
  let header = true;
  for await (const record of csvRecords(Readable.from([Buffer.from(text)]), file)) {
    if (header) requireHeader(record, file);
    else {
      const month = addRow(batch, record, file);
      if (month !== null) span = widened(span, month);
    }
    header = false;
    if (batch.full) yield* batch.take();
  }
  if (span === null) throw new ImportError(`${file} has a header and no rows`);
  batch.add('extents', { indicator: CPI_U, region: CPI_REGION, ...span });
  yield* batch.take();
}

const isCpiCsv = (text: string): boolean => /^(")?Date\1?,(")?(Index|CPI)\2?(,|\r?\n)/.test(text);

function requireHeader({ cells }: CsvRecord, file: string): void {
  const names = cells.map((cell) => cell.trim().replace(/^CPI$/, 'Index'));
  if (names.join() !== HEADER.join() && names.join() !== 'Date,Index') {
    throw new ImportError(`${file}: expected the columns ${HEADER.join(', ')} and found ${names.join(', ')}`);
  }
}

/** The month of the row, if it has one. */
function addRow(batch: BatchBuffer, { cells, line, ended }: CsvRecord, file: string): string | null {
  const [date = '', index = ''] = cells;
  const month = date.slice(0, 7);
  const isMonth = /^\d{4}-\d{2}-01$/.test(date) && isPeriod(month);
  const cell = { indicator: CPI_U, region: CPI_REGION, period: month };
  const refuse = (column: string, reason: string): void =>
    batch.add('bad', { place: { file, line, column }, reason, ...(isMonth && { cell }) });
  if (!isMonth) refuse('Date', `${quoted(date)} is not the first day of a month`);
  else if (cells.length < 2 || cells.length > HEADER.length)
    refuse('', `expected ${HEADER.length} columns and found ${cells.length}`);
  else if (!ended) refuse('Index', 'the file ends inside this line, so it may be cut');
  else addPrinted(batch, positiveFigure(index), cell, { file, line, column: 'Index' });
  return isMonth ? month : null;
}

/** A response of the BLS Public Data API, version 2: series with their monthly values. */
const RESPONSE = z.object({
  status: z.string(),
  message: z.array(z.string()).optional(),
  Results: z
    .object({
      series: z.array(
        z.object({
          seriesID: z.string(),
          data: z.array(z.object({ year: z.string(), period: z.string(), value: z.string() })),
        }),
      ),
    })
    .optional(),
});
type BlsResponse = z.infer<typeof RESPONSE>;
type Series = NonNullable<BlsResponse['Results']>['series'][number];

/** The twelve months; M13 is the average of the year. */
const MONTH = /^M(0[1-9]|1[0-2])$/;
const AVERAGE = 'M13';
/** The value of October 2025, for which no prices were collected. */
const ABSENT = '-';

/** @throws ImportError with the API's own message for a refusal, or for another document */
function parseResponse(text: string, file: string): BlsResponse {
  const parsed = RESPONSE.safeParse(jsonOf(text, file));
  if (!parsed.success) {
    throw new ImportError(`${file} is JSON, but not a response of the BLS Public Data API`);
  }
  const { status, message = [], Results } = parsed.data;
  if (status !== 'REQUEST_SUCCEEDED' || Results === undefined) {
    const words = message.length > 0 ? message.join(' ') : status;
    throw new ImportError(`${file}: the BLS responded with an error: ${words}`);
  }
  return parsed.data;
}

function* readResponse({ Results }: BlsResponse, file: string): Generator<Batch> {
  const batch = new BatchBuffer();
  for (const series of Results?.series ?? []) readSeries(series, file, batch);
  yield* batch.take();
}

function readSeries({ seriesID: indicator, data }: Series, file: string, batch: BatchBuffer): void {
  let span: Span | null = null;
  for (const [index, { year, period, value }] of data.entries()) {
    if (period === AVERAGE) continue;
    const place = { file, line: index + 1, column: `${indicator} ${year} ${period}` };
    const month = `${year}-${period.slice(1)}`;
    if (!MONTH.test(period) || !isPeriod(month)) {
      batch.add('bad', { place, reason: `${quoted(`${year} ${period}`)} is not a month` });
      continue;
    }
    span = widened(span, month);
    const cell = { indicator, region: CPI_REGION, period: month };
    if (value !== ABSENT) addPrinted(batch, positiveFigure(value), cell, place);
  }
  if (span !== null) batch.add('extents', { indicator, region: CPI_REGION, ...span });
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ImportError(`${file} is not whole JSON: ${why}`, { cause: error });
  }
}

/** More requires a registration. */
const YEARS_A_CALL = 10;
/** The first year of the consumer price index. */
const FIRST_YEAR = 1913;

/** One file for each series and span of ten years. */
function* plan({ indicators, since }: FetchOptions, { base, thisYear }: FetchSettings): FetchPlan<object> {
  const odd = indicators.find((code) => !/^[A-Z0-9_#-]{1,40}$/.test(code));
  if (odd !== undefined) throw new ImportError(`${quoted(odd)} is not a series of the BLS`);
  const spans = spansOf(since === null ? FIRST_YEAR : Number(since.slice(0, 4)), thisYear());
  const calls = indicators.flatMap((code) => spans.map(([first, last]) => ({ code, first, last })));
  for (const [index, { code, first, last }] of calls.entries()) {
    yield {
      url: `${base}/${code}?startyear=${first}&endyear=${last}`,
      file: `${code}.${first}-${last}.json`,
      accept: (body, url) => ({ result: parseResponse(body.toString('utf8'), url), content: body }),
      progress: () => ({ what: `${code}, ${first} to ${last}`, left: calls.length - index - 1 }),
    };
  }
}

function spansOf(first: number, last: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let year = first; year <= last; year += YEARS_A_CALL) {
    spans.push([year, Math.min(year + YEARS_A_CALL - 1, last)]);
  }
  return spans;
}

export const fetchBls = fetchBy({ base: 'https://api.bls.gov/publicAPI/v2/timeseries/data' }, plan);

/** U.S. Bureau of Labor Statistics: the index as a CSV of months, and responses of its API. Neither states its day. */
export const bls: Importer = {
  publisher: 'bls',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchBls,
};

async function recognise(file: string): Promise<RecognisedFile> {
  const text = await wholeText(file);
  if (text.startsWith('{')) {
    const answer = parseResponse(text, file);
    return { stated: null, read: (chunks) => readHeld(chunks, () => readResponse(answer, file)) };
  }
  if (isCpiCsv(text)) {
    return { stated: null, read: (chunks) => readHeld(chunks, () => readCpiCsv(text, file)) };
  }
  throw new ImportError(
    `${file} is not a file of the BLS: expected a CSV with the columns Date, Index, Inflation, ` +
      'or a response of the BLS Public Data API (JSON)',
  );
}
