// Tidemark's own interchange format, described in docs/starter-format.md: three lists of lines.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { ImportError } from '../importers/importer.js';

/** A list's file and its columns, in order. Fields hold no commas and are never quoted. */
export interface ListFormat {
  readonly file: string;
  readonly columns: readonly string[];
}

export const REVISIONS: ListFormat = {
  file: 'revisions.csv',
  columns: ['revision', 'vintage_day', 'published_at', 'basis'],
};

export const VINTAGES: ListFormat = {
  file: 'vintages.csv.gz',
  columns: ['indicator', 'region', 'revision', 'first_period', 'last_period'],
};

export const OBSERVATIONS: ListFormat = {
  file: 'observations.csv.gz',
  columns: ['indicator', 'region', 'period', 'valid_from', 'valid_to', 'value'],
};

export interface ListLine {
  /** From 1, the header being the first. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** The lines below the header. A list that is not what the format says is refused with its place. */
export async function* readList(
  path: string,
  format: ListFormat,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<ListLine> {
  const file = createReadStream(path);
  file.on('data', (piece) => onBytes(piece.length));
  const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // A pipe does not hand errors on: without this an unreadable file would end the process.
  file.on('error', (error) => text.destroy(error));
  const header = format.columns.join(',');
  let line = 0;
  try {
    for await (const content of createInterface({ input: text, crlfDelay: Infinity })) {
      line += 1;
      const fields = content.split(',');
      if (line === 1 ? content !== header : fields.length !== format.columns.length) {
        throw new ImportError(`${path}:${line}: expected the columns ${header}`);
      }
      if (line > 1) yield { line, fields };
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    file.destroy();
  }
  if (line === 0) throw new ImportError(`${path}: is empty`);
}
