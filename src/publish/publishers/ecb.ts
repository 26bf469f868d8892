import { dayOf, isDay } from '../../domain/figures/periods.js';
import { type FetchOptions, type Importer, ImportError } from '../batches/importer.js';
import { openPriceFiles } from '../batches/price-files.js';
import type { PriceTable } from '../batches/price-table.js';
import { visibleText } from '../batches/text.js';
import { isZip } from '../batches/unzip.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../downloads/fetch-plan.js';
import { dayIn } from './releases/written-dates.js';

const WORDED_DAY = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/;

/** `2026-04-13` in the history, `13 April 2026` in the daily file. */
export function parseDay(text: string): string | null {
  const [, date = '', month = '', year = ''] = WORDED_DAY.exec(text) ?? [];
  if (date !== '') return dayIn(year, month, date);
  return isDay(text) ? text : null;
}

const REFERENCE_RATES: PriceTable = {
  dates: ['Date'],
  code: (column) => (/^[A-Z]{3}$/.test(column) ? column : null),
  period: parseDay,
  example: '2026-04-13 or 13 April 2026',
  absent: ['N/A', ''],
  fault: (value) => (value > 0 ? null : 'is no exchange rate: one is above zero'),
};

interface EcbSettings extends FetchSettings {
  /** `YYYY-MM-DD`. */
  readonly today: () => string;
}

/** One archive: the whole history, or only the newest day if `since` allows it. Importing the whole history again changes nothing, because equal rates make no difference. */
function* plan({ since }: FetchOptions, { base, today }: EcbSettings): FetchPlan<true> {
  const file = since !== null && since >= today() ? 'eurofxref.zip' : 'eurofxref-hist.zip';
  yield {
    url: `${base}/${file}`,
    file,
    accept: (body, url) => {
      if (isZip(body)) return { result: true, content: body };
      const words = visibleText(body.toString('utf8'));
      throw new ImportError(`${url}: the response is not a ZIP archive, but says ${words}`);
    },
    progress: () => ({ what: file, left: 0 }),
  };
}

export const fetchReferenceRates = fetchBy(
  { base: 'https://www.ecb.europa.eu/stats/eurofxref', today: () => dayOf(new Date()) },
  plan,
);

/** European Central Bank: euro foreign exchange reference rates, history or one day, as CSV or as a ZIP of it. */
export const ecb: Importer = {
  publisher: 'ecb',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => REFERENCE_RATES, sameDay: true, zipped: true }, onStray),
  fetch: fetchReferenceRates,
};
