// runs: in full only
import { readFileSync } from 'node:fs';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { Importer } from '../../src/publish/batches/importer.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { sec } from '../../src/publish/publishers/sec.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { everyNth } from '../support/exhaustive.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { post, toolCall } from '../mcp/rpc.js';
import { describeWithSharedData, sharedData } from '../support/shared-data.js';

interface Found {
  readonly slug: string;
  readonly name: string;
  readonly cik: number | null;
}

describeWithSharedData('the companies of the constituents list', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    const publisher = await database.open('import');
    const publish = async (importer: Importer, path: string, vintage: string) =>
      importFiles(publisher, importer, await importer.open([path], vintage), {
        accept: 'a test',
        now: () => new Date('2026-11-21T10:00:00Z'),
      });
    await publish(gleif, sharedData('gleif-groups', 'entities.csv'), '2026-01-01');
    await publish(gleif, sharedData('gleif-groups', 'relationships.csv'), '2026-01-01');
    await publish(sec, sharedData('companies', 'sec-company_tickers.json'), '2026-08-22');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const first = async (q: string): Promise<Found | undefined> => {
    const path = `/api/v1/companies?limit=1&q=${encodeURIComponent(q)}`;
    return (await service.get<Found[]>(path)).body.data[0];
  };
  const constituents = () =>
    readFileSync(sharedData('companies', 'sp500-constituents.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"|"$/g, '')))
      .map(([ticker = '', name = '', , , , , cik = '']) => ({ ticker, name, cik: Number(cik) }));

  /** As of the day of the regulator's list: today, some are newer or have another ticker. */
  const registrants = () =>
    Object.values(
      JSON.parse(readFileSync(sharedData('companies', 'sec-company_tickers.json'), 'utf8')) as Record<
        string,
        { readonly cik_str: number; readonly ticker: string }
      >,
    );

  it.each(['ticker', 'name'] as const)('are each the first hit by %s', async (by) => {
    const held = new Set(registrants().flatMap((row) => [`${row.cik_str}`, `${row.cik_str} ${row.ticker}`]));
    const wanted = constituents()
      .map((one) => ({ ...one, ticker: one.ticker.replace('.', '-') }))
      .filter(({ cik, ticker }) => held.has(by === 'name' ? `${cik}` : `${cik} ${ticker}`));
    expect(wanted.length).toBeGreaterThan(480);
    const missed = [];
    for (const one of everyNth(wanted, 10)) {
      const found = await first(one[by]);
      if (found?.cik !== one.cik) missed.push({ ...one, found: found?.name });
    }
    expect(missed).toEqual([]);
  });

  it.each([
    ['Allianz', 'Allianz SE'],
    ['Shell', 'SHELL PLC'],
    ['Commerzbank', 'COMMERZBANK Aktiengesellschaft'],
    ['Fraport', 'Fraport'],
    ['Royal Dutch Shell plc', 'SHELL PLC'],
    ['Apple Computer', 'Apple Inc.'],
    ['Google', 'Alphabet Inc.'],
    ['アップル', 'Apple Inc.'],
    ['トヨタ自動車', 'TOYOTA MOTOR CORP/'],
    ['福特汽车', 'FORD MOTOR CO'],
  ])('has the head of the group first: %s', async (q, name) => {
    expect((await first(q))?.name).toMatch(new RegExp(`^${name}`, 'i'));
  });

  it.each([
    ['Ford', 'FORD MOTOR CO', 'CIK 37996'],
    ['Ford Motor Company', 'FORD MOTOR CO', 'CIK 37996'],
    ['フォード', 'FORD MOTOR CO', 'CIK 37996'],
    ['Meta', 'Meta Platforms, Inc.', 'META · CIK 1326801'],
    ['Facebook', 'Meta Platforms, Inc.', 'META · CIK 1326801'],
    ['Meta Platforms Inc', 'Meta Platforms, Inc.', 'META · CIK 1326801'],
    ['Allianz', 'Allianz SE', 'LEI 529900K9B0N5BT694847'],
    ['allianz se', 'Allianz SE', 'LEI 529900K9B0N5BT694847'],
    ['アリアンツ', 'Allianz SE', 'LEI 529900K9B0N5BT694847'],
  ])('are named first by the tool of companies: %s', async (query, name, identifier) => {
    const { body } = await post(service.url, toolCall('company', { query }), { key: await service.key() });
    const text = body.result?.content[0]?.text ?? '';
    const [, first] = /`([^`]+)` (.*)/.exec(text) ?? [];
    expect(first).toBe(name);
    expect(text.split('\n').find((line) => line.includes(`\`${name}\``))).toContain(identifier);
  });
});
