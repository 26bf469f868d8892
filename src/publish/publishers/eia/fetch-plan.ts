// Spot prices of the EIA's API, version 2, with the operator's own access code.
import { z } from 'zod';
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, refusePage, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { quoted } from '../../batches/text.js';
import { SPOT_FREQUENCIES, SPOT_SERIES, type SpotFrequency, type SpotSeries } from './spot-prices.js';

export interface EiaSettings extends FetchSettings {
  /** Rows per page; the API returns at most 5,000. */
  readonly perPage: number;
}

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
type Page = z.infer<typeof PAGE>['response'];

/** Series of the catalogue: it names no weekly average of Henry Hub. */
const WANTED = (Object.keys(SPOT_SERIES) as SpotSeries[]).flatMap((series) =>
  (Object.keys(SPOT_FREQUENCIES) as SpotFrequency[])
    .filter((frequency) => !(series === 'henry-hub' && frequency === 'weekly'))
    .map((frequency) => ({ series, frequency })),
);

/** One file per series and frequency, laid out like the EIA's downloads. */
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
