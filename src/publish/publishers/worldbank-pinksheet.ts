import { basename } from 'node:path';
import { isPeriod } from '../../domain/figures/periods.js';
import { type FetchOptions, type Importer, ImportError } from '../batches/importer.js';
import { elementsOf, htmlDocument } from '../batches/markup.js';
import { openPriceFiles } from '../batches/price-files.js';
import type { PriceTable } from '../batches/price-table.js';
import { type SheetRow, sheetRows } from '../batches/spreadsheet.js';
import { visibleText } from '../batches/text.js';
import { isZip } from '../batches/unzip.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../downloads/fetch-plan.js';

interface PinkSheetSettings extends FetchSettings {
  /** The only origin to which the page may lead. */
  readonly documents: string;
}

const WORKBOOK = '/CMO-Historical-Data-Monthly.xlsx';
const SHEET = 'Monthly Prices';
const WORKBOOK_MONTH = /^(\d{4})M(\d\d)$/;

/** The World Bank's page names the workbook of the month, and the workbook has the prices. */
function* plan(_options: FetchOptions, { base, documents }: PinkSheetSettings): FetchPlan<string> {
  const workbook = yield {
    url: `${base}/en/research/commodity-markets`,
    file: 'page.html',
    accept: (body, url) => ({ result: workbookOn(body.toString('utf8'), documents, url), content: null }),
    progress: () => ({ what: 'page', left: 1 }),
  };
  yield {
    url: workbook,
    file: 'monthly.csv',
    accept: async (body, url) => {
      if (isZip(body)) return { result: url, content: goldIn(await sheetRows(body, SHEET, url), url) };
      throw new ImportError(`${url}: the response is no workbook, but says ${visibleText(body.toString('utf8'))}`);
    },
    progress: () => ({ what: 'workbook', left: 0 }),
  };
}

/** The address of the workbook changes with each edition. */
function workbookOn(page: string, documents: string, url: string): string {
  const links = elementsOf(htmlDocument(page), ({ name }) => name === 'a').map(({ attribs }) => attribs.href ?? '');
  const link = links.find((href) => href.endsWith(WORKBOOK));
  if (link === undefined) throw new ImportError(`${url} has no link to the workbook of monthly prices`);
  if (!link.startsWith(`${documents}/`)) {
    throw new ImportError(`${url} links to a workbook elsewhere than on ${documents}: ${link}`);
  }
  return link;
}

/** The monthly prices of gold as a table; months that the workbook marks as missing are left out. */
function goldIn(rows: readonly SheetRow[], url: string): string {
  const names = rows.findIndex((row) => [...row.values()].includes('Gold'));
  const [column = ''] = [...(rows[names] ?? [])].find(([, name]) => name === 'Gold') ?? [];
  const unit = rows[names + 1]?.get(column) ?? '';
  if (!/troy oz/i.test(unit)) throw new ImportError(`${url}: no column of gold in US dollars per troy ounce`);
  const lines = rows.slice(names + 2).flatMap((row) => {
    const [, year, month] = WORKBOOK_MONTH.exec(row.get('A') ?? '') ?? [];
    const price = row.get(column) ?? '';
    return year === undefined || /^[….]*$/.test(price) ? [] : [`${year}-${month},${price}`];
  });
  if (lines.length === 0) throw new ImportError(`${url}: the column of gold has no months`);
  return ['Date,Price', ...lines, ''].join('\n');
}

export const fetchPinkSheet = fetchBy<PinkSheetSettings, string>(
  { base: 'https://www.worldbank.org', documents: 'https://thedocs.worldbank.org' },
  plan,
);

const MONTH = /^\d{4}-\d{2}$/;

/** A month and the average of its daily prices, in US dollars per troy ounce. */
const GOLD: PriceTable = {
  dates: ['Date'],
  code: (column) => (['Price', 'Gold'].includes(column) ? 'Gold' : null),
  period: (text) => (MONTH.test(text) && isPeriod(text) ? text : null),
  example: '2026-06',
  absent: [''],
  fault: (value) => (value > 0 ? null : 'is no price of gold: one is above zero'),
};

/** World Bank: monthly commodity prices of the Pink Sheet; the importer reads gold only. */
export const worldbankPinksheet: Importer = {
  publisher: 'worldbank-pinksheet',
  open: (paths, vintage, onStray) => openPriceFiles(paths, vintage, { tableOf: goldOnly, sameDay: false }, onStray),
  fetch: fetchPinkSheet,
};

/** The table does not name its content, so at least the file's name must agree. */
function goldOnly(path: string): PriceTable {
  if (!/^(gold.*|monthly)\.csv$/i.test(basename(path))) {
    throw new ImportError(`${path}: expected a file named monthly.csv or gold.csv, with the columns Date and Price`);
  }
  return GOLD;
}
