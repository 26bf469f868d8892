// Reads the rows of both CSV layouts: wide (one row per series, one column per year) and long (one row per figure).
import type { Frequency } from '../../../figures/periods.js';
import { frequencyOf, nextPeriod } from '../../../figures/periods.js';
import type { Batch, Extent } from '../../batches/importer.js';
import { ImportError } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { quoted } from '../../batches/text.js';
import { addCell, isCode, periodOf } from './cells.js';
import type { LongHeader, WideHeader } from './csv-header.js';
import { readHeader } from './csv-header.js';
import type { CsvRecord } from '../../batches/csv-records.js';
import { csvRecords, lineFault } from '../../batches/csv-records.js';

/**
 * @param code the indicator of a long file, which the file itself does not state
 * @throws ImportError if the file has no header or no rows
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  code: string,
): AsyncGenerator<Batch> {
  const records = csvRecords(chunks, file);
  const { header } = await readHeader(records, file);
  const batch = new BatchBuffer();
  const rows =
    header.layout === 'wide' ? new WideRows(header, file, batch) : new LongRows(header, file, code, batch);
  let count = 0;
  for await (const record of records) {
    count++;
    const fault = lineFault(record, header.width);
    if (fault === null) rows.add(record);
    else rows.refuse(record, fault);
    if (batch.full) yield* batch.take();
  }
  if (count === 0) throw new ImportError(`${file} has a header and no rows`);
  rows.end();
  yield* batch.take();
}

class WideRows {
  private readonly runs: readonly Pick<Extent, 'first' | 'last'>[];

  constructor(
    private readonly header: WideHeader,
    private readonly file: string,
    private readonly batch: BatchBuffer,
  ) {
    if (header.periods.length === 0) throw new ImportError(`${file} has no column of a year`);
    this.runs = runsOf(header.periods.map(({ period }) => period));
  }

  add(record: CsvRecord): void {
    const { file, batch } = this;
    const { cells, line } = record;
    const region = cells[this.header.region] ?? '';
    const indicator = cells[this.header.indicator] ?? '';
    if (!isCode(region)) {
      this.refuse(record, `${quoted(region)} is not a code`, 'Country Code');
      return;
    }
    if (!isCode(indicator)) {
      this.refuse(record, `${quoted(indicator)} is not a code`, 'Indicator Code');
      return;
    }
    for (const { column, period, name } of this.header.periods) {
      addCell(batch, cells[column] ?? '', { indicator, region, period }, { file, line, column: name });
    }
    for (const run of this.runs) batch.addExtent({ indicator, region, ...run });
  }

  refuse({ line }: CsvRecord, reason: string, column = ''): void {
    this.batch.addBad({ place: { file: this.file, line, column }, reason });
  }

  end(): void {
    // Each row declares its own coverage.
  }
}

class LongRows {
  private frequency: Frequency | null = null;
  private first: string | null = null;
  private last: string | null = null;

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

  add(record: CsvRecord): void {
    const { file, indicator } = this;
    const { cells, line } = record;
    const region = cells[this.header.region] ?? '';
    const year = cells[this.header.period] ?? '';
    const period = periodOf(year);
    if (!isCode(region)) {
      this.refuse(record, `${quoted(region)} is not a code`, 'Country Code');
      return;
    }
    if (period === null) {
      this.refuse(record, `${quoted(year)} is not a year`, 'Year');
      return;
    }
    this.frequency ??= frequencyOf(period);
    if (frequencyOf(period) !== this.frequency) {
      this.refuse(record, `${quoted(year)} is of another frequency than the rows before`, 'Year');
      return;
    }
    if (this.first === null || period < this.first) this.first = period;
    if (this.last === null || period > this.last) this.last = period;
    const value = cells[this.header.value] ?? '';
    addCell(this.batch, value, { indicator, region, period }, { file, line, column: 'Value' });
  }

  refuse({ line }: CsvRecord, reason: string, column = ''): void {
    this.batch.addBad({ place: { file: this.file, line, column }, reason });
  }

  end(): void {
    const { indicator, first, last } = this;
    if (first === null || last === null) return;
    this.batch.addExtent({ indicator, region: null, first, last });
  }
}

/** A gap between columns is not covered. */
function runsOf(periods: readonly string[]): Pick<Extent, 'first' | 'last'>[] {
  const runs: { first: string; last: string }[] = [];
  for (const period of [...periods].sort()) {
    const run = runs.at(-1);
    if (run !== undefined && nextPeriod(run.last) === period) run.last = period;
    else runs.push({ first: period, last: period });
  }
  return runs;
}
