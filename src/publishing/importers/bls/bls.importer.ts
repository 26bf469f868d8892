import { ImportError, type Importer } from '../importer.js';
import { openDeliveries, type RecognisedFile } from '../reading/deliveries.js';
import { readHeld, wholeText } from '../reading/whole-text.js';
import { parseAnswer, readAnswer } from './api-answer.js';
import { isCpiCsv, readCpiCsv } from './cpi-csv.js';
import { BlsApi } from './live.js';

/** U.S. Bureau of Labor Statistics: the index as a CSV of months, and answers of its API. Neither says its day. */
export const bls: Importer = {
  publisher: 'bls',
  open: (paths, vintage) => openDeliveries(paths, vintage, recognise),
  fetch: (options) => new BlsApi().fetch(options),
};

async function recognise(file: string): Promise<RecognisedFile> {
  const text = await wholeText(file);
  if (text.startsWith('{')) {
    const answer = parseAnswer(text, file);
    return { lastUpdated: null, read: (chunks) => readHeld(chunks, () => readAnswer(answer, file)) };
  }
  if (isCpiCsv(text)) {
    return { lastUpdated: null, read: (chunks) => readHeld(chunks, () => readCpiCsv(text, file)) };
  }
  throw new ImportError(
    `${file} is not a file of the BLS: expected a CSV with the columns Date, Index, Inflation, ` +
      'or an answer of the BLS Public Data API (JSON)',
  );
}
