import { createReadStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError, type FetchOptions, type Importer } from '../importer.js';
import { openDeliveries, type RecognisedFile } from '../reading/deliveries.js';
import { download, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { headOfText } from '../reading/text-head.js';
import { readTickers } from './company-tickers.js';

/** U.S. Securities and Exchange Commission: names, CIK and tickers of its registrants. */
export const sec: Importer = {
  publisher: 'sec',
  open: (paths, vintage) => openDeliveries(paths, vintage, recognise),
  fetch: (options) => fetchTickers(options),
};

async function recognise(file: string): Promise<RecognisedFile> {
  if (!(await headOfText(file)).startsWith('{')) {
    throw new ImportError(`${file} is not the list of company tickers: one JSON object was expected`);
  }
  return { lastUpdated: null, read: (chunks) => readTickers(chunks, file) };
}

export interface SecLiveSettings {
  readonly url: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
}

const DEFAULTS: SecLiveSettings = {
  url: 'https://www.sec.gov/files/company_tickers.json',
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 64_000_000 },
  waiting: REAL_WAITING,
};

/** @throws ImportError without a contact: the SEC refuses those who do not say who they are. */
export async function fetchTickers(
  { folder, contact, signal, onProgress }: FetchOptions,
  settings: Partial<SecLiveSettings> = {},
): Promise<string[]> {
  if (contact == null) {
    throw new ImportError(
      'The SEC wants to be told who asks: set SEC_USER_AGENT to a name and an e-mail address',
    );
  }
  const { url, limits, waiting } = { ...DEFAULTS, ...settings };
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'company_tickers.json');
  const named = { ...limits, headers: { 'user-agent': contact } };
  await download(url, named, waiting, signal, async (body) => {
    await writeFile(`${path}.part`, body);
    await requireWhole(`${path}.part`, url);
    await rename(`${path}.part`, path);
  });
  onProgress(1, 1, 'company tickers');
  return [path];
}

/** Reads all of it once, so that nothing is kept which an import would refuse as cut. */
async function requireWhole(path: string, url: string): Promise<void> {
  await headOfText(path);
  for await (const _batch of readTickers(createReadStream(path), url));
}
