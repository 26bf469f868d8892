import { sheetRows } from '../../src/publish/batches/spreadsheet.js';
import { textInArchive } from '../../src/publish/batches/unzip.js';
import { workbookOf } from '../../src/people/views/workbook.js';

const read = async (rows: Parameters<typeof workbookOf>[0]) =>
  (await sheetRows(await workbookOf(rows), 'Tidemark', 'test.xlsx')).map((row) => Object.fromEntries(row));

describe('A workbook', () => {
  it('has the cells of its rows in their columns, and leaves empty ones out', async () => {
    const rows = [
      ['region', 'value', 'missing'],
      ['JP', -1.25, null],
      ['US', null, true],
    ];
    expect(await read(rows)).toEqual([
      { A: 'region', B: 'value', C: 'missing' },
      { A: 'JP', B: '-1.25' },
      { A: 'US', C: '1' },
    ]);
  });

  it('keeps each character of a text, and takes out those that XML cannot contain', async () => {
    const texts = ['<b> & "c" ]]>', '“two spaces”', '物価\u0000指数', '=1+1', '‘a’'];
    expect(await read([texts])).toEqual([{ A: texts[0], B: texts[1], C: '物価指数', D: '=1+1', E: texts[4] }]);
  });

  it('writes a number as a number up to the digits that a spreadsheet keeps, and as a text beyond', async () => {
    const sheet = await workbookOf([[123456789.012345, 2.1650635094610964, 1.5e-39, 0, 1_000_000_000_000_000_000]]);
    const rows = await sheetRows(sheet, 'Tidemark', 'test.xlsx');
    expect([...(rows[0]?.values() ?? [])]).toEqual([
      '123456789.012345',
      '2.1650635094610964',
      '1.5e-39',
      '0',
      '1000000000000000000',
    ]);
    const xml = (await textInArchive(sheet, 'xl/worksheets/sheet1.xml', 1e6, 'test.xlsx')) ?? '';
    expect([...xml.matchAll(/r="([A-E]1)" t="inlineStr"/g)].map(([, place]) => place)).toEqual(['B1']);
  });

  it('has the same bytes for the same rows', async () => {
    expect(await workbookOf([['a', 1]])).toEqual(await workbookOf([['a', 1]]));
  });
});
