import { basename } from 'node:path';
import { fetchParYields } from '../../src/publish/publishers/us-treasury.js';
import { usTreasury } from '../../src/publish/publishers/us-treasury.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { marketFixture } from '../support/markets.js';
import { NO_WAITING, publisherThat, quietly, usePriceFiles, UTF_16, type Loopback } from './price-files.js';
import { NOW, usePublishing } from './publishing.js';
import { brief, read, spot } from './reading.js';

const YEAR = 'Date,1 Mo,1.5 Mo,10 Yr\n2025-07-11,4.37,4.39,4.43\n2025-01-02,4.45,,4.57\n';

describe('The Treasury importer', () => {
  const files = usePriceFiles(usTreasury);

  it('reads a folder of years as one delivery, of the newest printed day', async () => {
    const deliveries = await usTreasury.open([marketFixture('us-treasury')], null);
    expect(deliveries.map(({ vintage, basis }) => [vintage, basis])).toEqual([['2025-02-21', 'released']]);
  });

  it('reads columns that differ by year, and covers each only in its years', async () => {
    const [delivery] = await usTreasury.open([marketFixture('us-treasury')], null);
    const { figures, bad, extents } = await read(delivery);
    expect(bad).toEqual([]);
    expect(figures.map(brief)).toContain('1.5 Mo  2025-02-21 4.39');
    expect(extents.filter(({ indicator }) => indicator === '1.5 Mo')).toEqual([
      { indicator: '1.5 Mo', region: null, first: '2025-01-01', last: '2025-02-21' },
    ]);
    expect(extents.filter(({ indicator }) => indicator === '10 Yr')).toEqual([
      { indicator: '10 Yr', region: null, first: '2024-01-01', last: '2024-12-31' },
      { indicator: '10 Yr', region: null, first: '2025-01-01', last: '2025-02-21' },
    ]);
  });

  it('reads the site’s own format: American dates, quoted names, Month for Mo', async () => {
    const text = 'Date,"1 Mo","1.5 Month","10 Yr"\n07/11/2025,4.37,4.39,4.43\n';
    const { figures } = await files.read('2025.csv', text, null);
    expect(figures.map(brief)).toEqual(['1 Mo  2025-07-11 4.37', '1.5 Mo  2025-07-11 4.39', '10 Yr  2025-07-11 4.43']);
  });

  it('accepts yields of zero and below, and none without its decimal point', async () => {
    const rows = 'Date,1 Mo,10 Yr\n2020-03-26,-0.04,0.83\n2020-03-25,0,443\n';
    const { figures, bad } = await files.read('2020.csv', rows, null);
    expect(figures.map(brief)).toEqual(['1 Mo  2020-03-26 -0.04', '10 Yr  2020-03-26 0.83', '1 Mo  2020-03-25 0']);
    expect(bad.map(spot)).toEqual(['3:10 Yr: "443" is no yield in percent']);
  });

  it.each<readonly [string, string | Uint8Array, RegExp]>([
    ['a column that is no maturity', 'Date,1 Mo,Spread\n2025-07-11,4.37,1\n', /the column "Spread" is not known/],
    ['a column under two names', 'Date,1.5 Mo,1.5 Month\n2025-07-11,4.37,1\n', /has the column "1.5 Month" twice/],
    ['HTML', '<html><p>Access denied</p></html>', /HTML or XML that says "Access denied"/],
    ['UTF-16', UTF_16(YEAR), /is not text in UTF-8/],
  ])('refuses %s', async (_, content, expected) => {
    expect(await files.refusal('2025.csv', content, null)).toMatch(expected);
  });

  it('lists a shifted row, and a row that the end of the file cuts', async () => {
    const { bad } = await files.read('2025.csv', `${YEAR}2025-01-01,4.4,4.6\n2025-01-03,4.4`, null);
    expect(bad.map(({ place }) => place.line)).toEqual([4, 5]);
  });

  describe('as a live connector', () => {
    let publisher: Loopback;
    afterEach(() => publisher.close());

    it('refuses an empty response for a year that has ended', async () => {
      publisher = await publisherThat((_, response) => response.end('\n'));
      const settings = { base: publisher.base, waiting: NO_WAITING, thisYear: () => 2026 };
      const fetched = fetchParYields({ ...quietly(files.folder()), since: '2025-05-01' }, settings);
      await expect(fetched).rejects.toThrow('/2025/all');
      await expect(fetched).rejects.toThrow('the response is empty');
    });

    it('fetches one file per year from the given one on, and none for a year without days yet', async () => {
      publisher = await publisherThat((request, response) => {
        const year = /\/(\d{4})\/all/.exec(request.url ?? '')?.[1] ?? '';
        response.end(year === '2026' ? '' : `Date,"10 Yr"\n12/31/${year},4.58`);
      });
      const settings = { base: publisher.base, waiting: NO_WAITING, thisYear: () => 2026 };
      const paths = await fetchParYields({ ...quietly(files.folder()), since: '2024-05-01' }, settings);
      expect(paths.map((path) => basename(path))).toEqual([
        '2024-daily-treasury-rates.csv',
        '2025-daily-treasury-rates.csv',
      ]);
      expect(publisher.asked).toHaveLength(3);
      const [delivery] = await usTreasury.open(paths, null);
      expect((await read(delivery)).figures.map(brief)).toEqual(['10 Yr  2024-12-31 4.58', '10 Yr  2025-12-31 4.58']);
    });

    it('refuses an HTML page', async () => {
      publisher = await publisherThat((_, response) => response.end('<html>Request rejected</html>'));
      const settings = { base: publisher.base, waiting: NO_WAITING, thisYear: () => 2026 };
      await expect(fetchParYields({ ...quietly(files.folder()), since: '2026-01-01' }, settings)).rejects.toThrow(
        'Request rejected',
      );
    });
  });
});

describe('Par yields in the database', () => {
  const publishing = usePublishing();
  const files = usePriceFiles(usTreasury);

  const run = async (name: string, text: string, settings = {}) => {
    const deliveries = await usTreasury.open([await files.file(name, text)], null);
    return importFiles(publishing.publisher(), usTreasury, deliveries, {
      accept: 'a test',
      now: () => NOW,
      ...settings,
    });
  };

  it('include nothing of a file with a duplicate day', async () => {
    await expect(run('2025.csv', `${YEAR}2025-01-02,4.46,,4.58\n`)).rejects.toThrow(/2 bad rows/);
    expect(await publishing.revisions()).toBe(0);
  });

  it('omit a duplicate day with --skip-bad-rows, which lists both positions', async () => {
    const [report] = await run('2025.csv', `${YEAR}2025-01-02,4.46,,4.57\n`, { skipBadRows: true });
    expect(report?.leftOut.map(({ reason }) => reason.replace(/ in .*\//, ' in '))).toEqual([
      'us-par-yield-1m 2025-01-02 is given twice: 4.46 here, 4.45 in 2025.csv:3, 1 Mo',
      'us-par-yield-10y 2025-01-02 is given twice: 4.57 here, 4.57 in 2025.csv:3, 10 Yr',
    ]);
  });

  it('keep the figures of a maturity that a year does not print', async () => {
    await run('2025.csv', YEAR);
    await run('2026.csv', 'Date,1 Mo,10 Yr\n2026-01-02,3.7,4.1\n');
    const held = await publishing.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM observations WHERE valid_to IS NOT NULL`,
    );
    expect(held).toEqual([{ count: 0 }]);
  });

  it('exclude and report a maturity that the catalogue does not know', async () => {
    const [report] = await run('2025.csv', 'Date,10 Yr,50 Yr\n2025-07-11,4.43,4.9\n');
    expect(report?.unnamed).toEqual([
      { kind: 'instrument', code: '50 Yr', rows: 1, file: 'data/catalogue/instruments.json' },
    ]);
  });
});
