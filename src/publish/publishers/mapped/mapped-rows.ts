// Reads a CSV whose columns a mapping names: one row a figure, or one column a series.
import { parsePeriod, type Frequency } from '../../../domain/figures/periods.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { csvRecords, lineFault, type CsvRecord } from '../../batches/csv-records.js';
import { ImportError, widened, type Batch, type Cell, type Span } from '../../batches/importer.js';
import { addPrinted, printedFigure, type Printed } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';
import { readCatalogue } from '../../catalogue/catalogue.js';
import { PERIODS_OF, type MappingEntry } from '../../catalogue/catalogue.schema.js';

type Chunks = AsyncIterable<Uint8Array>;

/** A code of the provider, and the periods that its series has. */
interface Subject {
  readonly isInstrument: boolean;
  readonly frequency: Frequency;
}

/** The position of each column of the header. */
type Header = ReadonlyMap<string, number>;

/** @throws ImportError if the file lacks a column of the mapping */
export async function requireColumns(chunks: Chunks, file: string, mapping: MappingEntry): Promise<void> {
  for await (const record of csvRecords(chunks, file, mapping.delimiter)) {
    headerOf(record, file, mapping);
    return;
  }
  throw new ImportError(`${file} is empty`);
}

export async function* readMapped(chunks: Chunks, file: string, mapping: MappingEntry): AsyncGenerator<Batch> {
  const rows = new MappedRows(file, mapping);
  for await (const record of csvRecords(chunks, file, mapping.delimiter)) {
    rows.add(record);
    if (rows.batch.full) yield* rows.batch.take();
  }
  rows.end();
  yield* rows.batch.take();
}

class MappedRows {
  readonly batch = new BatchBuffer();
  private header: Header | null = null;
  private width = 0;
  private readonly spans = new Map<string, Cell & { span: Span }>();
  private readonly notes = new Set<string>();
  private readonly subjects: ReadonlyMap<string, Subject>;

  constructor(
    private readonly file: string,
    private readonly mapping: MappingEntry,
  ) {
    const { indicators, instruments } = readCatalogue();
    const own = ({ provider }: { readonly provider: string }) => provider === mapping.publisher;
    this.subjects = new Map<string, Subject>([
      ...indicators
        .filter(own)
        .map(({ providerCode, frequency }) => [providerCode, { isInstrument: false, frequency }] as const),
      ...instruments
        .filter(own)
        .map(
          ({ providerCode, nativeTimeframe }) =>
            [providerCode, { isInstrument: true, frequency: PERIODS_OF[nativeTimeframe] }] as const,
        ),
    ]);
  }

  add(record: CsvRecord): void {
    if (this.header === null) {
      this.header = headerOf(record, this.file, this.mapping);
      this.width = record.cells.length;
      return;
    }
    const fault = lineFault(record, this.width);
    if (fault !== null) {
      this.refuse(record, '', fault);
      return;
    }
    const { figure, columns } = this.mapping;
    if (figure !== undefined) this.addFigure(record, this.cell(record, figure.code), figure.value);
    for (const [column, code] of Object.entries(columns ?? {})) this.addFigure(record, code, column);
  }

  /** The periods that the file covers of each series: an absent figure between its first and its last is closed. */
  end(): void {
    for (const { indicator, region, span } of this.spans.values()) {
      this.batch.add('extents', { indicator, region, ...span });
    }
  }

  private addFigure(record: CsvRecord, code: string, column: string): void {
    const subject = this.subjects.get(code);
    const period = this.cell(record, this.mapping.period);
    const frequency = parsePeriod(period)?.frequency;
    if (frequency === undefined) {
      const reason = `${quoted(period)} is no period such as 2025, 2025-Q3, 2025-10 or 2025-10-31`;
      this.refuse(record, this.mapping.period, reason);
      return;
    }
    if (subject !== undefined && frequency !== subject.frequency) {
      const reason = `${quoted(period)} is no period of ${code}, whose frequency is ${subject.frequency}`;
      this.refuse(record, this.mapping.period, reason);
      return;
    }
    const region = subject?.isInstrument === true ? null : this.regionOf(record);
    if (region === '') {
      this.refuse(record, this.regionColumn, 'names no region');
      return;
    }
    const cell = { indicator: code, region, period };
    this.cover(cell);
    this.note(record, cell);
    const text = this.cell(record, column);
    if (this.mapping.missing.includes(text)) return;
    const place = { file: this.file, line: record.line, column };
    addPrinted(this.batch, this.printed(text), cell, place);
  }

  private printed(text: string): Printed {
    if (this.mapping.decimalMark === '.') return printedFigure(text);
    return text.includes('.')
      ? { reason: `${quoted(text)} has a point, and the decimal mark is a comma` }
      : printedFigure(text.replace(',', '.'));
  }

  private cover(cell: Cell): void {
    const key = JSON.stringify([cell.indicator, cell.region]);
    this.spans.set(key, { ...cell, span: widened(this.spans.get(key)?.span, cell.period) });
  }

  /** What a row says of its origin, once for each series. */
  private note(record: CsvRecord, { indicator, region }: Cell): void {
    if (this.mapping.note === undefined) return;
    const note = { indicator, region, note: this.cell(record, this.mapping.note) };
    const key = JSON.stringify(note);
    if (note.note === '' || this.notes.has(key)) return;
    this.notes.add(key);
    this.batch.add('notes', note);
  }

  private get regionColumn(): string {
    const { region } = this.mapping;
    return region !== undefined && 'column' in region ? region.column : '';
  }

  private regionOf(record: CsvRecord): string | null {
    const { region } = this.mapping;
    if (region === undefined) return null;
    return 'code' in region ? region.code : this.cell(record, region.column);
  }

  private cell({ cells }: CsvRecord, column: string): string {
    return (cells[this.header?.get(column) ?? -1] ?? '').trim();
  }

  private refuse({ line }: CsvRecord, column: string, reason: string): void {
    this.batch.add('bad', { place: { file: this.file, line, column }, reason });
  }
}

function headerOf({ cells }: CsvRecord, file: string, mapping: MappingEntry): Header {
  const names = cells.map((cell) => cell.trim());
  const header = new Map(names.map((name, at) => [name, at]));
  const { period, region, figure, columns, note } = mapping;
  const needed = [
    period,
    region !== undefined && 'column' in region ? region.column : undefined,
    figure?.code,
    figure?.value,
    ...Object.keys(columns ?? {}),
    note,
  ].flatMap((name) => name ?? []);
  for (const name of needed) {
    if (!header.has(name)) {
      throw new ImportError(
        `${file} lacks the column ${quoted(name)} of the mapping ${mapping.publisher}; it has ${names.join(', ')}`,
      );
    }
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw new ImportError(`${file} has the column ${quoted(name)} twice`);
    }
  }
  return header;
}
