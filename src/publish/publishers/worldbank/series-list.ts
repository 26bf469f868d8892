// Reads the bulk file's list of indicators (`WDISeries.csv`): no figures, but the source of each indicator.
import { ImportError, type Batch } from '../../batches/importer.js';
import { BatchBuffer } from '../../batches/batch-buffer.js';
import { csvRecords } from '../../batches/csv-records.js';
import { isBrokenText, quoted } from '../../batches/text.js';
import { isCode } from './cells.js';

const CODE = 'Series Code';
const SOURCE = 'Source';

export async function isSeriesList(chunks: AsyncIterable<Uint8Array>, file: string): Promise<boolean> {
  const records = csvRecords(chunks, file);
  try {
    const first = await records.next();
    return first.done !== true && namesOf(first.value.cells).includes(CODE);
  } finally {
    await records.return(undefined);
  }
}

/** @throws ImportError if the list lacks a column */
export async function* readSeriesList(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Batch> {
  const records = csvRecords(chunks, file);
  const header = await records.next();
  const names = header.done === true ? [] : namesOf(header.value.cells);
  const [code, source] = [names.indexOf(CODE), names.indexOf(SOURCE)];
  if (code < 0 || source < 0) throw new ImportError(`${file} lacks the column "${code < 0 ? CODE : SOURCE}"`);
  const batch = new BatchBuffer();
  for await (const { cells, line, ended } of records) {
    const indicator = cells[code] ?? '';
    const note = cells[source];
    const place = { file, line, column: note === undefined ? SOURCE : CODE };
    const fault = !ended
      ? 'the file ends inside this line, so it may be cut'
      : note === undefined || isBrokenText(note)
        ? 'the line is short, or holds bytes that are not text in UTF-8'
        : isCode(indicator)
          ? null
          : `${quoted(indicator)} is not a code`;
    if (fault !== null) batch.add('bad', { place, reason: fault });
    else batch.add('notes', { indicator, region: null, note: note ?? '' });
    if (batch.full) yield* batch.take();
  }
  yield* batch.take();
}

const namesOf = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim());
