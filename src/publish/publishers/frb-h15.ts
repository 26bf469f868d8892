import { Readable } from 'node:stream';
import { isDay } from '../../domain/figures/periods.js';
import { csvRecords } from '../batches/csv-records.js';
import { type FetchOptions, type Importer, ImportError } from '../batches/importer.js';
import { CutShortError } from '../batches/json-tokens.js';
import { openPriceFiles } from '../batches/price-files.js';
import type { PriceTable } from '../batches/price-table.js';
import { quoted } from '../batches/text.js';
import { fetchBy, type FetchPlan, type FetchSettings, refusePage } from '../downloads/fetch-plan.js';

/** The monthly average, as the lines above the figures must describe it. */
const DESCRIBED: Readonly<Record<string, string>> = {
  'Unit:': 'Percent:_Per_Year',
  'Multiplier:': '1',
  'Unique Identifier:': 'H15/H15/RIFLGFCY10_N.M',
};
/** The program's own name of a package of series, in its addresses. */
const PACKAGE = '0809abf197c17f1ff0b2180fe7015cc3';

/** The ten-year yield of the Federal Reserve's Data Download Program, laid out like the other price tables. */
function* plan(_options: FetchOptions, { base }: FetchSettings): FetchPlan<true> {
  yield {
    url: `${base}/Output.aspx?rel=H15&series=${PACKAGE}&lastobs=&from=&to=&filetype=csv&label=include&layout=seriescolumn`,
    file: 'monthly.csv',
    accept: async (body, url) => ({ result: true, content: await tableIn(body, url) }),
    progress: () => ({ what: 'ten-year yield', left: 0 }),
  };
}

/** @throws ImportError for another series, unit or multiplier, or for a page */
async function tableIn(body: Buffer, url: string): Promise<string> {
  refusePage(body, url);
  const lines = ['Date,Rate'];
  const found = new Map<string, string>();
  for await (const { cells, ended } of csvRecords(Readable.from([body]), url)) {
    const [label = '', value = ''] = cells.map((cell) => cell.trim());
    if (!ended) throw new CutShortError(`${url}: the response ends inside a line`);
    if (/^\d{4}-\d\d$/.test(label) && cells.length === 2) lines.push(`${label}-01,${value}`);
    else if (lines.length > 1) throw new ImportError(`${url}: ${quoted(cells.join())} is no month with its yield`);
    else found.set(label, value);
  }
  for (const [label, wanted] of Object.entries(DESCRIBED)) {
    const value = found.get(label) ?? '';
    if (value !== wanted) throw new ImportError(`${url}: ${label} ${quoted(value)} instead of ${quoted(wanted)}`);
  }
  if (lines.length === 1) throw new ImportError(`${url}: the response has no figures`);
  return [...lines, ''].join('\n');
}

export const fetchTenYearYield = fetchBy({ base: 'https://www.federalreserve.gov/datadownload' }, plan);

/** A month, written as one of its days, and the average of its daily yields in percent. */
const TEN_YEARS: PriceTable = {
  dates: ['Date'],
  code: (column) => (column === 'Rate' ? 'RIFLGFCY10_N.M' : null),
  period: (text) => (isDay(text) ? text.slice(0, 7) : null),
  example: '2026-06-01',
  absent: ['', 'ND'],
  fault: (value) => (value >= -10 && value <= 50 ? null : 'is no yield in percent'),
};

/** Federal Reserve Board, H.15: the ten-year constant maturity yield, averaged over months. */
export const frbH15: Importer = {
  publisher: 'frb-h15',
  open: (paths, vintage, onStray) =>
    openPriceFiles(paths, vintage, { tableOf: () => TEN_YEARS, sameDay: false }, onStray),
  fetch: fetchTenYearYield,
};
