import { createReadStream } from 'node:fs';
import type { Importer } from '../importer.js';
import { csvRecords } from '../reading/csv-records.js';
import { openDeliveries, type RecognisedFile } from '../reading/deliveries.js';
import { headOfText } from '../reading/text-head.js';
import { describeAnswer, readAnswer } from './api-file.js';
import { layoutOf, readCsvFile } from './csv-file.js';
import { GleifApi } from './live.js';

/** Global LEI index, level 1 (who is who) and level 2 (who consolidates whom): answers of the API, and CSV. */
export const gleif: Importer = {
  publisher: 'gleif',
  open: (paths, vintage) => openDeliveries(paths, vintage, recognise),
  fetch: (options) => new GleifApi().fetch(options),
};

async function recognise(file: string): Promise<RecognisedFile> {
  if (!/^[{[]/.test(await headOfText(file))) return recogniseCsv(file);
  const answer = await describeAnswer(createReadStream(file), file);
  return { lastUpdated: answer.publishedOn, read: (chunks) => readAnswer(chunks, file, answer) };
}

async function recogniseCsv(file: string): Promise<RecognisedFile> {
  const records = csvRecords(createReadStream(file), file);
  try {
    for await (const { cells } of records) {
      layoutOf(cells, file);
      break;
    }
  } finally {
    await records.return(undefined);
  }
  return { lastUpdated: null, read: (chunks) => readCsvFile(chunks, file) };
}
