import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

// Office Open XML (ECMA-376) of one sheet of plain cells: five parts in a ZIP archive.

export type TableCell = string | number | boolean | null;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OPEN_XML = 'http://schemas.openxmlformats.org';
const SHEETS = `${OPEN_XML}/spreadsheetml/2006/main`;
const RELATIONS = `${OPEN_XML}/officeDocument/2006/relationships`;
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const relations = (type: string, target: string): string =>
  `${HEAD}<Relationships xmlns="${OPEN_XML}/package/2006/relationships"><Relationship Id="rId1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`;

/** The parts that are the same in every workbook, by their path in the archive. */
const PARTS = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${OPEN_XML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${SHEETS}" xmlns:r="${RELATIONS}"><sheets><sheet name="Tidemark" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
};

/** A spreadsheet keeps this many significant digits of a number. */
const MOST_DIGITS = 15;
/** Characters that XML 1.0 cannot contain, not even escaped. */
const NOT_XML = /[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}/gu;

/** A workbook of one sheet. A number with more digits than a spreadsheet keeps is a text, so that it loses none. */
export function workbookOf(rows: readonly (readonly TableCell[])[]): Promise<Buffer> {
  const lines = rows.map((row, index) => {
    const cells = row.map((cell, column) => cellOf(cell, `${letter(column)}${index + 1}`));
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  const sheet = `${HEAD}<worksheet xmlns="${SHEETS}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  return archiveOf({ ...PARTS, 'xl/worksheets/sheet1.xml': sheet });
}

function cellOf(cell: TableCell, place: string): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'number' && digitsOf(cell) <= MOST_DIGITS) return `<c r="${place}"><v>${cell}</v></c>`;
  const text = String(cell)
    .replaceAll(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

const digitsOf = (value: number): number => value.toExponential().replace(/e.*$/, '').replaceAll(/[-.]/g, '').length;

/** A table has fewer columns than the alphabet letters. */
const letter = (column: number): string => String.fromCharCode(65 + column);

/** A ZIP archive (APPNOTE 6.3) with the same bytes for the same parts: none has a time. */
async function archiveOf(parts: Readonly<Record<string, string>>): Promise<Buffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const plain = Buffer.from(text);
    const packed = await promisify(deflateRaw)(plain);
    // Version 2.0, no flags, deflated; 1 January 1980, the first day that the format has.
    const common = Buffer.from('14000000080000002100', 'hex');
    const sizes = numbers([crc32(plain), packed.length, plain.length, name.length]);
    const file = [Buffer.from('PK\u0003\u0004', 'latin1'), common, sizes, Buffer.from(name), packed];
    const rest = Buffer.concat([Buffer.alloc(10), numbers([offset])]);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, sizes, rest, Buffer.from(name));
    files.push(...file);
    offset += file.reduce((sum, { length }) => sum + length, 0);
  }
  const listed = Buffer.concat(directory);
  const count = Object.keys(parts).length;
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

/** Unsigned, of 32 bits, least significant byte first. */
function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}
