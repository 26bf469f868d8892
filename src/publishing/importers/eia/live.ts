// Fetches spot prices from the EIA's API, version 2, with the operator's own access code.
import { join } from 'node:path';
import { z } from 'zod';
import type { FetchOptions } from '../importer.js';
import { ImportError } from '../importer.js';
import { download, keepFile, REAL_WAITING, type DownloadLimits, type Waiting } from '../reading/download.js';
import { quoted, wordsOf } from '../reading/text.js';
import { SPOT_FREQUENCIES, SPOT_SERIES, type SpotFrequency, type SpotSeries } from './spot-prices.js';

export interface EiaSettings {
  readonly base: string;
  readonly limits: DownloadLimits;
  readonly waiting: Waiting;
  /** Rows a page; the API gives 5,000 at most. */
  readonly perPage: number;
}

const DEFAULTS: EiaSettings = {
  base: 'https://api.eia.gov/v2',
  limits: { tries: 5, timeoutMs: 60_000, maxBytes: 8_000_000 },
  waiting: REAL_WAITING,
  perPage: 5_000,
};

const PAGE = z.object({
  response: z.object({
    total: z.coerce.number().int().min(0),
    data: z.array(
      z.object({
        period: z.string(),
        series: z.string(),
        value: z.union([z.string(), z.number()]).nullable(),
      }),
    ),
  }),
});
type Row = z.infer<typeof PAGE>['response']['data'][number];

/** What the catalogue names: there is no weekly average of Henry Hub among it. */
const WANTED = (Object.keys(SPOT_SERIES) as SpotSeries[]).flatMap((series) =>
  (Object.keys(SPOT_FREQUENCIES) as SpotFrequency[])
    .filter((frequency) => !(series === 'henry-hub' && frequency === 'weekly'))
    .map((frequency) => ({ series, frequency })),
);

export class EiaSpotPrices {
  private readonly settings: EiaSettings;

  constructor(settings: Partial<EiaSettings> = {}) {
    this.settings = { ...DEFAULTS, ...settings };
  }

  /** A file a series and frequency, laid out as the EIA's downloads are. */
  async fetch({ folder, since, accessCode, onProgress, signal }: FetchOptions): Promise<string[]> {
    if (accessCode == null) {
      throw new ImportError('The EIA answers with an access code only: set EIA_API_KEY to your own');
    }
    const paths: string[] = [];
    for (const { series, frequency } of WANTED) {
      const question = this.question(series, frequency, since);
      const rows = await this.rows(question, accessCode, signal);
      const odd = rows.find((row) => row.series !== SPOT_SERIES[series].facet);
      if (odd !== undefined) throw new ImportError(`${question}: the answer is of ${quoted(odd.series)}`);
      const path = join(folder, `${series}-${frequency}.csv`);
      if (rows.length > 0) {
        await keepFile(path, `Date,Price\n${rows.map(line).join('')}`);
        paths.push(path);
      }
      onProgress(paths.length, WANTED.length, `${series}, ${frequency}`);
    }
    return paths;
  }

  private question(series: SpotSeries, frequency: SpotFrequency, since: string | null): string {
    const { route, facet } = SPOT_SERIES[series];
    const start = since === null ? '' : `&start=${frequency === 'monthly' ? since.slice(0, 7) : since}`;
    return (
      `${this.settings.base}/${route}/data/?frequency=${frequency}&data[0]=value&facets[series][]=${facet}` +
      `&sort[0][column]=period&sort[0][direction]=asc${start}`
    );
  }

  private async rows(question: string, accessCode: string, signal: AbortSignal): Promise<Row[]> {
    const rows: Row[] = [];
    for (let total = 1; rows.length < total;) {
      const url = `${question}&offset=${rows.length}&length=${this.settings.perPage}`;
      const page = await this.page(url, accessCode, signal);
      total = page.total;
      if (page.data.length === 0 && rows.length < total) {
        throw new ImportError(`${url}: the page is empty, but ${total} rows were announced`);
      }
      rows.push(...page.data);
    }
    return rows;
  }

  /** The code stands in the address asked for and in no message, not even one that quotes the answer. */
  private async page(url: string, accessCode: string, signal: AbortSignal) {
    const { limits, waiting } = this.settings;
    try {
      return await download(`${url}&api_key=${accessCode}`, limits, waiting, signal, (body) => {
        const text = body.toString('utf8');
        if (text.trimStart().startsWith('<'))
          throw new ImportError(`${url}: the answer says ${wordsOf(text)}`);
        const page = PAGE.safeParse(parsed(text, url));
        if (!page.success) throw new ImportError(`${url}: the answer holds no prices`);
        return Promise.resolve(page.data.response);
      });
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      throw new ImportError(error.message.replaceAll(accessCode, '…'));
    }
  }
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ImportError(`${url}: the answer is no JSON`, { cause });
  }
}

const line = ({ period, value }: Row): string => `${period},${value ?? ''}\n`;
