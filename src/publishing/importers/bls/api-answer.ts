// An answer of the BLS Public Data API, version 2: series with their monthly values.
import { z } from 'zod';
import { isPeriod } from '../../../figures/periods.js';
import { ImportError, type Batch } from '../importer.js';
import { BatchBuffer } from '../reading/batches.js';
import { positiveFigure } from '../reading/printed-figure.js';
import { quoted } from '../reading/text.js';
import { CPI_REGION } from './cpi-csv.js';

const ANSWER = z.object({
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
type Answer = z.infer<typeof ANSWER>;
type Series = NonNullable<Answer['Results']>['series'][number];

/** The twelve months; the thirteenth is an average of the year, which is no month. */
const MONTH = /^M(0[1-9]|1[0-2])$/;
const AVERAGE = 'M13';
/** October 2025, for which no prices were collected, stands there with this in place of a value. */
const ABSENT = '-';

/** @throws ImportError with the API's own words where it refused the question, or when it is no such answer */
export function parseAnswer(text: string, file: string): Answer {
  const parsed = ANSWER.safeParse(jsonOf(text, file));
  if (!parsed.success) {
    throw new ImportError(`${file} is JSON, but not an answer of the BLS Public Data API`);
  }
  const { status, message = [], Results } = parsed.data;
  if (status !== 'REQUEST_SUCCEEDED' || Results === undefined) {
    const words = message.length > 0 ? message.join(' ') : status;
    throw new ImportError(`${file}: the BLS answered with an error: ${words}`);
  }
  return parsed.data;
}

export function* readAnswer({ Results }: Answer, file: string): Generator<Batch> {
  const batch = new BatchBuffer();
  for (const series of Results?.series ?? []) readSeries(series, file, batch);
  yield* batch.take();
}

function readSeries({ seriesID: indicator, data }: Series, file: string, batch: BatchBuffer): void {
  const months: string[] = [];
  for (const [index, { year, period, value }] of data.entries()) {
    if (period === AVERAGE) continue;
    const place = { file, line: index + 1, column: `${indicator} ${year} ${period}` };
    const month = `${year}-${period.slice(1)}`;
    if (!MONTH.test(period) || !isPeriod(month)) {
      batch.addBad({ place, reason: `${quoted(`${year} ${period}`)} is not a month` });
      continue;
    }
    months.push(month);
    const cell = { indicator, region: CPI_REGION, period: month };
    if (value === ABSENT) continue;
    const printed = positiveFigure(value);
    if ('reason' in printed) batch.addBad({ place, cell, reason: printed.reason });
    else batch.addFigure({ ...cell, value: printed.value, place });
  }
  months.sort();
  const [first, last] = [months[0], months.at(-1)];
  if (first !== undefined && last !== undefined) {
    batch.addExtent({ indicator, region: CPI_REGION, first, last });
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ImportError(`${file} is not whole JSON: ${why}`, { cause: error });
  }
}
