// Reads the rows of both CSV layouts: wide (one row per series, one column per year) and long (one row per figure).
import { frequencyOf, nextPeriod } from '../../../domain/figures/periods.js';
import { badRow, ImportError, widened, type Batch, type Fault, type Span } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { quoted } from '../../batches/text.js';
import { addCell, isCode, periodOf } from './cells.js';
import { readHeader, type LongHeader, type WideHeader } from './csv-header.js';
import { csvRecords, lineFault, type CsvRecord } from '../../batches/csv-records.js';

/**
 * @param code the indicator of a long file, which the file itself does not state
 * @throws ImportError if the file has no header or no rows
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>, file: string, code: string): AsyncGenerator<Batch> {
  const records = csvRecords(chunks, file);
  const { header } = await readHeader(records, file);
  const batch = new BatchBuffer();
  const rows = header.layout === 'wide' ? new WideRows(header, file, batch) : new LongRows(header, file, code, batch);
  let count = 0;
  for await (const record of records) {
    count++;
    const broken = lineFault(record, header.width);
    const fault = broken === null ? rows.add(record) : { column: '', reason: broken };
    if (fault !== null) batch.add('bad', badRow({ file, line: record.line, column: '' }, fault));
    if (batch.full) yield* batch.take();
  }
  if (count === 0) throw new ImportError(`${file} has a header and no rows`);
  rows.end();
  yield* batch.take();
}

const notACode = (column: string, text: string): Fault => ({ column, reason: `${quoted(text)} is not a code` });

class WideRows {
  private readonly runs: readonly Span[];

  constructor(
    private readonly header: WideHeader,
    private readonly file: string,
    private readonly batch: BatchBuffer,
  ) {
    if (header.periods.length === 0) throw new ImportError(`${file} has no column of a year`);
    this.runs = runsOf(header.periods.map(({ period }) => period));
  }

  add({ cells, line }: CsvRecord): Fault | null {
    const { file, batch } = this;
    const region = cells[this.header.region] ?? '';
    const indicator = cells[this.header.indicator] ?? '';
    if (!isCode(region)) return notACode('Country Code', region);
    if (!isCode(indicator)) return notACode('Indicator Code', indicator);
    for (const { column, period, name } of this.header.periods) {
      addCell(batch, cells[column] ?? '', { indicator, region, period }, { file, line, column: name });
    }
    for (const run of this.runs) batch.add('extents', { indicator, region, ...run });
    return null;
  }

  end(): void {
    // Each row declares its own coverage.
  }
}

class LongRows {
  private span: Span | null = null;

  constructor(
    private readonly header: LongHeader,
    private readonly file: string,
    private readonly indicator: string,
    private readonly batch: BatchBuffer,
  ) {
    if (!isCode(indicator)) {
      throw new ImportError(`${file}: a file of one indicator is named for it, such as "NY.GDP.MKTP.CD.csv"`);
    }
  }

  add({ cells, line }: CsvRecord): Fault | null {
    const { file, indicator } = this;
    const region = cells[this.header.region] ?? '';
    const year = cells[this.header.period] ?? '';
    const period = periodOf(year);
    if (!isCode(region)) return notACode('Country Code', region);
    if (period === null) return { column: 'Year', reason: `${quoted(year)} is not a year` };
    if (this.span !== null && frequencyOf(period) !== frequencyOf(this.span.first)) {
      return { column: 'Year', reason: `${quoted(year)} is of another frequency than the rows before` };
    }
    this.span = widened(this.span, period);
    const value = cells[this.header.value] ?? '';
    addCell(this.batch, value, { indicator, region, period }, { file, line, column: 'Value' });
    return null;
  }

  end(): void {
    const { indicator, span } = this;
    if (span !== null) this.batch.add('extents', { indicator, region: null, ...span });
  }
}

/** A gap between columns is not covered. */
function runsOf(periods: readonly string[]): Span[] {
  const runs: { first: string; last: string }[] = [];
  for (const period of [...periods].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && nextPeriod(run.last) === period) run.last = period;
    else runs.push({ first: period, last: period });
  }
  return runs;
}
