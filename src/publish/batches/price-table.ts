// Reads tables of prices and rates: one column of dates, and one column per instrument.
import { ImportError, widened, type Batch, type Span } from './importer.js';
import { BatchBuffer } from './batch-buffer.js';
import { lineFault, type CsvRecord } from './csv-records.js';
import { addPrinted, printedFigure } from './printed-figure.js';
import { quoted } from './text.js';

/** How one publisher prints its table. */
export interface PriceTable {
  /** Possible names of the date column. */
  readonly dates: readonly string[];
  /** The publisher's code for a column; `null` for an unknown name. */
  readonly code: (column: string) => string | null;
  /** The period of a date; `null` if the text is no such date. */
  readonly period: (date: string) => string | null;
  /** For messages: an example of a date. */
  readonly example: string;
  /** The marks of a missing figure. */
  readonly absent: readonly string[];
  /** Why a number is impossible for such a figure, or `null`. */
  readonly fault: (value: number) => string | null;
  /** Further periods that a table covers, beside those from its first to its last. */
  readonly span?: (first: string, last: string) => readonly [first: string, last: string];
}

/** The result of the first pass over a table. */
export interface TableScan extends Span {
  readonly codes: readonly string[];
}

interface Column {
  readonly at: number;
  readonly name: string;
  readonly code: string;
}

interface Header {
  readonly width: number;
  readonly date: number;
  readonly columns: readonly Column[];
}

type Records = AsyncIterator<CsvRecord> & AsyncIterable<CsvRecord>;

/** @throws ImportError if the table has no header or no row with a date */
export async function scanTable(records: Records, file: string, table: PriceTable): Promise<TableScan> {
  const header = await readHeader(records, file, table);
  let span: Span | null = null;
  for await (const { cells } of records) {
    const period = table.period(cells[header.date]?.trim() ?? '');
    if (period !== null) span = widened(span, period);
  }
  if (span === null) throw new ImportError(`${file} has no row with a date such as ${table.example}`);
  return { codes: header.columns.map(({ code }) => code), ...span };
}

/** Covers every period from the table's first to its last, for each column. */
export async function* readTable(
  records: Records,
  file: string,
  table: PriceTable,
  { codes, first, last }: TableScan,
): AsyncGenerator<Batch> {
  const header = await readHeader(records, file, table);
  const batch = new BatchBuffer();
  for await (const record of records) {
    addRow(batch, record, header, file, table);
    if (batch.full) yield* batch.take();
  }
  const [from, to] = table.span?.(first, last) ?? [first, last];
  for (const indicator of codes) batch.add('extents', { indicator, region: null, first: from, last: to });
  yield* batch.take();
}

async function readHeader(records: Records, file: string, table: PriceTable): Promise<Header> {
  const next = await records.next();
  const names = next.done === true ? [] : next.value.cells.map((cell) => cell.trim());
  // A comma at the end of a line makes a last column without a name.
  const width = names.at(-1) === '' ? names.length - 1 : names.length;
  const date = names.findIndex((name) => table.dates.includes(name));
  if (date < 0) throw new ImportError(`${file} has no column "${table.dates.join('" or "')}" in its first line`);
  const columns = names.slice(0, width).flatMap((name, at) => {
    if (at === date) return [];
    const code = table.code(name);
    if (code === null) throw new ImportError(`${file}: the column ${quoted(name)} is not known`);
    return [{ at, name, code }];
  });
  if (columns.length === 0) throw new ImportError(`${file} has no column of figures`);
  const twice = columns.find(({ code }, at) => columns.findIndex((other) => other.code === code) !== at);
  if (twice !== undefined) throw new ImportError(`${file} has the column ${quoted(twice.name)} twice`);
  return { width, date, columns };
}

function addRow(batch: BatchBuffer, record: CsvRecord, header: Header, file: string, table: PriceTable): void {
  const { cells, line } = record;
  // A spreadsheet writes empty rows after the last one.
  if (record.ended && cells.every((cell) => cell.trim() === '')) return;
  const refuse = (reason: string, column = ''): void => batch.add('bad', { place: { file, line, column }, reason });
  const fault = lineFault(record, header.width);
  if (fault !== null) {
    refuse(fault);
    return;
  }
  const date = cells[header.date]?.trim() ?? '';
  const period = table.period(date);
  if (period === null) {
    refuse(`${quoted(date)} is not a date such as ${table.example}`, table.dates[0]);
    return;
  }
  for (const { at, name, code } of header.columns) {
    const text = cells[at]?.trim() ?? '';
    if (table.absent.includes(text)) continue;
    const cell = { indicator: code, region: null, period };
    const place = { file, line, column: name };
    const printed = printedFigure(text);
    const impossible = 'value' in printed ? table.fault(Number(printed.value)) : null;
    const possible = impossible === null ? printed : { reason: `${quoted(text)} ${impossible}` };
    addPrinted(batch, possible, cell, place);
  }
}
