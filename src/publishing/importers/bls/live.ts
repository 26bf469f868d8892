// Fetches series from the BLS Public Data API, ten years a call, which is what it gives without a registration.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ImportError, type FetchOptions } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { quoted } from '../reading/text.js';
import { parseAnswer } from './api-answer.js';

export interface BlsSettings {
  readonly base: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  readonly thisYear: () => number;
}

const DEFAULTS: BlsSettings = {
  base: 'https://api.bls.gov/publicAPI/v2/timeseries/data',
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 8_000_000 },
  waiting: REAL_WAITING,
  thisYear: () => new Date().getUTCFullYear(),
};

const YEARS_A_CALL = 10;
/** The consumer price index begins here. */
const FIRST_YEAR = 1913;

export class BlsApi {
  private readonly settings: BlsSettings;

  constructor(settings: Partial<BlsSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** One file for each series and span of ten years. */
  async fetch({ folder, indicators, since, onProgress, signal }: FetchOptions): Promise<string[]> {
    const { base, limits, waiting, thisYear } = this.settings;
    const odd = indicators.find((code) => !/^[A-Z0-9_#-]{1,40}$/.test(code));
    if (odd !== undefined) throw new ImportError(`${quoted(odd)} is not a series of the BLS`);
    await mkdir(folder, { recursive: true });
    const spans = spansOf(since === null ? FIRST_YEAR : Number(since.slice(0, 4)), thisYear());
    const paths: string[] = [];
    for (const code of indicators) {
      for (const [first, last] of spans) {
        const url = `${base}/${code}?startyear=${first}&endyear=${last}`;
        const path = join(folder, `${code}.${first}-${last}.json`);
        await download(url, limits, waiting, signal, async (body) => {
          parseAnswer(body.toString('utf8'), url);
          await keepFile(path, body);
        });
        paths.push(path);
        onProgress(paths.length, indicators.length * spans.length, `${code}, ${first} to ${last}`);
      }
    }
    return paths;
  }
}

function spansOf(first: number, last: number): [number, number][] {
  const spans: [number, number][] = [];
  for (let year = first; year <= last; year += YEARS_A_CALL) {
    spans.push([year, Math.min(year + YEARS_A_CALL - 1, last)]);
  }
  return spans;
}
