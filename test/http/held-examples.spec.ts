// runs: in full only
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { addressOf, operationsOf, readDocument } from '../contract/document.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('The examples of names in the OpenAPI document', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeEach(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  /** The URL of each operation, with its examples. */
  async function paths(): Promise<Readonly<Record<string, string>>> {
    const documented = operationsOf(await readDocument(service));
    return Object.fromEntries(documented.map((one) => [one.operation.operationId, addressOf(one)]));
  }

  it('are replaced by names that this database contains, as soon as it does', async () => {
    const shipped = await paths();
    const publisher = await database.open('import');
    for (const [day, value] of [
      ['2026-07-01', '1.5'],
      ['2026-08-03', '1.7'],
    ] as const) {
      const figures = { 'gdp-growth JP': { '2024': '1.1', '2025': value }, eurjpy: { [day]: '160.5' } };
      await importFiles(publisher, OWN, [deliveryOf(day, { figures })], {
        accept: 'a test',
        now: () => new Date(`${day}T12:00:00Z`),
      });
    }
    await service.server.app.get(Heartbeat).poll();
    const held = await paths();
    for (const operation of ['getChange', 'getBrief', 'getInstrument'] as const) {
      expect(held[operation]).not.toBe(shipped[operation]);
      expect((await service.get(held[operation] ?? '')).status).toBe(200);
    }
    expect(held.getInstrument).toBe('/api/v1/markets/eurjpy');
    // Nothing of these is stored: the shipped example shows the form.
    for (const operation of ['getCompany', 'getStructure', 'getSignal', 'getAhead'] as const)
      expect(held[operation]).toBe(shipped[operation]);
  });
});
