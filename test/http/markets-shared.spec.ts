// runs: in full only
import { importFiles } from '../../src/publish/import/import-files.js';
import { ecb } from '../../src/publish/publishers/ecb.js';
import { eia } from '../../src/publish/publishers/eia.js';
import { closesOf, dailyPrices, isoWeekOf, monthOf } from '../support/closes.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { describeWithAllSharedData, sharedData } from '../support/shared-data.js';

interface Bars {
  readonly key: string;
  readonly bars: readonly { period: string; close: { period: string; value: number } }[];
}

const ECB = sharedData('ecb-eurofxref', 'eurofxref-hist-2015.csv');
const BRENT = sharedData('eia-energy', 'brent-daily.csv');

describeWithAllSharedData("Bars of the publishers' own daily files", () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    const publisher = await database.open('import');
    const now = () => new Date();
    await importFiles(publisher, ecb, await ecb.open([ECB], null), { accept: 'a test', now });
    await importFiles(publisher, eia, await eia.open([BRENT], '2026-08-22'), { accept: 'a test', now });
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each([
    ['fx', 'eurusd', 'W1', ECB, 'USD', isoWeekOf],
    ['fx', 'eurusd', 'MN', ECB, 'USD', monthOf],
    ['commodity', 'brent', 'W1', BRENT, 'Price', isoWeekOf],
    ['commodity', 'brent', 'MN', BRENT, 'Price', monthOf],
  ])(
    'close %s %s in %s where an independent computation from the file does',
    async (kind, key, tf, file, column, periodOf) => {
      const { body } = await service.get<Bars[]>(`/api/v1/markets/kind/${kind}?tf=${tf}&bars=260`);
      const bars = body.data.find((item) => item.key === key)?.bars ?? [];
      const expected = closesOf(dailyPrices(file, column), periodOf).slice(-260);
      expect(expected.length).toBeGreaterThan(130);
      expect(bars.map(({ period, close }) => ({ period, day: close.period, value: close.value }))).toEqual(expected);
    },
  );
});
