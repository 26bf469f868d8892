// Finds the columns of a World Bank CSV by name, in any order.
import { ImportError } from '../../batches/importer.js';
import { quoted } from '../../batches/text.js';
import { periodOf } from './cells.js';
import type { CsvRecord } from '../../batches/csv-records.js';

export interface WideHeader {
  readonly layout: 'wide';
  readonly width: number;
  readonly region: number;
  readonly indicator: number;
  readonly periods: readonly { readonly column: number; readonly period: string; readonly name: string }[];
}

export interface LongHeader {
  readonly layout: 'long';
  readonly width: number;
  readonly region: number;
  readonly period: number;
  readonly value: number;
}

export type CsvHeader = WideHeader | LongHeader;

/** The lines that the site's downloads put above the header: `Data Source`, `Last Updated Date`. */
export interface Preamble {
  readonly lastUpdated: string | null;
}

const MOST_LINES_ABOVE = 4;
const NAMES = ['Country Name', 'Country Code', 'Indicator Name', 'Indicator Code'];

/** Consumes records up to the header and leaves the iterator at the first row. */
export async function readHeader(
  records: AsyncIterator<CsvRecord>,
  file: string,
): Promise<Preamble & { readonly header: CsvHeader }> {
  let lastUpdated: string | null = null;
  for (let above = 0; above <= MOST_LINES_ABOVE; above++) {
    const next = await records.next();
    if (next.done === true) break;
    const names = next.value.cells.map((cell) => cell.trim());
    const header = headerOf(names, file);
    if (header !== null) return { header, lastUpdated };
    if (names[0] === 'Last Updated Date') lastUpdated = names[1] ?? null;
  }
  throw new ImportError(
    `${file} is not a World Bank file: expected a CSV with the columns "${NAMES.join(', ')}" and years, ` +
      'or "Country Name, Country Code, Year, Value", or a page of the API (version 2, JSON)',
  );
}

function headerOf(names: readonly string[], file: string): CsvHeader | null {
  const at = (name: string): number => names.indexOf(name);
  const [region, indicator, period, value] = [at('Country Code'), at('Indicator Code'), at('Year'), at('Value')];
  if (region < 0) {
    if (at('Country Name') >= 0) throw new ImportError(`${file} lacks the column "Country Code"`);
    return null;
  }
  const width = names.length;
  if (indicator >= 0) return { layout: 'wide', width, region, indicator, periods: periodColumns(names, file) };
  if (period >= 0 && value >= 0) return { layout: 'long', width, region, period, value };
  const missing = period >= 0 ? 'Value' : value >= 0 ? 'Year' : 'Indicator Code';
  throw new ImportError(`${file} lacks the column "${missing}"`);
}

function periodColumns(names: readonly string[], file: string): WideHeader['periods'] {
  const seen = new Set<string>();
  return names.flatMap((name, column) => {
    // Lines of the bulk file end with a comma, so their last column has no name.
    if (NAMES.includes(name) || (name === '' && column === names.length - 1)) return [];
    const period = periodOf(name);
    if (period === null) throw new ImportError(`${file}: the column ${quoted(name)} is not a year`);
    if (seen.has(period)) throw new ImportError(`${file} has the column "${name}" twice`);
    seen.add(period);
    return [{ column, period, name }];
  });
}
