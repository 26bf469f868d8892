// runs: in full only
import { readFileSync } from 'node:fs';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { ImportReport } from '../../src/publish/publication/import-report.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { eia } from '../../src/publish/publishers/eia.js';
import { frbH15 } from '../../src/publish/publishers/frb-h15.js';
import type { Importer } from '../../src/publish/batches/importer.js';
import { usTreasury } from '../../src/publish/publishers/us-treasury.js';
import { worldbankPinksheet } from '../../src/publish/publishers/worldbank-pinksheet.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';
import { oneRow, openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const NOW = new Date('2026-11-01T00:00:00Z');
const FILES: readonly (readonly [Importer, string, string | null])[] = [
  [ecb, 'ecb-eurofxref/eurofxref-hist.zip', null],
  [usTreasury, 'us-treasury-par-yields', null],
  [worldbankPinksheet, 'worldbank-gold', '2026-07-07'],
  [frbH15, 'fed-us-10y-monthly', '2026-08-01'],
  [eia, 'eia-energy', '2026-08-22'],
];

describeWithAllSharedData("The publishers' own market files", () => {
  let scratch: ScratchDatabase;
  let reports: ImportReport[];

  const run = async ([importer, path, vintage]: (typeof FILES)[number]): Promise<ImportReport[]> => {
    const deliveries = await importer.open([sharedData(path)], vintage);
    return importFiles(scratch.publisher, importer, deliveries, { accept: 'a test', now: () => NOW });
  };
  const held = (instrument: string): Promise<{ count: number; first: string; last: string }> =>
    oneRow(
      scratch.sql(
        `SELECT count(*)::int AS count, min(period) AS first, max(period) AS last
         FROM observations JOIN series s ON s.id = series_id WHERE s.instrument = $1`,
        [instrument],
      ),
    );

  beforeAll(async () => {
    scratch = await openScratchDatabase();
    reports = [];
    for (const files of FILES) reports.push(...(await run(files)));
  });
  afterAll(() => scratch.close());

  it('form one delivery each, of the newest printed day or the given one', () => {
    expect(reports.map(({ vintage, outcome, unnamed }) => [vintage, outcome, unnamed])).toEqual([
      ['2026-04-13', 'published', []],
      ['2025-07-11', 'published', []],
      ['2026-07-07', 'published', []],
      ['2026-08-01', 'published', []],
      ['2026-08-22', 'published', []],
    ]);
  });

  it('contain a series for each of the 41 currencies, up to 2026 or the currency’s end', async () => {
    const rows = await scratch.sql<{ instrument: string; last: string; discontinued: boolean }>(
      `SELECT n.key AS instrument, max(o.period) AS last, n.discontinued
       FROM instruments n JOIN series s ON s.instrument = n.key JOIN observations o ON o.series_id = s.id
       WHERE n.kind = 'fx' GROUP BY n.key, n.discontinued`,
    );
    expect(rows).toHaveLength(41);
    const odd = rows.filter(({ last, discontinued }) => discontinued === (last === '2026-04-13'));
    expect(odd).toEqual([]);
  });

  it.each([
    ['eurusd', 'ecb-eurofxref/eurofxref-hist-2015.csv', 'USD', '2015-01-01'],
    ['brent', 'eia-energy/brent-daily.csv', 'Price', ''],
    ['wti', 'eia-energy/wti-daily.csv', 'Price', ''],
    ['henry-hub', 'eia-energy/henry-hub-daily.csv', 'Price', ''],
    ['gold-monthly-average', 'worldbank-gold/monthly.csv', 'Price', ''],
  ])('contain every price of %s as printed', async (instrument, file, column, from) => {
    const [header = '', ...lines] = readFileSync(sharedData(file), 'utf8').trim().split(/\r?\n/);
    const at = header.split(',').indexOf(column);
    const printed = lines
      .map((line) => [line.split(',')[0] ?? '', line.split(',')[at] ?? ''] as const)
      .filter(([, value]) => value !== '' && value !== 'N/A')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const stored = await scratch.sql<{ period: string; value: string }>(
      `SELECT period, value::text FROM observations JOIN series s ON s.id = series_id
       WHERE s.instrument = $1 AND period >= $2 ORDER BY period`,
      [instrument, from],
    );
    expect(stored.map(({ period, value }) => [period, Number(value)])).toEqual(
      printed.map(([period, value]) => [period, Number(value)]),
    );
  });

  it('contain the negative price of 20 April 2020', async () => {
    const row = await oneRow(
      scratch.sql<{ value: string }>(
        `SELECT value::text FROM observations JOIN series s ON s.id = series_id
         WHERE s.instrument = 'wti' AND period = '2020-04-20'`,
      ),
    );
    expect(row.value).toBe('-36.98');
  });

  it('contain yields from the first day of each maturity', async () => {
    expect(await held('us-par-yield-10y')).toEqual({ count: 1131, first: '2021-01-04', last: '2025-07-11' });
    expect((await held('us-par-yield-4m')).first).toBe('2022-10-19');
    expect((await held('us-par-yield-1-5m')).first).toBe('2025-02-18');
  });

  it('date averages by their weeks and months', async () => {
    expect(await held('brent-weekly-average')).toMatchObject({ first: '1987-W20', last: '2026-W33' });
    expect(await held('henry-hub-monthly-average')).toMatchObject({ first: '1997-01', last: '2026-07' });
  });

  it('change nothing on a second import', async () => {
    for (const files of FILES) {
      expect((await run(files)).map(({ outcome }) => outcome)).toEqual(['unchanged']);
    }
  });

  it('derive moves of the last three years only, and none of currencies that ended before', async () => {
    const rows = await scratch.sql<{ instrument: string; count: number; first: string }>(
      `SELECT s.instrument, count(*)::int AS count, min(c.period) AS first
       FROM changes c JOIN series s ON s.id = c.series_id WHERE c.kind = 'move' GROUP BY 1 ORDER BY 1`,
    );
    const first = (prefix: string): string =>
      rows
        .filter(({ instrument }) => instrument.startsWith(prefix))
        .reduce((held, row) => (row.first < held ? row.first : held), '9');
    expect(first('eur') > '2023-04-14').toBe(true);
    expect(first('us-par') > '2022-07-12').toBe(true);
    expect(rows.map(({ instrument }) => instrument)).toEqual(expect.arrayContaining(['eurusd', 'brent', 'wti']));
    expect(rows.filter(({ instrument }) => /^eur(rub|hrk|sit|bgn)$/.test(instrument))).toEqual([]);
  });

  it('derive neither releases nor revisions, because daily prices are no news', async () => {
    const kinds = await scratch.sql<{ kind: string }>('SELECT DISTINCT kind FROM changes');
    expect(kinds).toEqual([{ kind: 'move' }]);
  });
});
