import { ImportError, type Importer } from '../../batches/importer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { readHeld, wholeText } from '../../batches/whole-text.js';
import { parseResponse, readResponse } from './api-response.js';
import { isCpiCsv, readCpiCsv } from './cpi-csv.js';
import { fetchBls } from './fetch-plan.js';

/** U.S. Bureau of Labor Statistics: the index as a CSV of months, and responses of its API. Neither states its day. */
export const bls: Importer = {
  publisher: 'bls',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchBls,
};

async function recognise(file: string): Promise<RecognisedFile> {
  const text = await wholeText(file);
  if (text.startsWith('{')) {
    const answer = parseResponse(text, file);
    return { stated: null, read: (chunks) => readHeld(chunks, () => readResponse(answer, file)) };
  }
  if (isCpiCsv(text)) {
    return { stated: null, read: (chunks) => readHeld(chunks, () => readCpiCsv(text, file)) };
  }
  throw new ImportError(
    `${file} is not a file of the BLS: expected a CSV with the columns Date, Index, Inflation, ` +
      'or a response of the BLS Public Data API (JSON)',
  );
}
