// CSV rows whose columns are found by name, so that their order does not matter.
import { Readable } from 'node:stream';
import { ImportError, type SourcePosition } from './importer.js';
import { csvRecords, lineFault } from './csv-records.js';

export interface NamedRow<Name extends string> {
  readonly file: string;
  readonly line: number;
  /** A fault of the whole line; its cells are then ignored. */
  readonly fault: string | null;
  cell(name: Name): string;
  place(column: Name | ''): SourcePosition;
}

/** @throws ImportError if a column is missing or appears twice */
export async function namedRows<Name extends string>(
  text: string,
  file: string,
  names: readonly Name[],
): Promise<NamedRow<Name>[]> {
  const rows: NamedRow<Name>[] = [];
  let columns: ReadonlyMap<Name, number> | null = null;
  let width = 0;
  for await (const record of csvRecords(Readable.from([Buffer.from(text)]), file)) {
    const { cells, line } = record;
    if (columns === null) {
      columns = columnsOf(cells, file, names);
      width = cells.length;
      continue;
    }
    const held = columns;
    rows.push({
      file,
      line,
      fault: lineFault(record, width),
      cell: (name) => (cells[held.get(name) ?? -1] ?? '').trim(),
      place: (column) => ({ file, line, column }),
    });
  }
  if (rows.length === 0) throw new ImportError(`${file} has a header and no rows`);
  return rows;
}

/** @throws ImportError if the first line lacks a column: then it is another file */
export async function requireNamed(text: string, file: string, names: readonly string[]): Promise<void> {
  const [header = ''] = text.split(/\r?\n/, 1);
  for await (const { cells } of csvRecords(Readable.from([Buffer.from(`${header}\n`)]), file)) {
    columnsOf(cells, file, names);
  }
}

function columnsOf<Name extends string>(
  cells: readonly string[],
  file: string,
  names: readonly Name[],
): ReadonlyMap<Name, number> {
  const header = cells.map((cell) => cell.trim());
  return new Map(
    names.map((name) => {
      const at = header.indexOf(name);
      if (at < 0) throw new ImportError(`${file} lacks the column "${name}"`);
      if (header.includes(name, at + 1)) throw new ImportError(`${file} has the column "${name}" twice`);
      return [name, at];
    }),
  );
}
