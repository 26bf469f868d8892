// Reads one sheet of a workbook (Office Open XML, .xlsx): the values of its cells, without formulas and formats.
import { ImportError } from './importer.js';
import { elementsOf, textOf, xmlDocument, type MarkupElement } from './markup.js';
import { textInArchive } from './unzip.js';

/** Far above any sheet of a publisher; a larger one is damage or an attack. */
const MOST_SHEET_BYTES = 64_000_000;

/** Values by column letters, such as `BT`. Numbers are written as JavaScript writes them. */
export type SheetRow = ReadonlyMap<string, string>;

/** @throws ImportError if the archive is no workbook, or has no sheet of that name */
export async function sheetRows(archive: Buffer, sheet: string, file: string): Promise<SheetRow[]> {
  const part = async (name: string): Promise<MarkupElement[] | null> => {
    const text = await textInArchive(archive, `xl/${name}`, MOST_SHEET_BYTES, file);
    return text === null ? null : elementsOf(xmlDocument(text), () => true);
  };
  const workbook = (await part('workbook.xml')) ?? [];
  const id = workbook.find(({ name, attribs }) => name === 'sheet' && attribs.name === sheet)?.attribs['r:id'];
  const links = (await part('_rels/workbook.xml.rels')) ?? [];
  const target = links.find(({ attribs }) => id !== undefined && attribs.Id === id)?.attribs.Target;
  const cells = target === undefined ? null : await part(target.replace(/^\/xl\//, ''));
  if (cells === null) throw new ImportError(`${file} is no workbook with a sheet "${sheet}"`);
  const shared = ((await part('sharedStrings.xml')) ?? []).filter(({ name }) => name === 'si').map(textOf);
  return cells.filter(({ name }) => name === 'row').map((row) => valuesOf(row, shared));
}

function valuesOf(row: MarkupElement, shared: readonly string[]): SheetRow {
  const values = new Map<string, string>();
  for (const cell of elementsOf(row, ({ name }) => name === 'c')) {
    const column = /^[A-Z]+/.exec(cell.attribs.r ?? '')?.[0];
    const value = valueOf(cell, shared);
    if (column !== undefined && value !== '') values.set(column, value);
  }
  return values;
}

function valueOf(cell: MarkupElement, shared: readonly string[]): string {
  const [stored] = elementsOf(cell, ({ name }) => name === 'v' || name === 'is');
  const text = stored === undefined ? '' : textOf(stored);
  if (cell.attribs.t === 's') return shared[Number(text)] ?? '';
  // A number is stored as the nearest double, as 35.270000000000003.
  const isNumber = text !== '' && (cell.attribs.t ?? 'n') === 'n' && Number.isFinite(Number(text));
  return isNumber ? String(Number(text)) : text;
}
