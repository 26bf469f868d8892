import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { fetchReferenceRates } from '../../src/publish/publishers/ecb.js';
import { ImportError } from '../../src/publish/batches/importer.js';
import { marketFixture } from '../support/markets.js';
import { zipOf } from '../support/zip.js';
import { NO_WAITING, publisherThat, quietly, usePriceFiles, UTF_16, type Loopback } from './price-files.js';
import { brief, read, spot } from './reading.js';

const HEADER = 'Date,USD,JPY,BGN,\n';
const HISTORY = `${HEADER}2026-04-13,1.1684,186.75,N/A,\n2026-04-10,1.1711,186.43,N/A,\n`;
const ALL = ['USD  2026-04-13 1.1684', 'JPY  2026-04-13 186.75', 'USD  2026-04-10 1.1711', 'JPY  2026-04-10 186.43'];

describe('The ECB importer', () => {
  const files = usePriceFiles(ecb);

  describe('as a reader', () => {
    it('reads the history, with a comma at the end of each line and N/A for no rate', async () => {
      const [delivery] = await ecb.open([await files.file('eurofxref-hist.csv', HISTORY)], null);
      expect(delivery).toMatchObject({ vintage: '2026-04-13', basis: 'released' });
      const { figures, bad, extents } = await read(delivery);
      expect(figures.map(brief)).toEqual(ALL);
      expect(bad).toEqual([]);
      const span = { region: null, first: '2026-04-10', last: '2026-04-13' };
      expect(extents).toEqual(['USD', 'JPY', 'BGN'].map((indicator) => ({ indicator, ...span })));
    });

    it.each(['deflated', 'stored'] as const)('reads the archive of the history, %s', async (method) => {
      const archive = zipOf({ 'eurofxref-hist.csv': HISTORY }, method);
      const { figures } = await files.read('eurofxref-hist.zip', archive, null);
      expect(figures.map(brief)).toEqual(ALL);
    });

    it('reads the daily file, with blanks after its commas and a day in words', async () => {
      const [delivery] = await ecb.open([marketFixture('ecb-daily')], null);
      expect(delivery).toMatchObject({ vintage: '2026-04-13', basis: 'released' });
      const { figures, extents } = await read(delivery);
      expect(figures.map(brief)).toEqual([
        'USD  2026-04-13 1.1684',
        'JPY  2026-04-13 186.75',
        'HUF  2026-04-13 366.90',
      ]);
      expect(extents.every(({ first, last }) => first === '2026-04-13' && last === '2026-04-13')).toBe(true);
    });

    it('finds columns by their names', async () => {
      const { figures } = await files.read('x.csv', 'JPY,Date,USD,\n186.75,2026-04-13,1.1684,\n', null);
      expect(figures.map(brief)).toEqual(['JPY  2026-04-13 186.75', 'USD  2026-04-13 1.1684']);
    });

    it('accepts a later day as the vintage if the operator names one', async () => {
      const path = await files.file('x.csv', HISTORY);
      expect((await ecb.open([path], '2026-04-13'))[0]).toMatchObject({ basis: 'released' });
      expect((await ecb.open([path], '2026-04-14'))[0]).toMatchObject({ vintage: '2026-04-14', basis: 'retrieved' });
    });
  });

  describe('with a bad row', () => {
    const bad = async (rows: string): Promise<string[]> =>
      (await files.read('x.csv', HEADER + rows, null)).bad.map(spot);

    it.each([
      [
        'a rate below zero',
        '2026-04-13,-1.1684,186.75,N/A,\n',
        '2:USD: "-1.1684" is no exchange rate: one is above zero',
      ],
      ['a rate of zero', '2026-04-13,0,186.75,N/A,\n', '2:USD: "0" is no exchange rate: one is above zero'],
      ['a word', '2026-04-13,1.1684,closed,N/A,\n', '2:JPY: "closed" is not a number'],
      [
        'more digits than a number carries',
        '2026-04-13,1.16840000000000000001,186.75,N/A,\n',
        '2:USD: "1.16840000000000000001" has more digits than a JSON number can carry',
      ],
      [
        'a row with a cell too few',
        '2026-04-13,1.1684,186.75\n2026-04-10,1.1711,186.43,N/A,\n',
        '2:: expected 4 columns and found 3',
      ],
      ['a row with a cell too many', '2026-04-13,1.1684,186.75,N/A,1,\n', '2:: expected 4 columns and found 6'],
      [
        'a day that there is not',
        '2026-02-30,1.1684,186.75,N/A,\n2026-02-27,1.1684,186.75,N/A,\n',
        '2:Date: "2026-02-30" is not a date such as 2026-04-13 or 13 April 2026',
      ],
      [
        'the line in which a cut file ends',
        '2026-04-13,1.1684,186.75,N/A,\n2026-04-10,1.1711,186.4,N/A',
        '3:: the file ends inside this line, so it may be cut; end the line with a line break if it is whole',
      ],
    ])('reports %s', async (_, rows, expected) => {
      expect(await bad(rows)).toEqual([expected]);
    });

    it('reports bytes that are not UTF-8', async () => {
      const row = Buffer.concat([
        Buffer.from(`${HEADER}2026-04-13,1.1684,`),
        Buffer.from([0xe9]),
        Buffer.from(',N/A,\n'),
      ]);
      const said = await files.read('x.csv', row, null);
      expect(said.bad.map(spot)).toEqual(['2:: the line holds bytes that are not text in UTF-8']);
    });
  });

  it('reads an archive whose content ends without a line break, because its checksum says that it is whole', async () => {
    const read = await files.read('x.zip', zipOf({ 'eurofxref-hist.csv': HISTORY.trimEnd() }), null);
    expect(read.bad).toEqual([]);
    expect(read.figures).toEqual((await files.read('x.zip', zipOf({ 'eurofxref-hist.csv': HISTORY }), null)).figures);
  });

  describe('with a bad file', () => {
    const whole = zipOf({ 'eurofxref-hist.csv': HISTORY });

    it.each<readonly [string, string | Uint8Array, string]>([
      ['an empty file', '', 'x is empty'],
      [
        'a page of HTML',
        '<html><body><h1>Page not found</h1></body></html>',
        'x is a page of HTML or XML that says "Page not found"',
      ],
      ['UTF-16', UTF_16(HISTORY), 'x is not text in UTF-8'],
      [
        'a file without the column of dates',
        'Day,USD,\n2026-04-13,1.1684,\n',
        'x has no column "Date" in its first line',
      ],
      ['a column that is no currency', 'Date,USD,Price,\n2026-04-13,1.1684,1,\n', 'x: the column "Price" is not known'],
      ['a column that comes twice', 'Date,USD,USD,\n2026-04-13,1.1684,1.1,\n', 'x has the column "USD" twice'],
      ['a header without rows', HEADER, 'x has no row with a date such as 2026-04-13 or 13 April 2026'],
      ['an archive that is cut', whole.subarray(0, whole.length - 30), 'x is an incomplete ZIP archive'],
      [
        'an archive of two files',
        zipOf({ a: HISTORY, b: HISTORY }),
        'x contains 2 files, expected one: unpack it first',
      ],
    ])('refuses %s', async (_, content, expected) => {
      expect(await files.refusal('x', content, null)).toBe(expected);
    });

    it('refuses an archive with an altered byte', async () => {
      const damaged = Buffer.from(zipOf({ 'eurofxref-hist.csv': HISTORY }, 'stored'));
      damaged[80] = (damaged[80] ?? 0) ^ 1;
      expect(await files.refusal('x.zip', damaged, null)).toBe('x.zip: the archive is damaged');
    });

    it('refuses rates of days after the vintage day', async () => {
      expect(await files.refusal('x.csv', HISTORY, '2026-04-12')).toBe(
        'x.csv:2: 2026-04-13 lies after the vintage day 2026-04-12',
      );
    });

    it('refuses two files that cover the same days', async () => {
      const paths = [await files.file('a.csv', HISTORY), await files.file('b.csv', HISTORY)];
      await expect(ecb.open(paths, null)).rejects.toThrow(/a\.csv and .*b\.csv cover the same days/);
    });
  });

  describe('as a live connector', () => {
    let publisher: Loopback;
    afterEach(() => publisher.close());

    it('fetches the history, or the newest day alone if only today is requested', async () => {
      const archive = zipOf({ 'eurofxref-hist.csv': HISTORY });
      publisher = await publisherThat((_, response) => response.end(archive));
      const settings = { base: publisher.base, waiting: NO_WAITING, today: () => '2026-04-13' };
      const options = quietly(files.folder());
      const paths = await fetchReferenceRates(options, settings);
      expect(paths).toEqual([join(files.folder(), 'eurofxref-hist.zip')]);
      expect(await readFile(paths[0] ?? '')).toEqual(archive);
      await fetchReferenceRates({ ...options, since: '2026-04-10' }, settings);
      await fetchReferenceRates({ ...options, since: '2026-04-13' }, settings);
      expect(publisher.asked).toEqual(['/eurofxref-hist.zip', '/eurofxref-hist.zip', '/eurofxref.zip']);
      const [delivery] = await ecb.open(paths, null);
      expect((await read(delivery)).figures.map(brief)).toEqual(ALL);
    });

    it('refuses an HTML page and quotes it', async () => {
      publisher = await publisherThat((_, response) => response.end('<html>Down for maintenance</html>'));
      const settings = { base: publisher.base, waiting: NO_WAITING };
      const refused = fetchReferenceRates(quietly(files.folder()), settings);
      await expect(refused).rejects.toThrow(ImportError);
      await expect(refused).rejects.toThrow('Down for maintenance');
    });

    it('retries after a 503', async () => {
      let tries = 0;
      publisher = await publisherThat((_, response) => {
        tries += 1;
        if (tries < 3) response.writeHead(503).end();
        else response.end(zipOf({ 'eurofxref-hist.csv': HISTORY }));
      });
      const settings = { base: publisher.base, waiting: NO_WAITING };
      expect(await fetchReferenceRates(quietly(files.folder()), settings)).toHaveLength(1);
      expect(tries).toBe(3);
    });
  });
});
