// Requests the ten-year yield of the Federal Reserve's Data Download Program, laid out like the other price tables.
import { Readable } from 'node:stream';
import { csvRecords } from '../../batches/csv-records.js';
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, refusePage, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { CutShortError } from '../../batches/json-tokens.js';
import { quoted } from '../../batches/text.js';

/** The monthly average, as the lines above the figures must describe it. */
const DESCRIBED: Readonly<Record<string, string>> = {
  'Unit:': 'Percent:_Per_Year',
  'Multiplier:': '1',
  'Unique Identifier:': 'H15/H15/RIFLGFCY10_N.M',
};
/** The program's own name of a package of series, in its addresses. */
const PACKAGE = '0809abf197c17f1ff0b2180fe7015cc3';

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
    else if (lines.length > 1)
      throw new ImportError(`${url}: ${quoted(cells.join())} is no month with its yield`);
    else found.set(label, value);
  }
  for (const [label, wanted] of Object.entries(DESCRIBED)) {
    const value = found.get(label) ?? '';
    if (value !== wanted)
      throw new ImportError(`${url}: ${label} ${quoted(value)} instead of ${quoted(wanted)}`);
  }
  if (lines.length === 1) throw new ImportError(`${url}: the response has no figures`);
  return [...lines, ''].join('\n');
}

export const fetchTenYearYield = fetchBy({ base: 'https://www.federalreserve.gov/datadownload' }, plan);
