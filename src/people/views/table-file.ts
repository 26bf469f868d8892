import type { Locale } from '../../domain/locale/locale.js';
import type { Result } from '../../serve/responses/result.js';
import { SerializedResponse } from '../../serve/http/response/serialized-response.js';
import { workbookOf, type TableCell } from './workbook.js';

/** The table of a page as a file. The last cell of a row is the id of its source. */
export interface FileTable {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** What each row says of its source, so that a row that is copied keeps it. */
const OF_SOURCE = ['source', 'attribution', 'licence', 'licence_url', 'retrieved_on', 'data_version'];

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export type FileFormat = keyof typeof TYPES;

export const isFileFormat = (format: unknown): format is FileFormat => format === 'csv' || format === 'xlsx';

/** The file, with attribution, licence and age in each row. */
export async function fileResponse(
  { name, columns, rows }: FileTable,
  format: FileFormat,
  results: readonly Result<unknown>[],
  locale: Locale,
  headers: Readonly<Record<string, string>>,
): Promise<SerializedResponse> {
  const sources = new Map(results.flatMap((result) => result.sources).map((one) => [one.id, one]));
  const version = Math.max(0, ...results.map(({ dataVersion }) => dataVersion));
  // A table of one source credits those as well whose figures it republishes.
  const isOfOne = new Set(rows.map((row) => row.at(-1))).size === 1;
  const complete = rows.map((row) => {
    const source = sources.get(String(row.at(-1)));
    const { licence, retrievedAt = null } = source ?? {};
    const credited = isOfOne ? [...sources.values()] : source === undefined ? [] : [source];
    const attribution = credited.map((one) => one.attribution).join(' ');
    const rights = [source?.name ?? '', attribution, licence?.name ?? '', licence?.url ?? ''];
    return [...row.slice(0, -1), ...rights, retrievedAt, version];
  });
  const all = [[...columns, ...OF_SOURCE], ...complete];
  const bytes = format === 'csv' ? Buffer.from(csvOf(all)) : await workbookOf(all);
  return new SerializedResponse(
    200,
    {
      ...headers,
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${format}"`,
      'x-robots-tag': 'noindex',
    },
    locale,
    bytes,
  );
}

/** As RFC 4180 has it. */
const csvOf = (rows: readonly (readonly TableCell[])[]): string =>
  [...rows.map((row) => row.map(cellOf).join(',')), ''].join('\r\n');

/** A spreadsheet would run a text that begins like a formula. */
function cellOf(cell: TableCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
