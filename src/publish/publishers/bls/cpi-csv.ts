// Reads the index as a CSV of months: `Date,Index,Inflation`. The last column is computed, so it is ignored.
import { Readable } from 'node:stream';
import { isPeriod } from '../../../domain/figures/periods.js';
import { ImportError, widened, type Batch, type Span } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { csvRecords, type CsvRecord } from '../../batches/csv-records.js';
import { addPrinted, positiveFigure } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';

/** The file does not name its series: all items, all urban consumers, not seasonally adjusted. */
const CPI_U = 'CUUR0000SA0';
export const CPI_REGION = 'USA';
const HEADER = ['Date', 'Index', 'Inflation'];

export async function* readCpiCsv(text: string, file: string): AsyncGenerator<Batch> {
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

export const isCpiCsv = (text: string): boolean => /^(")?Date\1?,(")?Index\2?(,|\r?\n)/.test(text);

function requireHeader({ cells }: CsvRecord, file: string): void {
  const names = cells.map((cell) => cell.trim());
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
