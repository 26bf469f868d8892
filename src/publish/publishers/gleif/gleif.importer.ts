import { createReadStream } from 'node:fs';
import type { Importer } from '../../batches/importer.js';
import { csvRecords } from '../../batches/csv-records.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { headOfText } from '../../batches/text-head.js';
import { describeApiFile, readApiFile } from './api-file.js';
import { layoutOf, readCsvFile } from './csv-file.js';
import { fetchGroups } from './fetch-plan.js';

/** Global LEI index, level 1 (who is who) and level 2 (who consolidates whom): responses of the API, and CSV. */
export const gleif: Importer = {
  publisher: 'gleif',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchGroups,
};

async function recognise(file: string): Promise<RecognisedFile> {
  if (!/^[{[]/.test(await headOfText(file))) return recogniseCsv(file);
  const description = await describeApiFile(createReadStream(file), file);
  const { publishedOn } = description;
  const stated = { day: publishedOn, basis: 'released' } as const;
  return { stated, read: (chunks) => readApiFile(chunks, file, description) };
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
  return { stated: null, read: (chunks) => readCsvFile(chunks, file) };
}
