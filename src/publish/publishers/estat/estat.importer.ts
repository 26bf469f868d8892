import { createReadStream } from 'node:fs';
import { ImportError, type Importer } from '../../batches/importer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { visibleText } from '../../batches/text.js';
import { requireCompleteResponses, type ResponseHead } from './response-head.js';
import { readValues } from './response-values.js';
import { fetchTables, readHead } from './fetch-plan.js';

interface EstatFile extends RecognisedFile {
  readonly file: string;
  readonly head: ResponseHead;
}

/** e-Stat, the portal of Japan's statistics: responses of getStatsData (version 3, JSON). */
export const estat: Importer = {
  publisher: 'estat',
  open: (paths, vintage, onStray) =>
    openDeliveries(paths, vintage, recognise, requireCompleteResponses, onStray),
  fetch: fetchTables,
  requires: 'ESTAT_APP_ID',
};

async function recognise(file: string): Promise<EstatFile> {
  const start = await startOf(file);
  if (start.trim() === '') throw new ImportError(`${file} is empty`);
  if (start.trimStart().startsWith('<')) {
    throw new ImportError(`${file} is a page of HTML or XML that says ${visibleText(start)}`);
  }
  const head = await readHead(file);
  return { file, head, stated: head.stated, read: (chunks) => readValues(chunks, file) };
}

async function startOf(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { end: 4_095 }) as AsyncIterable<Buffer>) {
    return chunk.toString('utf8').replace(/^\ufeff/, '');
  }
  return '';
}
