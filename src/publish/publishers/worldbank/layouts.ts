// Recognises the layout of a World Bank file by its content.
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { ImportError } from '../../batches/importer.js';
import { isDay } from '../../../domain/figures/periods.js';
import { API_ROW, readApiPage } from './api-rows.js';
import { apiParts } from './api-page.js';
import { headOfText } from '../../batches/text-head.js';
import { quoted } from '../../batches/text.js';
import { readHeader } from './csv-header.js';
import { csvRecords } from '../../batches/csv-records.js';
import type { RecognisedFile } from '../../batches/deliveries.js';
import { readCsv } from './csv-rows.js';
import { isSeriesList, readSeriesList } from './series-list.js';
import type { HeldPage } from './page-sets.js';

export interface WorldBankFile extends RecognisedFile {
  /** For a page of an API response. */
  readonly held: HeldPage | null;
}

/** @throws ImportError that names the file and the expected layouts */
export async function recognise(file: string): Promise<WorldBankFile> {
  return /^[{[]/.test(await headOfText(file)) ? recogniseApiPage(file) : recogniseCsv(file);
}

async function recogniseApiPage(file: string): Promise<WorldBankFile> {
  for await (const { page, rows } of apiParts(createReadStream(file), file)) {
    const [first] = rows;
    if (first === undefined) continue;
    const row = API_ROW.safeParse(first);
    if (!row.success) throw new ImportError(`${file} is a response of the World Bank's API without indicator values`);
    return {
      stated: updatedOn(page.lastUpdated),
      held: { file, indicator: row.data.indicator.id, page },
      read: (chunks) => readApiPage(chunks, file),
    };
  }
  throw new ImportError(`${file} is a response of the World Bank's API without rows`);
}

async function recogniseCsv(file: string): Promise<WorldBankFile> {
  if (await isSeriesList(createReadStream(file), file)) {
    return { stated: null, held: null, read: (chunks) => readSeriesList(chunks, file) };
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
    return { stated: updatedOn(lastUpdated), held: null, read: (chunks) => readCsv(chunks, file, code) };
  } finally {
    await records.return(undefined);
  }
}

/** The database is updated as a whole; its figures were released by others, and before. */
const updatedOn = (day: string | null): RecognisedFile['stated'] => (day === null ? null : { day, basis: 'updated' });
