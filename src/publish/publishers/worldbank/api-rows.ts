import { z } from 'zod';
import { frequencyOf } from '../../../domain/figures/periods.js';
import { badRow, faultOf, isFault, widened, type Batch, type Extent, type Fault } from '../../batches/importer.js';
import { apiParts } from './api-page.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { quoted } from '../../batches/text.js';
import { addCell, isCode, periodOf } from './cells.js';

/** A row of indicator values; `value: null` means that there is none. Other members are ignored. */
export const API_ROW = z.object({
  indicator: z.object({ id: z.string() }),
  country: z.object({ id: z.string() }),
  countryiso3code: z.string().nullish(),
  date: z.string(),
  value: z.string().nullable(),
});

type ApiRow = z.infer<typeof API_ROW>;

/**
 * Figures and coverage of one page. The coverage of a series spans its first to its last row, including rows without a
 * value.
 */
export async function* readApiPage(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Batch> {
  const batch = new BatchBuffer();
  let line = 0;
  let extent: Extent | null = null;
  for await (const { rows } of apiParts(chunks, file)) {
    for (const row of rows) {
      line++;
      const figure = figureOf(row);
      const place = { file, line, column: 'value' };
      if (isFault(figure)) {
        batch.add('bad', badRow(place, figure));
        continue;
      }
      const { value, ...cell } = figure;
      const { indicator, region, period } = cell;
      addCell(batch, value, cell, place);
      const continues: boolean = extent !== null && isOfSeries(extent, cell);
      if (extent !== null && !continues) batch.add('extents', extent);
      extent = { indicator, region, ...widened(continues ? extent : null, period) };
      if (batch.full) yield* batch.take();
    }
  }
  if (extent !== null) batch.add('extents', extent);
  yield* batch.take();
}

type Figure = Readonly<Record<'indicator' | 'region' | 'period' | 'value', string>>;

function figureOf(row: unknown): Figure | Fault {
  const parsed = API_ROW.safeParse(row);
  if (!parsed.success) return faultOf(parsed.error, 'the row is not one of indicator values');
  const { date, value } = parsed.data;
  const indicator = parsed.data.indicator.id;
  const region = regionOf(parsed.data);
  const period = periodOf(date);
  if (!isCode(indicator)) return { column: 'indicator.id', reason: `${quoted(indicator)} is not a code` };
  if (!isCode(region)) return { column: 'countryiso3code', reason: `${quoted(region)} is not a code` };
  if (period === null) return { column: 'date', reason: `${quoted(date)} is not a year` };
  return { indicator, region, period, value: value ?? '' };
}

/** Aggregates without a three-letter code use their two-letter one, such as `1W` for the world. */
const regionOf = ({ countryiso3code, country }: ApiRow): string =>
  countryiso3code == null || countryiso3code === '' ? country.id : countryiso3code;

/** Periods of one series are of one frequency. */
const isOfSeries = (extent: Extent, { indicator, region, period }: Omit<Figure, 'value'>): boolean =>
  extent.indicator === indicator && extent.region === region && frequencyOf(extent.first) === frequencyOf(period);
