import type { Importer } from '../../batches/importer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { headOfText } from '../../batches/text-head.js';
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
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, requireCompleteResponses, onStray),
  fetch: fetchTables,
  requires: 'ESTAT_APP_ID',
};

async function recognise(file: string): Promise<EstatFile> {
  await headOfText(file);
  const head = await readHead(file);
  return { file, head, stated: head.stated, read: (chunks) => readValues(chunks, file) };
}
