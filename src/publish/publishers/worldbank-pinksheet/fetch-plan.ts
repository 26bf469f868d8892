// Requests the Pink Sheet: the World Bank's page names the workbook of the month, and the workbook has the prices.
import { ImportError, type FetchOptions } from '../../batches/importer.js';
import { fetchBy, type FetchPlan, type FetchSettings } from '../../downloads/fetch-plan.js';
import { elementsOf, htmlDocument } from '../../batches/markup.js';
import { sheetRows, type SheetRow } from '../../batches/spreadsheet.js';
import { visibleText } from '../../batches/text.js';
import { isZip } from '../../batches/unzip.js';

export interface PinkSheetSettings extends FetchSettings {
  /** The only origin to which the page may lead. */
  readonly documents: string;
}

const WORKBOOK = '/CMO-Historical-Data-Monthly.xlsx';
const SHEET = 'Monthly Prices';
const MONTH = /^(\d{4})M(\d\d)$/;

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
      throw new ImportError(
        `${url}: the response is no workbook, but says ${visibleText(body.toString('utf8'))}`,
      );
    },
    progress: () => ({ what: 'workbook', left: 0 }),
  };
}

/** The address of the workbook changes with each edition. */
function workbookOn(page: string, documents: string, url: string): string {
  const links = elementsOf(htmlDocument(page), ({ name }) => name === 'a').map(
    ({ attribs }) => attribs.href ?? '',
  );
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
    const [, year, month] = MONTH.exec(row.get('A') ?? '') ?? [];
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
