import { Readable } from 'node:stream';
import { ImportError, type FetchOptions, type Importer } from '../../batches/importer.js';
import { openDeliveries, type RecognisedFile } from '../../batches/deliveries.js';
import { fetchBy, refusePage, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { headOfText } from '../../batches/text-head.js';
import { readTickers } from './company-tickers.js';

async function recognise(file: string): Promise<RecognisedFile> {
  const head = await headOfText(file);
  if (!head.startsWith('{')) {
    throw new ImportError(`${file} is not the list of company tickers: one JSON object was expected`);
  }
  if (!head.includes('"cik_str"'))
    throw new ImportError(`${file} is not the list of company tickers: it has no "cik_str"`);
  return { stated: null, read: (chunks) => readTickers(chunks, file) };
}

/** @throws ImportError without a contact: the SEC refuses clients that do not identify themselves */
function* plan({ contact }: FetchOptions, { base }: FetchSettings): FetchPlan<true> {
  if (contact == null) {
    throw new ImportError('The SEC requires a contact: set SEC_USER_AGENT to a name and an e-mail address');
  }
  yield {
    url: `${base}/company_tickers.json`,
    headers: { 'user-agent': contact },
    file: 'company_tickers.json',
    accept: async (body, url) => {
      refusePage(body, url);
      for await (const _batch of readTickers(Readable.from([body]), url));
      return { result: true, content: body };
    },
    progress: () => ({ what: 'company tickers', left: 0 }),
  };
}

export const fetchTickers = fetchBy({ base: 'https://www.sec.gov/files' }, plan);

/** U.S. Securities and Exchange Commission: names, CIK and tickers of its registrants. */
export const sec: Importer = {
  publisher: 'sec',
  open: (paths, vintage, onStray) => openDeliveries(paths, vintage, recognise, undefined, onStray),
  fetch: fetchTickers,
  requires: 'SEC_USER_AGENT',
};
