import { Readable } from 'node:stream';
import type { Batch } from '../../src/publish/batches/importer.js';
import { mappingEntry } from '../../src/publish/catalogue/catalogue.schema.js';
import { readMapped, requireColumns } from '../../src/publish/publishers/mapped/mapped-rows.js';

/** Indicators of the World Bank are annual; instruments of the ECB are daily. */
const ROWS = mappingEntry.parse({
  publisher: 'worldbank',
  period: 'Year',
  region: { column: 'Country' },
  note: 'Source',
  figure: { code: 'Measure', value: 'Amount' },
});
const COLUMNS = mappingEntry.parse({
  publisher: 'ecb',
  delimiter: ';',
  decimalMark: ',',
  period: 'Day',
  columns: { Dollar: 'USD', Yen: 'JPY' },
  missing: ['', '-'],
});

const chunks = (text: string) => Readable.from([Buffer.from(text)]);

async function read(text: string, mapping = ROWS) {
  const rows = { figures: [], bad: [], extents: [], notes: [] } as Record<string, object[]>;
  for await (const batch of readMapped(chunks(text), 'own.csv', mapping) as AsyncIterable<Batch>) {
    rows[batch.kind]?.push(...batch.rows);
  }
  return rows;
}

const HEAD = 'Year,Country,Measure,Amount,Source\n';
const GDP = 'NY.GDP.MKTP.CD';

describe('A mapped CSV', () => {
  it('gives one figure a row, in the codes of its provider', async () => {
    const { figures, extents } = await read(`${HEAD}2024,DE,${GDP},4.5e12,\n2025,DE,${GDP},4700,\n`);
    const cell = { indicator: GDP, region: 'DE' };
    expect(figures).toEqual([
      { ...cell, period: '2024', value: '4500000000000', place: place(2, 'Amount') },
      { ...cell, period: '2025', value: '4700', place: place(3, 'Amount') },
    ]);
    expect(extents).toEqual([{ ...cell, first: '2024', last: '2025' }]);
  });

  it('gives one figure a column, with a decimal comma, and none for a missing one', async () => {
    const { figures, extents } = await read('Day;Dollar;Yen\n2026-08-04;1,0803;-\n', COLUMNS);
    const cell = { region: null, period: '2026-08-04' };
    expect(figures).toEqual([{ ...cell, indicator: 'USD', value: '1.0803', place: place(2, 'Dollar') }]);
    expect(extents).toHaveLength(2);
  });

  it('passes on what a row says of its origin, once a series', async () => {
    const row = (year: number) => `${year},DE,${GDP},1,"Bank for International Settlements, Basel"\n`;
    expect((await read(HEAD + row(2024) + row(2025))).notes).toEqual([
      { indicator: GDP, region: 'DE', note: 'Bank for International Settlements, Basel' },
    ]);
  });

  it.each([
    ['a quarter of an annual series', `2025-Q1,DE,${GDP},1,\n`, 'Year', 'whose frequency is A'],
    ['no period', `last year,DE,${GDP},1,\n`, 'Year', 'is no period such as 2025'],
    ['no region', `2025,,${GDP},1,\n`, 'Country', 'names no region'],
    ['no number', `2025,DE,${GDP},many,\n`, 'Amount', 'is not a number'],
    ['thousands separators', `2025,DE,${GDP},"1,000",\n`, 'Amount', 'is not a number'],
    ['more digits than JSON', `2025,DE,${GDP},1234567890123456789.1,\n`, 'Amount', 'more digits'],
    ['a column too few', `2025,DE,${GDP}\n`, '', 'expected 5 columns and found 3'],
    ['a cut line', `2025,DE,${GDP},1,`, '', 'the file ends inside this line'],
    ['bytes of another encoding', `2025,D\uFFFD,${GDP},1,\n`, '', 'bytes that are not text'],
  ])('refuses %s, with file, line, column and reason', async (_what, row, column, reason) => {
    const { bad, figures } = await read(HEAD + row);
    expect(figures).toEqual([]);
    expect(bad).toMatchObject([{ place: place(2, column), reason: expect.stringContaining(reason) as string }]);
  });

  it('refuses a decimal point where the mark is a comma', async () => {
    const { bad } = await read('Day;Dollar;Yen\n2026-08-04;1.08;2\n', COLUMNS);
    expect(bad).toMatchObject([{ place: place(2, 'Dollar'), reason: expect.stringContaining('comma') as string }]);
  });

  it.each([
    ['lacks a column', 'Year,Country,Measure,Source\n', 'lacks the column "Amount"'],
    ['has a column twice', 'Year,Year,Country,Measure,Amount,Source\n', 'has the column "Year" twice'],
    ['is empty', '', 'own.csv is empty'],
  ])('refuses a file that %s', async (_what, text, reason) => {
    await expect(requireColumns(chunks(text), 'own.csv', ROWS)).rejects.toThrow(reason);
  });
});

function place(line: number, column: string) {
  return { file: 'own.csv', line, column };
}
