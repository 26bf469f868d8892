import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eia } from '../../src/publish/publishers/eia.js';
import type { FetchOptions } from '../../src/publish/batches/importer.js';
import { fetchSpotPrices } from '../../src/publish/publishers/eia.js';
import { marketFixture } from '../support/markets.js';
import { NO_WAITING, publisherThat, quietly, usePriceFiles, UTF_16, type Loopback } from './price-files.js';
import { brief, read, spot } from './reading.js';

const VINTAGE = '2026-08-22';
const DAILY = 'Date,Price\r\n2026-08-17,92.43\r\n2026-08-18,95.29\r\n';
const CODE = 'ThisIsNobodysAccessCode0001';

describe('The EIA importer', () => {
  const files = usePriceFiles(eia);

  it('identifies the prices and periods of a file by its name', async () => {
    const [delivery, ...others] = await eia.open([marketFixture('eia')], null);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ vintage: VINTAGE, basis: 'retrieved' });
    const { figures, bad, extents } = await read(delivery);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toEqual(
      expect.arrayContaining([
        'PET.RBRTE.D  2026-08-18 95.29',
        'PET.RBRTE.W  2026-W33 92.51',
        'PET.RBRTE.M  2026-07 83.76',
        'NG.RNGWHHD.M  2026-07 2.89',
      ]),
    );
    expect(extents.map(({ indicator, last }) => `${indicator} ${last}`)).toEqual([
      'PET.RBRTE.D 2026-08-18',
      'PET.RBRTE.M 2026-07',
      'PET.RBRTE.W 2026-W33',
      'NG.RNGWHHD.M 2026-07',
    ]);
  });

  it('has the day of its download as the vintage, in the folder of one', async () => {
    const folder = join(files.folder(), 'retrieved-2026-08-22');
    await mkdir(folder);
    await writeFile(join(folder, 'brent-daily.csv'), DAILY);
    const [delivery] = await eia.open([folder], null);
    expect(delivery).toMatchObject({ vintage: '2026-08-22', basis: 'retrieved' });
    const [given] = await eia.open([folder], '2026-08-21');
    expect(given).toMatchObject({ vintage: '2026-08-21' });
  });

  it('accepts the genuine negative price of 20 April 2020', async () => {
    const [delivery] = await eia.open([marketFixture('eia-2020')], null);
    const { figures, bad } = await read(delivery);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toContain('PET.RWTC.D  2020-04-20 -36.98');
  });

  it('reads an empty cell as no figure', async () => {
    const { figures, bad } = await files.read('wti-daily.csv', `${DAILY}2026-08-19,\r\n`, VINTAGE);
    expect([figures.length, bad.length]).toEqual([2, 0]);
  });

  it.each([
    ['brent-daily.csv', '2026-08-17,9529\n', '2:Price: "9529" is no price in US dollars'],
    ['brent-daily.csv', '2026-08-17,"95,29"\n', '2:Price: "95,29" is not a number'],
    [
      'brent-daily.csv',
      '17.08.2026,95.29\n2026-08-18,95.29\n',
      '2:Date: "17.08.2026" is not a date such as 2026-08-18',
    ],
    [
      'brent-weekly.csv',
      '2026-08-13,92.51\n2026-08-14,92.51\n',
      '2:Date: "2026-08-13" is not a date such as 2026-08-14, a Friday',
    ],
    ['brent-daily.csv', '2026-08-17\n2026-08-18,95.29\n', '2:: expected 2 columns and found 1'],
  ])('reports as a bad row in %s: %s', async (name, rows, expected) => {
    const { bad } = await files.read(name, `Date,Price\n${rows}`, VINTAGE);
    expect(bad.map(spot)).toEqual([expected]);
  });

  it('reports the line that the end of the file cuts as a bad row', async () => {
    const { bad } = await files.read('brent-daily.csv', DAILY.slice(0, -4), VINTAGE);
    expect(bad.map(spot)).toEqual([
      '3:: the file ends inside this line, so it may be cut; end the line with a line break if it is whole',
    ]);
  });

  it.each<readonly [string, string, string | Uint8Array, RegExp]>([
    [
      'a name that says nothing',
      'prices.csv',
      DAILY,
      /expected a file named for its figures.*such as brent-daily\.csv/,
    ],
    ['another column', 'brent-daily.csv', 'Date,Close\n2026-08-17,1\n', /the column "Close" is not known/],
    ['HTML', 'brent-daily.csv', '<!doctype html><title>Sign in</title>', /HTML or XML that says "Sign in"/],
    ['UTF-16', 'brent-daily.csv', UTF_16(DAILY), /is not text in UTF-8/],
    ['an archive', 'brent-daily.csv', Buffer.from('PK\u0003\u0004', 'latin1'), /ZIP archive: unpack it first/],
  ])('refuses %s', async (_, name, content, expected) => {
    expect(await files.refusal(name, content, VINTAGE)).toMatch(expected);
  });

  it('asks for the day, which its files do not state', async () => {
    expect(await files.refusal('brent-daily.csv', DAILY, null)).toMatch(/give --vintage YYYY-MM-DD$/);
    expect(await files.refusal('brent-daily.csv', DAILY, '2026-08-17')).toMatch(
      /:3: 2026-08-18 lies after the vintage day 2026-08-17$/,
    );
  });

  describe('as a live connector', () => {
    let publisher: Loopback;
    afterEach(() => publisher.close());

    const rowsOf = (series: string, frequency: string) =>
      (frequency === 'monthly'
        ? ['2026-06', '2026-07']
        : frequency === 'weekly'
          ? ['2026-08-07', '2026-08-14']
          : ['2026-08-17', '2026-08-18']
      ).map((period, at) => ({ period, series, value: `9${at}.50`, units: '$/BBL' }));
    const answering = () =>
      publisherThat((request, response) => {
        const { searchParams } = new URL(request.url ?? '', 'http://localhost');
        const all = rowsOf(searchParams.get('facets[series][]') ?? '', searchParams.get('frequency') ?? '');
        const offset = Number(searchParams.get('offset'));
        const data = all.slice(offset, offset + Number(searchParams.get('length')));
        response.end(JSON.stringify({ response: { total: String(all.length), data } }));
      });
    const fetchFrom = (base: string, options: FetchOptions) =>
      fetchSpotPrices(options, { base, waiting: NO_WAITING, perPage: 1 });

    it('fetches every series page by page, to files that it can read', async () => {
      publisher = await answering();
      const paths = await fetchFrom(publisher.base, {
        ...quietly(files.folder()),
        accessCode: CODE,
        since: '2026-06-01',
      });
      expect(paths).toHaveLength(8);
      expect(publisher.asked).toHaveLength(16);
      expect(publisher.asked[0]).toContain('/petroleum/pri/spt/data/?frequency=daily');
      expect(publisher.asked[0]).toContain('start=2026-06-01');
      const [delivery] = await eia.open(paths, VINTAGE);
      const { figures, bad } = await read(delivery);
      expect(bad).toEqual([]);
      expect(figures.map(brief)).toContain('PET.RWTC.W  2026-W33 91.50');
      expect(figures).toHaveLength(16);
    });

    it('requests nothing without an access code, and says how to set it', async () => {
      publisher = await answering();
      await expect(fetchFrom(publisher.base, quietly(files.folder()))).rejects.toThrow('set EIA_API_KEY');
      expect(publisher.asked).toEqual([]);
    });

    it.each([
      ['refuses it', 403, `{"error":{"message":"the key ${CODE} is not known"}}`],
      ['answers something else', 200, '{"response":{}}'],
      ['answers a page', 200, `<html>No such key: ${CODE}</html>`],
      ['goes down', 500, ''],
    ])('hides the access code when the EIA %s', async (_, status, body) => {
      publisher = await publisherThat((_request, response) => response.writeHead(status).end(body));
      const error: unknown = await fetchFrom(publisher.base, { ...quietly(files.folder()), accessCode: CODE }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(Error);
      const shown = JSON.stringify([String(error), (error as Error).stack, String((error as Error).cause)]);
      expect(shown).not.toContain(CODE);
      expect(await readdir(files.folder())).toEqual([]);
    });

    it('keeps the access code out of its files', async () => {
      publisher = await answering();
      const paths = await fetchFrom(publisher.base, { ...quietly(files.folder()), accessCode: CODE });
      for (const path of paths) expect(await readFile(path, 'utf8')).not.toContain(CODE);
    });
  });
});
