// Requests the Treasury's par yields, one file per calendar year.
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, refusePage, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';

/** Earlier years lack the thirty-year yield; from this year on every maturity is complete. */
const FIRST_YEAR = 2006;

/** All years from that of `since` on. In the first days of a year there are no figures yet, so its file is missing. */
function* plan({ since }: FetchOptions, { base, thisYear }: FetchSettings): FetchPlan<true> {
  const first = Math.max(since === null ? FIRST_YEAR : Number(since.slice(0, 4)), FIRST_YEAR);
  for (let year = first; year <= thisYear(); year++) {
    yield {
      url: `${base}/${year}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${year}&page&_format=csv`,
      file: `${year}-daily-treasury-rates.csv`,
      accept: (body, url) => {
        refusePage(body, url);
        const text = body.toString('utf8').trim();
        if (text === '' && year < thisYear()) throw new ImportError(`${url}: the response is empty`);
        // The site omits the last line break, which would look like an incomplete file.
        return { result: true, content: text === '' ? null : `${text}\n` };
      },
      progress: () => ({ what: String(year), left: thisYear() - year }),
    };
  }
}

export const fetchParYields = fetchBy(
  {
    base: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv',
  },
  plan,
);
