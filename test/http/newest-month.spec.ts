import { importFiles } from '../../src/publish/import/import-files.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { delivery, figures } from '../support/deliveries.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('The table of economies', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const months = figures('consumer-price-index@US 2025-05 321.465', 'consumer-price-index@US 2026-05 335.123');
    await importFiles(await database.open('import'), { publisher: 'starter' }, [delivery('2026-07-01', months)], {
      accept: 'a test',
      now: () => new Date('2026-07-02T00:00:00Z'),
    });
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each([
    ['/', 'en', 'May 2026: 4.2% on the year, computed'],
    ['/countries', 'zh', '2026年5月同比4.2%（本服务计算）'],
    ['/countries', 'ja', '2026年5月は前年同月比4.2%（本サービス算出）'],
  ])('has at %s in %s, beside a yearly change, that of a newer month of the index', async (path, locale, text) => {
    const headers = { accept: 'text/html' };
    const { status, bytes } = await exchange(service.url, `${path}?locale=${locale}`, { headers });
    expect(status).toBe(200);
    expect(bytes.toString().split(text)).toHaveLength(2);
    expect(bytes.toString()).toContain(`href="/macro/consumer-price-index/US?locale=${locale}"`);
  });
});
