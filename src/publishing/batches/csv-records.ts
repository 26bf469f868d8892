import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ImportError } from './importer.js';
import { isBrokenText } from './text.js';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Line of the file, from 1; the last line if a quoted cell spans several. */
  readonly line: number;
  /** False if the file ends inside the record's line: its last cell may be incomplete. */
  readonly ended: boolean;
}

interface ParsedRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Longer than any header with a century of columns. Bounds a record with an open quotation mark. */
const LONGEST_RECORD = 1_000_000;
/** The widest file of a publisher, GLEIF's golden copy, has some 340. */
const MOST_COLUMNS = 2_000;

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
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_RECORD,
  });
  // Errors of either side reach the loop below through the parser, which the pipeline destroys with them.
  pipeline(Readable.from(watched(), { highWaterMark: 1 }), parser, () => undefined);
  let held: ParsedRecord | undefined;
  try {
    for await (const next of parser as AsyncIterable<ParsedRecord>) {
      const columns = next.record.length;
      if (columns > MOST_COLUMNS) {
        const at = `${file}:${next.info.lines}`;
        throw new ImportError(
          `${at} has ${columns} columns, more than any file of a publisher (${MOST_COLUMNS})`,
        );
      }
      if (held !== undefined) yield { cells: held.record, line: held.info.lines, ended: true };
      held = next;
    }
  } catch (error) {
    if (error instanceof CsvError) throw new ImportError(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
  if (held !== undefined) {
    yield { cells: held.record, line: held.info.lines, ended: lastByte === 0x0a || lastByte === 0x0d };
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
