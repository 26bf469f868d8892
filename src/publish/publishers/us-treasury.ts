import { isDay } from '../../domain/figures/periods.js';
import { type FetchOptions, type Importer, ImportError } from '../batches/importer.js';
import { openPriceFiles } from '../batches/price-files.js';
import type { PriceTable } from '../batches/price-table.js';
import { fetchBy, type FetchPlan, type FetchSettings, refusePage } from '../downloads/fetch-plan.js';

const MATURITY = /^(\d{1,2}(?:\.5)?) (?:(Mo)(?:nth)?|(Yr))$/;
const AMERICAN_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;
/** Percent per year, far beyond any past yield: a larger number lacks its decimal point. */
const [LOWEST, HIGHEST] = [-10, 50];

/** `2025-07-11`, or `07/11/2025` on the Treasury's own site. */
function parseDay(text: string): string | null {
  const [, month = '', date = '', year = ''] = AMERICAN_DAY.exec(text) ?? [];
  const day = year === '' ? text : `${year}-${month}-${date}`;
  return isDay(day) ? day : null;
}

/** The columns differ by year, as maturities are issued: `10 Yr`, `1 Mo`, and `1.5 Mo` for the site's `1.5 Month`. */
function maturityOf(column: string): string | null {
  const [, number = '', months] = MATURITY.exec(column) ?? [];
  return number === '' ? null : `${number} ${months === undefined ? 'Yr' : 'Mo'}`;
}

/** The market's last day of a year is the 29th or later: a file that contains it covers the whole year. */
function endOfYear(last: string): string {
  const year = last.slice(0, 4);
  return last >= `${year}-12-29` ? `${year}-12-31` : last;
}

const PAR_YIELDS: PriceTable = {
  dates: ['Date'],
  code: maturityOf,
  period: parseDay,
  example: '2025-07-11 or 07/11/2025',
  absent: ['', 'N/A'],
  fault: (value) => (value >= LOWEST && value <= HIGHEST ? null : 'is no yield in percent'),
  // Files cover whole calendar years, so that consecutive files leave no gap.
  span: (first, last) => [`${first.slice(0, 4)}-01-01`, endOfYear(last)],
};

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
  { base: 'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv' },
  plan,
);

/** U.S. Department of the Treasury: daily par yield curve rates, one CSV per year; several years form one delivery. */
export const usTreasury: Importer = {
  publisher: 'us-treasury',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => PAR_YIELDS, sameDay: true }, onStray),
  fetch: fetchParYields,
};
