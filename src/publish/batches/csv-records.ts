import { pipeline, Readable, type TransformCallback } from 'node:stream';
import { CsvError, Parser } from 'csv-parse';
import { ImportError } from './importer.js';
import { isBrokenText } from './text.js';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Line of the file, from 1; the last line if a quoted cell spans several. */
  readonly line: number;
  /** False if the file ends inside the record's line: its last cell may be incomplete. */
  readonly ended: boolean;
}

type ParsedRecord = Omit<CsvRecord, 'ended'>;

/** Longer than any header with a century of columns. Bounds a record with an open quotation mark. */
const LONGEST_RECORD = 1_000_000;
/** The widest file of a publisher, GLEIF's golden copy, has some 340. */
const MOST_COLUMNS = 2_000;

/**
 * Gives the records of a chunk together, each with its line: the parser's own option for lines makes two objects of
 * statistics for each record, and costs more than parsing it.
 */
class RecordParser extends Parser {
  private parsed: ParsedRecord[] = [];

  constructor(delimiter: string) {
    const options = {
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_RECORD,
      readableHighWaterMark: 1,
    };
    super(options);
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    super._transform(chunk, encoding, (error) => {
      this.give();
      done(error);
    });
  }

  /** The parser calls it with each record, and the stream with null at its end. */
  override push(cells: readonly string[] | null): boolean {
    if (cells !== null) return this.parsed.push({ cells, line: this.info.lines }) > 0;
    this.give();
    return super.push(null);
  }

  private give(): void {
    if (this.parsed.length > 0) super.push(this.parsed);
    this.parsed = [];
  }
}

/** @throws ImportError where quotation marks make the rest of the file unreadable. */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  delimiter = ',',
): AsyncGenerator<CsvRecord> {
  let lastByte = 0;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      lastByte = chunk.at(-1) ?? lastByte;
      yield chunk;
    }
  }
  const parser = new RecordParser(delimiter);
  // Errors of either side reach the loop below through the parser, which the pipeline destroys with them.
  pipeline(Readable.from(watched(), { highWaterMark: 1 }), parser, () => undefined);
  let held: ParsedRecord | undefined;
  try {
    for await (const records of parser as AsyncIterable<ParsedRecord[]>) {
      for (const next of records) {
        const columns = next.cells.length;
        if (columns > MOST_COLUMNS) {
          const at = `${file}:${next.line}`;
          throw new ImportError(`${at} has ${columns} columns, more than any file of a publisher (${MOST_COLUMNS})`);
        }
        if (held !== undefined) yield { ...held, ended: true };
        held = next;
      }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ImportError(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
  if (held !== undefined) {
    yield { ...held, ended: lastByte === 0x0a || lastByte === 0x0d };
  }
}

/** A fault of the whole line, or `null`; the cells of a faulty line are not used. */
export function lineFault({ cells, ended }: CsvRecord, width: number): string | null {
  // The header, the rows, both or neither may end with a comma.
  const columns = cells.at(-1)?.trim() === '' && cells.length === width + 1 ? width : cells.length;
  if (columns !== width) return `expected ${width} columns and found ${cells.length}`;
  if (!ended) {
    return 'the file ends inside this line, so it may be cut; end the line with a line break if it is whole';
  }
  return isBrokenText(cells.join()) ? 'the line holds bytes that are not text in UTF-8' : null;
}
