import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ImportError } from '../../src/publish/batches/importer.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';
import { brief, gather, read, spot } from './reading.js';
import type { Said } from './reading.js';

const fixture = (...parts: readonly string[]): string => join(__dirname, '../fixtures/worldbank', ...parts);

describe('The World Bank importer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'worldbank-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  const readText = async (name: string, content: string | Uint8Array): Promise<Said> =>
    read((await worldbank.open([await file(name, content)], '2026-07-01'))[0]);

  const refusal = async (name: string, content: string | Uint8Array): Promise<string> => {
    const error: unknown = await readText(name, content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ImportError);
    return error instanceof Error ? error.message.replace(`${folder}/`, '') : '';
  };

  describe('with the bulk file', () => {
    it('accepts a byte order mark, quoted names and a comma at the end of each line', async () => {
      const [delivery, ...others] = await worldbank.open([fixture('bulk')], '2026-07-01');
      const { figures, bad, extents } = await read(delivery);
      expect(others).toEqual([]);
      expect(delivery).toMatchObject({ name: fixture('bulk'), vintage: '2026-07-01', basis: 'retrieved' });
      expect(bad).toEqual([]);
      expect(figures).toHaveLength(20);
      expect(figures[5]).toEqual({
        indicator: 'NY.GDP.MKTP.KD.ZG',
        region: 'KOR',
        period: '2021',
        value: '4.61296795454287',
        place: { file: fixture('bulk', 'WDICSV.csv'), line: 3, column: '2021' },
      });
      expect(extents).toHaveLength(4);
      expect(extents[3]).toEqual({ indicator: 'BN.CAB.XOKA.CD', region: 'IND', first: '2021', last: '2025' });
    });

    it('accepts the layout of one indicator, with its own day above the header', async () => {
      const [delivery] = await worldbank.open([fixture('site')], null);
      const { figures, bad } = await read(delivery);
      expect(delivery).toMatchObject({ vintage: '2026-07-01', basis: 'updated' });
      expect(bad).toEqual([]);
      expect(figures.map(brief)).toContain('NY.GDP.MKTP.KD.ZG USA 2025 2.16138195623856');
      expect(figures[0]?.place.line).toBe(6);
    });

    it('reads empty cells and ".." as absence, and columns in any order', async () => {
      const text = 'Indicator Code,2020,Country Code,2019,2021\nSP.POP.TOTL,..,JPN,,1E+3\n';
      const { figures, bad, extents } = await readText('wide.csv', text);
      expect(figures.map(brief)).toEqual(['SP.POP.TOTL JPN 2021 1000']);
      expect(bad).toEqual([]);
      expect(extents).toEqual([{ indicator: 'SP.POP.TOTL', region: 'JPN', first: '2019', last: '2021' }]);
    });

    it('covers only the years that have columns', async () => {
      const { extents } = await readText('wide.csv', 'Country Code,Indicator Code,2010,2019,2020\nJPN,X,1,2,3\n');
      expect(extents.map(({ first, last }) => [first, last])).toEqual([
        ['2010', '2010'],
        ['2019', '2020'],
      ]);
    });
  });

  describe('with files of one indicator', () => {
    it('reads day-named folders as one delivery per day, in order', async () => {
      const deliveries = await worldbank.open([fixture('vintages')], null);
      expect(deliveries.map(({ vintage, basis }) => [vintage, basis])).toEqual([
        ['2025-12-17', 'retrieved'],
        ['2026-04-01', 'retrieved'],
      ]);
      expect(deliveries[0]?.name).toBe(fixture('vintages', '2025-12-17'));
      const { figures, bad, extents } = await read(deliveries[1]);
      expect(bad).toEqual([]);
      expect(figures.map(brief)).toContain('FP.CPI.TOTL.ZG ARG 2024 219.883929014578');
      expect(extents).toEqual([
        { indicator: 'FP.CPI.TOTL.ZG', region: null, first: '2021', last: '2024' },
        { indicator: 'SL.UEM.TOTL.ZS', region: null, first: '2021', last: '2025' },
      ]);
    });

    it('reads from the beginning at each call, and reports the bytes', async () => {
      for (const delivery of await worldbank.open([fixture('vintages', '2026-04-01')], null)) {
        let bytes = 0;
        const first = await gather(delivery.read((count) => (bytes += count)));
        expect(bytes).toBe(delivery.bytes);
        expect(await read(delivery)).toEqual(first);
      }
      expect.assertions(2);
    });
  });

  describe('with responses of the API', () => {
    it('reads several pages, with nulls as absence and aggregates by their short code', async () => {
      const [delivery] = await worldbank.open([fixture('api')], null);
      const { figures, bad, extents } = await read(delivery);
      expect(delivery).toMatchObject({ vintage: '2026-07-01', basis: 'updated' });
      expect(bad).toEqual([]);
      expect(figures.map(brief)).toEqual([
        'FP.CPI.TOTL.ZG USA 2024 2.94952520485207',
        'FP.CPI.TOTL.ZG USA 2023 4.11633838374488',
        'FP.CPI.TOTL.ZG USA 2022 8.00279982052121',
        'FP.CPI.TOTL.ZG 1W 2025 3.0414132155654',
        'FP.CPI.TOTL.ZG 1W 2024 3.01447576977999',
      ]);
      expect(figures[0]?.place).toEqual({
        file: fixture('api', 'FP.CPI.TOTL.ZG.page-0001.json'),
        line: 2,
        column: 'value',
      });
      expect(extents).toContainEqual({ indicator: 'FP.CPI.TOTL.ZG', region: 'USA', first: '2023', last: '2025' });
      expect(extents).toContainEqual({ indicator: 'FP.CPI.TOTL.ZG', region: 'USA', first: '2022', last: '2022' });
    });

    const page = (rows: string, pages = 1): string =>
      `[{"page":1,"pages":${pages},"per_page":50,"total":1,"lastupdated":"2026-07-01"},[${rows}]]`;
    const row = (date: string, value: string): string =>
      `{"indicator":{"id":"SP.POP.TOTL","value":"Population, total"},"country":{"id":"JP","value":"Japan"},` +
      `"countryiso3code":"JPN","date":"${date}","value":${value},"decimal":0}`;

    it('keeps numbers as printed, and reads quarters and months', async () => {
      const rows = [row('2024', '1.50'), row('2024', '1.20E+3'), row('2024Q3', '0.10'), row('2024M7', '"7.0"')];
      const { figures } = await readText('page.json', page(rows.join()));
      expect(figures.map(({ period, value }) => [period, value])).toEqual([
        ['2024', '1.50'],
        ['2024', '1200'],
        ['2024-Q3', '0.10'],
        ['2024-07', '7.0'],
      ]);
    });

    it('reports rows that it cannot read, with their positions', async () => {
      const rows = [row('2O24', '1'), row('2024', '1234567890123456789.5'), row('2023', 'true'), row('2022', '1')];
      const { figures, bad } = await readText('page.json', page(rows.join()));
      expect(figures).toHaveLength(1);
      expect(bad.map(spot).sort()).toEqual([
        '1:date: "2O24" is not a year',
        '2:value: "1234567890123456789.5" has more digits than a JSON number can carry',
        expect.stringMatching(/^3:value: the row is not one of indicator values: /),
      ]);
    });

    it.each([
      ['a missing page', page(row('2024', '1'), 14), 'x: page 2 of 14 of SP.POP.TOTL is missing'],
      [
        'the error message of the API',
        '[{"message":[{"id":"120","key":"Invalid value","value":"The provided parameter value is not valid"}]}]',
        'x: the World Bank responded with an error: Invalid value: The provided parameter value is not valid (120)',
      ],
      [
        'a page of HTML',
        '\ufeff<html><head><style>p {}</style></head><p>Request Error</p>',
        'x is a page of HTML or XML that says "Request Error"',
      ],
      ['a cut body', page(row('2024', '1')).slice(0, -1), 'x is incomplete: its JSON does not end'],
      ['a broken body', page(row('2024', '1..2')), expect.stringMatching(/^x is not JSON in UTF-8: /)],
      [
        'another answer',
        '[{"page":1,"pages":"1","per_page":"50","total":"1"},[{"id":"JPN","name":"Japan"}]]',
        expect.stringContaining('without indicator values'),
      ],
      [
        'an answer without rows',
        '[{"page":0,"pages":0,"per_page":0,"total":0,"lastupdated":null},null]',
        expect.stringContaining('without rows'),
      ],
      ['other JSON', '{"a": 1}', expect.stringContaining("not a response of the World Bank's API")],
      [
        'bytes that are not UTF-8',
        Buffer.from(page(row('2024', '1')).replace('Japan', 'Jap\u00e1n'), 'latin1'),
        expect.stringContaining('UTF-8'),
      ],
    ])('refuses %s', async (_, content, message) => {
      expect(await refusal('x', content)).toEqual(message);
    });
  });

  describe('with a bad CSV', () => {
    const long = (rows: string): string => `Country Name,Country Code,Year,Value\n${rows}`;

    it.each([
      ['a figure that is none', 'Japan,JPN,2024,1.2.3\n', '2:Value: "1.2.3" is not a number'],
      ['a figure with blanks', 'Japan,JPN,2024, 1\n', '2:Value: " 1" is not a number'],
      [
        'too many digits',
        'Japan,JPN,2024,1234567890123456789.5\n',
        '2:Value: "1234567890123456789.5" has more digits than a JSON number can carry',
      ],
      ['a year that is none', 'Japan,JPN,20x4,1\n', '2:Year: "20x4" is not a year'],
      ['a missing code', 'Japan,,2024,1\n', '2:Country Code: "" is not a code'],
      ['a missing column', 'Japan,JPN,2024,1\nJapan,JPN,2023\n', '3:: expected 4 columns and found 3'],
      ['a surplus column', 'Korea, Rep.,KOR,2024,1\n', '2:: expected 4 columns and found 5'],
      [
        'a last line that is cut',
        'Japan,JPN,2024,1\nJapan,JPN,2023,1.',
        '3:: the file ends inside this line, so it may be cut; end the line with a line break if it is whole',
      ],
      ['a NUL', 'Jap\0n,JPN,2024,1\n', '2:: the line holds bytes that are not text in UTF-8'],
    ])('reports %s', async (_, rows, expected) => {
      const { bad } = await readText('SP.POP.TOTL.csv', long(rows));
      expect(bad.map(spot)).toEqual([expected]);
    });

    it('reports bytes that are not UTF-8', async () => {
      const { bad } = await readText('A.csv', Buffer.from(long('Curaçao,CUW,2024,1\n'), 'latin1'));
      expect(bad.map(spot)).toEqual(['2:: the line holds bytes that are not text in UTF-8']);
    });

    it('reports the figure of a bad row, if it can be identified', async () => {
      const { bad } = await readText('SP.POP.TOTL.csv', long('Japan,JPN,2024,n/a\nJapan,JPN\n'));
      expect(bad.map(({ cell }) => cell)).toEqual([
        { indicator: 'SP.POP.TOTL', region: 'JPN', period: '2024' },
        undefined,
      ]);
    });
  });

  it.each([
    ['an empty file', '', 'x.csv is empty'],
    ['a header alone', 'Country Name,Country Code,Year,Value\n', 'x.csv has a header and no rows'],
    ['a missing column', 'Country Name,Country Code,Year\nJapan,JPN,2024\n', 'x.csv lacks the column "Value"'],
    ['a header without codes', 'Country Name,Year,Value\nJapan,2024,1\n', 'x.csv lacks the column "Country Code"'],
    [
      'a column that is no year',
      'Country Code,Indicator Code,199O\nJPN,A,1\n',
      'x.csv: the column "199O" is not a year',
    ],
    ['a year twice', 'Country Code,Indicator Code,1990,1990\nJPN,A,1,2\n', 'x.csv has the column "1990" twice'],
    [
      'an open quotation mark',
      'Country Code,Year,Value\n"JPN,2024,1\n',
      expect.stringMatching(/^x\.csv: Quote Not Closed/),
    ],
    ['a page of HTML', '<!DOCTYPE html><title>Sign in</title>', 'x.csv is a page of HTML or XML that says "Sign in"'],
    ['a ZIP archive', 'PK\u0003\u0004…', 'x.csv is a ZIP archive: unpack it first'],
    ['UTF-16', Buffer.from('\ufeffCountry Code', 'utf16le'), 'x.csv is not text in UTF-8'],
    [
      'another CSV',
      'Date,Price\n2026-06,3300\n',
      expect.stringMatching(/^x\.csv is not a World Bank file: expected a CSV with /),
    ],
  ])('refuses %s instead of a file of figures', async (_, content, message) => {
    expect(await refusal('x.csv', content)).toEqual(message);
  });

  describe('for the vintage day', () => {
    const opened = async (paths: readonly string[], vintage: string | null): Promise<string> => {
      const error: unknown = await worldbank.open(paths, vintage).catch((thrown: unknown) => thrown);
      return error instanceof ImportError ? error.message : '';
    };

    it('uses --vintage if nothing else states it, and asks for it', async () => {
      expect(await opened([fixture('bulk')], null)).toContain('does not say of which day it is: give --vintage');
      expect(await opened([fixture('bulk')], '2026-02-30')).toBe(
        '--vintage "2026-02-30" is not a day such as 2026-07-01',
      );
    });

    it('refuses days that differ', async () => {
      expect(await opened([fixture('api')], '2026-07-02')).toContain(
        'the file says 2026-07-01, but --vintage says 2026-07-02',
      );
      expect(await opened([fixture('vintages', '2026-04-01')], '2026-07-01')).toContain(
        'its folder is named 2026-04-01, but --vintage says 2026-07-01',
      );
    });

    it('uses a folder’s name only if that is a valid day', async () => {
      await file('2026-02-30/A.csv', 'Country Code,Year,Value\nJPN,2024,1\n');
      expect(await opened([folder], null)).toContain('named like a day, but there is no such day');
    });
  });

  it('skips descriptions and hidden files, and names unknown files', async () => {
    await cp(fixture('bulk'), join(folder, 'bulk'), { recursive: true });
    await file('bulk/SOURCE.md', '# About');
    await file('bulk/.hidden', '');
    expect(await worldbank.open([join(folder, 'bulk')], '2026-07-01')).toHaveLength(1);
    const notes = await file('bulk/notes.txt', 'Nothing to import');
    await expect(worldbank.open([join(folder, 'bulk')], '2026-07-01')).rejects.toThrow(
      `${notes} is not a World Bank file`,
    );
    await expect(worldbank.open([join(folder, 'missing')], null)).rejects.toThrow('there is no such file');
  });

  it('joins files of one day into one delivery, each file once', async () => {
    const [first, second] = [fixture('bulk', 'WDICSV.csv'), fixture('api')];
    const deliveries = await worldbank.open([first, second, first], '2026-07-01');
    expect(deliveries.map(({ name }) => name)).toEqual([`${second} and 1 more`]);
    expect((await read(deliveries[0])).figures).toHaveLength(25);
  });
});
