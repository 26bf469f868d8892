// Fetches the ECB's reference rates: the whole history, or the newest day where no more is wanted.
import { join } from 'node:path';
import { dayOf } from '../../../figures/periods.js';
import type { FetchOptions } from '../importer.js';
import { ImportError } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { wordsOf } from '../reading/text.js';
import { isZip } from '../reading/unzip.js';

export interface EcbSettings {
  readonly base: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  /** `YYYY-MM-DD`. */
  readonly today: () => string;
}

const DEFAULTS: EcbSettings = {
  base: 'https://www.ecb.europa.eu/stats/eurofxref',
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 16_000_000 },
  waiting: REAL_WAITING,
  today: () => dayOf(new Date()),
};

export class EcbRates {
  private readonly settings: EcbSettings;

  constructor(settings: Partial<EcbSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** One archive. The history replaces nothing by being read again: equal rates change nothing. */
  async fetch({ folder, since, onProgress, signal }: FetchOptions): Promise<string[]> {
    const { base, limits, waiting, today } = this.settings;
    const name = since !== null && since >= today() ? 'eurofxref.zip' : 'eurofxref-hist.zip';
    const url = `${base}/${name}`;
    const path = join(folder, name);
    await download(url, limits, waiting, signal, async (body) => {
      if (!isZip(body)) {
        throw new ImportError(
          `${url}: the answer is no ZIP archive, it says ${wordsOf(body.toString('utf8'))}`,
        );
      }
      await keepFile(path, body);
    });
    onProgress(1, 1, name);
    return [path];
  }
}
