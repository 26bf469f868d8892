import { basename } from 'node:path';
import { z } from 'zod';
import { type Frequency, isDay, isPeriod, periodOn } from '../../domain/figures/periods.js';
import { type FetchOptions, type Importer, ImportError } from '../batches/importer.js';
import { openPriceFiles } from '../batches/price-files.js';
import type { PriceTable } from '../batches/price-table.js';
import { quoted } from '../batches/text.js';
import { fetchBy, type FetchPlan, type FetchSettings, refusePage } from '../downloads/fetch-plan.js';

/** The EIA's own names: the route of the API, and the series without its frequency. */
const SPOT_SERIES = {
  brent: { route: 'petroleum/pri/spt', facet: 'RBRTE', code: 'PET.RBRTE' },
  wti: { route: 'petroleum/pri/spt', facet: 'RWTC', code: 'PET.RWTC' },
  'henry-hub': { route: 'natural-gas/pri/fut', facet: 'RNGWHHD', code: 'NG.RNGWHHD' },
} as const;
type SpotSeries = keyof typeof SPOT_SERIES;

const SPOT_FREQUENCIES = { daily: 'D', weekly: 'W', monthly: 'M' } as const;
type SpotFrequency = keyof typeof SPOT_FREQUENCIES;

/** In US dollars. WTI was -36.98 on 20 April 2020, so negative prices are possible; ten times a record is not. */
const HIGHEST = 1_500;

/** Weekly averages carry the date of the Friday that ends the week, monthly ones a date within the month. */
const PERIODS: Readonly<Record<SpotFrequency, (date: string) => string | null>> = {
  daily: (date) => (isDay(date) ? date : null),
  weekly: (date) => (isDay(date) && isFriday(date) ? periodOn(date, 'W') : null),
  monthly: (date) => (isDay(date) || isPeriod(`${date}-01`) ? date.slice(0, 7) : null),
};
const EXAMPLES: Readonly<Record<SpotFrequency, string>> = {
  daily: '2026-08-18',
  weekly: '2026-08-14, a Friday',
  monthly: '2026-07 or 2026-07-15',
};

const isFriday = (day: string): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() === 5;

/** Only its name identifies a table. @throws ImportError if the file's name has another form than `brent-daily.csv` */
function spotTable(path: string): PriceTable {
  const [, series = '', frequency = ''] = /^(.+)-([a-z]+)\.csv$/.exec(basename(path)) ?? [];
  if (!isSeries(series) || !isFrequency(frequency)) {
    throw new ImportError(
      `${path}: expected a file named for its figures, ${Object.keys(SPOT_SERIES).join(', ')} with ` +
        `${Object.keys(SPOT_FREQUENCIES).join(', ')}, such as brent-daily.csv`,
    );
  }
  const letter: Frequency = SPOT_FREQUENCIES[frequency];
  return {
    dates: ['Date', 'Month', 'Week'],
    code: (column) => (column === 'Price' ? `${SPOT_SERIES[series].code}.${letter}` : null),
    period: PERIODS[frequency],
    example: EXAMPLES[frequency],
    absent: [''],
    fault: (value) => (Math.abs(value) <= HIGHEST ? null : 'is no price in US dollars'),
  };
}

const isSeries = (name: string): name is SpotSeries => Object.hasOwn(SPOT_SERIES, name);
const isFrequency = (name: string): name is SpotFrequency => Object.hasOwn(SPOT_FREQUENCIES, name);

interface EiaSettings extends FetchSettings {
  /** Rows per page; the API returns at most 5,000. */
  readonly perPage: number;
}

const PAGE = z.object({
  response: z.object({
    total: z.coerce.number().int().min(0),
    data: z.array(
      z.object({ period: z.string(), series: z.string(), value: z.union([z.string(), z.number()]).nullable() }),
    ),
  }),
});
type Page = z.infer<typeof PAGE>['response'];

/** Series of the catalogue: it names no weekly average of Henry Hub. */
const WANTED = (Object.keys(SPOT_SERIES) as SpotSeries[]).flatMap((series) =>
  (Object.keys(SPOT_FREQUENCIES) as SpotFrequency[])
    .filter((frequency) => !(series === 'henry-hub' && frequency === 'weekly'))
    .map((frequency) => ({ series, frequency })),
);

/** Spot prices of the EIA's API, version 2: one file per series and frequency, laid out like the EIA's downloads. */
function* plan({ since, accessCode }: FetchOptions, { base, perPage }: EiaSettings): FetchPlan<Page> {
  if (accessCode == null) {
    throw new ImportError('The EIA requires an access code: set EIA_API_KEY to your own');
  }
  for (const [index, { series, frequency }] of WANTED.entries()) {
    const { route, facet } = SPOT_SERIES[series];
    const start = since === null ? '' : `&start=${frequency === 'monthly' ? since.slice(0, 7) : since}`;
    const rows: Page['data'] = [];
    for (let total = 1; rows.length < total;) {
      const page = yield {
        url:
          `${base}/${route}/data/?frequency=${frequency}&data[0]=value&facets[series][]=${facet}` +
          `&sort[0][column]=period&sort[0][direction]=asc${start}&offset=${rows.length}&length=${perPage}`,
        secret: { name: 'api_key', value: accessCode },
        file: `${series}-${frequency}.csv`,
        accept: (body, url) => {
          const result = pageIn(body, url, facet);
          const all = [...rows, ...result.data];
          if (result.data.length === 0 && all.length < result.total)
            throw new ImportError(`${url}: the page is empty, but ${result.total} rows were announced`);
          const whole = all.length > 0 && all.length >= result.total;
          return { result, content: whole ? `Date,Price\n${all.map(lineOf).join('')}` : null };
        },
        progress: () => ({ what: `${series}, ${frequency}`, left: WANTED.length - index - 1 }),
      };
      total = page.total;
      rows.push(...page.data);
    }
  }
}

function pageIn(body: Buffer, url: string, facet: string): Page {
  refusePage(body, url);
  const page = PAGE.safeParse(parsed(body.toString('utf8'), url));
  if (!page.success) throw new ImportError(`${url}: the response contains no prices`);
  const odd = page.data.response.data.find(({ series }) => series !== facet);
  if (odd !== undefined) throw new ImportError(`${url}: the response is for ${quoted(odd.series)}`);
  return page.data.response;
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ImportError(`${url}: the response is not JSON`, { cause });
  }
}

const lineOf = ({ period, value }: Page['data'][number]): string => `${period},${value ?? ''}\n`;

export const fetchSpotPrices = fetchBy({ base: 'https://api.eia.gov/v2', perPage: 5_000 }, plan);

/**
 * U.S. Energy Information Administration: daily spot prices of crude oil and natural gas, and its own weekly and
 * monthly averages, which are separate instruments. The EIA publishes a price days after its day.
 */
export const eia: Importer = {
  publisher: 'eia',
  open: (paths, vintage, onStray) => openPriceFiles(paths, vintage, { tableOf: spotTable, sameDay: false }, onStray),
  fetch: fetchSpotPrices,
  requires: 'EIA_API_KEY',
};
