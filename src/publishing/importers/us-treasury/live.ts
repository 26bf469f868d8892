// Fetches the Treasury's par yields, a file a calendar year.
import { join } from 'node:path';
import type { FetchOptions } from '../importer.js';
import { ImportError } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { wordsOf } from '../reading/text.js';

export interface TreasurySettings {
  readonly base: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  readonly thisYear: () => number;
}

const DEFAULTS: TreasurySettings = {
  base: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv',
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 8_000_000 },
  waiting: REAL_WAITING,
  thisYear: () => new Date().getUTCFullYear(),
};
/** No thirty-year yield was printed in the years before: from here on no maturity has a gap. */
const FIRST_YEAR = 2006;

export class TreasuryYields {
  private readonly settings: TreasurySettings;

  constructor(settings: Partial<TreasurySettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** The files of all years from that of `since` on. The first days of a year have no file yet: then none of it. */
  async fetch({ folder, since, onProgress, signal }: FetchOptions): Promise<string[]> {
    const { thisYear } = this.settings;
    const first = Math.max(since === null ? FIRST_YEAR : Number(since.slice(0, 4)), FIRST_YEAR);
    const years = Array.from({ length: Math.max(thisYear() - first + 1, 0) }, (_, index) => first + index);
    const paths: string[] = [];
    for (const [index, year] of years.entries()) {
      const path = await this.fetchYear(year, folder, signal);
      if (path !== null) paths.push(path);
      onProgress(index + 1, years.length, String(year));
    }
    return paths;
  }

  private async fetchYear(year: number, folder: string, signal: AbortSignal): Promise<string | null> {
    const { base, limits, waiting } = this.settings;
    const url = `${base}/${year}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${year}&page&_format=csv`;
    const path = join(folder, `${year}-daily-treasury-rates.csv`);
    return download(url, limits, waiting, signal, async (body) => {
      const text = body.toString('utf8').trim();
      if (text === '') return null;
      if (text.startsWith('<')) {
        throw new ImportError(`${url}: the answer is HTML or XML that says ${wordsOf(text)}`);
      }
      // The site leaves the last line open, which would look like a cut file.
      await keepFile(path, `${text}\n`);
      return path;
    });
  }
}
