// runs: in full only
import { importFiles } from '../../src/publish/import/import-files.js';
import { post, toolCall } from '../mcp/rpc.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

jest.setTimeout(60_000);

/** Figures with up to 120 decimals, more than `Intl` writes on any Node. */
const SMALL = `0.${'0'.repeat(38)}15`;
const figures = {
  'cpi-inflation JP': { '2024': `2.1650635094610964${'0'.repeat(24)}`, '2025': SMALL, '2023': `0.${'0'.repeat(119)}7` },
  eurusd: { '2026-11-17': `1.${'1'.repeat(15)}${'0'.repeat(25)}`, '2026-11-18': `1.2${'0'.repeat(39)}` },
};

describe('A figure with 40 decimals and more', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    const now = () => new Date('2026-11-20T10:00:00Z');
    const [report] = await importFiles(await database.open('import'), OWN, [deliveryOf('2026-11-20', { figures })], {
      accept: 'a test',
      now,
    });
    expect(report?.outcome).toBe('published');
    service = await startTestServer({ database });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each(['en', 'zh', 'ja'])(
    'breaks no page that has it, and stands in the file as in the API: %s',
    async (locale) => {
      const list = await service.get<{ id: string }[]>('/api/v1/changes?country=JP&limit=3');
      const changes = list.body.data.map(({ id }) => `/changes/${id}`);
      expect(changes).not.toEqual([]);
      for (const path of ['/macro/cpi-inflation/JP', '/markets/eurusd', '/', ...changes]) {
        const { status, bytes } = await exchange(service.url, `${path}?locale=${locale}`);
        expect([path, status]).toEqual([path, 200]);
        expect(bytes.toString()).not.toContain('NaN');
      }
      const file = await exchange(service.url, '/macro/cpi-inflation/JP?format=csv');
      expect([file.status, file.bytes.toString()]).toEqual([200, expect.stringContaining(',1.5e-39,')]);
      // The World Bank republishes what the IMF collects: a row credits both.
      expect(file.bytes.toString()).toMatch(/,1\.5e-39,.*(International Monetary Fund|IMF).*World Bank/);
    },
  );

  it('is served by the API and the tools as it was printed', async () => {
    const { status, body } = await service.get<{ series: { observations: { value: number; decimals: number }[] }[] }>(
      '/api/v1/macro/cpi-inflation?region=JP&from=2023',
    );
    expect(status).toBe(200);
    expect(body.data.series[0]?.observations.map(({ value, decimals }) => [value, decimals])).toEqual([
      [7e-120, 120],
      [2.1650635094610964, 40],
      [1.5e-39, 40],
    ]);
    for (const [tool, args] of [
      ['figures', { indicator: 'cpi-inflation', country: 'JP', from: '2024' }],
      ['quotes', { instrument: 'eurusd' }],
      ['latest_changes', { country: 'JP' }],
    ] as const) {
      const called = await post(service.url, toolCall(tool, args), { key });
      expect([tool, called.body.result?.isError]).toEqual([tool, undefined]);
    }
  });
});
