// Tells by its content how a World Bank file is laid out, and reads it accordingly.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportError } from '../importer.js';
import { isDay } from '../../../figures/periods.js';
import { API_ROW, readApiPage } from './api-rows.js';
import { apiParts } from './api-page.js';
import { quoted, wordsOf } from '../reading/text.js';
import { readHeader } from './csv-header.js';
import { csvRecords } from '../reading/csv-records.js';
import type { RecognisedFile } from '../reading/deliveries.js';
import { readCsv } from './csv-rows.js';
import { isSeriesList, readSeriesList } from './series-list.js';
import type { HeldPage } from './page-sets.js';

export interface WorldBankFile extends RecognisedFile {
  /** Where the file is one page of an answer of the API. */
  readonly held: HeldPage | null;
}

const HEAD_BYTES = 4_096;

/** @throws ImportError that names the file and says what was expected. */
export async function recognise(file: string): Promise<WorldBankFile> {
  const head = await headOf(file);
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  const start = text.trimStart();
  if (start === '') throw new ImportError(`${file} is empty`);
  if (start.startsWith('PK\u0003\u0004')) throw new ImportError(`${file} is a ZIP archive: unpack it first`);
  if (head[0] === 0xff || head[0] === 0xfe) throw new ImportError(`${file} is not text in UTF-8`);
  if (start.startsWith('<'))
    throw new ImportError(`${file} is a page of HTML or XML that says ${wordsOf(start)}`);
  return start.startsWith('[') || start.startsWith('{') ? recogniseApiPage(file) : recogniseCsv(file);
}

async function recogniseApiPage(file: string): Promise<WorldBankFile> {
  for await (const { page, rows } of apiParts(createReadStream(file), file)) {
    const [first] = rows;
    if (first === undefined) continue;
    const row = API_ROW.safeParse(first);
    if (!row.success)
      throw new ImportError(`${file} is an answer of the World Bank's API, but holds no indicator values`);
    return {
      lastUpdated: page.lastUpdated,
      held: { file, indicator: row.data.indicator.id, page },
      read: (chunks) => readApiPage(chunks, file),
    };
  }
  throw new ImportError(`${file} is an answer of the World Bank's API without rows`);
}

async function recogniseCsv(file: string): Promise<WorldBankFile> {
  if (await isSeriesList(createReadStream(file), file)) {
    return { lastUpdated: null, held: null, read: (chunks) => readSeriesList(chunks, file) };
  }
  const code = basename(file).replace(/\.csv$/i, '');
  const records = csvRecords(createReadStream(file), file);
  try {
    const { lastUpdated } = await readHeader(records, file);
    if (lastUpdated !== null && !isDay(lastUpdated)) {
      throw new ImportError(
        `${file}: "Last Updated Date" is ${quoted(lastUpdated)}, expected a day such as 2026-07-01`,
      );
    }
    return { lastUpdated, held: null, read: (chunks) => readCsv(chunks, file, code) };
  } finally {
    await records.return(undefined);
  }
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
