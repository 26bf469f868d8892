// A response of the BLS Public Data API, version 2: series with their monthly values.
import { z } from 'zod';
import { isPeriod } from '../../../domain/figures/periods.js';
import { ImportError, widened, type Batch, type Span } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { addPrinted, positiveFigure } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';
import { CPI_REGION } from './cpi-csv.js';

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
export function parseResponse(text: string, file: string): BlsResponse {
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

export function* readResponse({ Results }: BlsResponse, file: string): Generator<Batch> {
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
