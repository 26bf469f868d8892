import { z } from 'zod';
import { frequencyOf } from '../../../figures/periods.js';
import type { Batch, Extent } from '../../batches/importer.js';
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
      if ('reason' in figure) {
        batch.addBad({ place: { file, line, column: figure.column }, reason: figure.reason });
        continue;
      }
      const { value, ...cell } = figure;
      addCell(batch, value, cell, { file, line, column: 'value' });
      const widened: Extent | null = extent === null ? null : widen(extent, cell);
      if (extent !== null && widened === null) batch.addExtent(extent);
      extent = widened ?? {
        indicator: cell.indicator,
        region: cell.region,
        first: cell.period,
        last: cell.period,
      };
      if (batch.full) yield* batch.take();
    }
  }
  if (extent !== null) batch.addExtent(extent);
  yield* batch.take();
}

type Figure = Readonly<Record<'indicator' | 'region' | 'period' | 'value', string>>;
type Fault = Readonly<Record<'column' | 'reason', string>>;

function figureOf(row: unknown): Figure | Fault {
  const parsed = API_ROW.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      column: issue?.path.join('.') ?? '',
      reason: `the row is not one of indicator values: ${issue?.message}`,
    };
  }
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

/** The coverage extended by the cell; `null` if the cell belongs to another series. */
function widen(extent: Extent, cell: Omit<Figure, 'value'>): Extent | null {
  const { indicator, region, period } = cell;
  if (extent.indicator !== indicator || extent.region !== region) return null;
  if (frequencyOf(extent.first) !== frequencyOf(period)) return null;
  if (period < extent.first) return { ...extent, first: period };
  return period > extent.last ? { ...extent, last: period } : extent;
}
