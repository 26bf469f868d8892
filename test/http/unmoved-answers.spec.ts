// runs: in full only
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import type { Delivery, Importer } from '../../src/publish/batches/importer.js';
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { sec } from '../../src/publish/publishers/sec.js';
import { operationsOf, readDocument } from '../contract/document.js';
import { deliveryOf, OWN, type Figures } from '../publishing/deliveries.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { fill, pathOf, REQUIRED, segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';

const GOLD = 'gold-monthly-average';
const REGISTER = join(__dirname, '../fixtures/register/microsoft');
const now = () => new Date('2026-11-20T12:00:00Z');
/** Segments of each path. */
const MOST = exhaustively(3, 1);
/** Account data rests on the account. */
const OWN_PATHS = ['/api/v1/following', '/api/v1/following/changes', '/api/v1/alerts'];

interface Answer {
  readonly etag: string | null;
  readonly text: string;
  readonly dataVersion: number | null;
}

describe('An import', () => {
  let database: TestDatabase;
  let service: TestServer;
  let publisher: DataSource;
  let addresses: string[];

  beforeEach(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock: new StoppedClock('2026-11-20T00:00:01Z') });
    publisher = await database.open('import');
    addresses = await everyAddress();
  });
  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  async function everyAddress(): Promise<string[]> {
    const segments = await segmentsIn(publisher, MOST);
    return operationsOf(await readDocument(service)).flatMap(({ path: documented }) => {
      const path = pathOf(documented);
      if (OWN_PATHS.includes(path)) return [];
      const filled = path.includes('{') ? (segments.get(path) ?? []).map((one) => fill(path, one)) : [path];
      return filled.map((one) => `${one}${REQUIRED[path] ?? ''}`);
    });
  }

  async function answers(): Promise<Map<string, Answer>> {
    const found = new Map<string, Answer>();
    for (const address of addresses) {
      const { status, headers, text, body } = await service.get(address);
      if (status !== 200) throw new Error(`${address}: ${String(status)}`);
      found.set(address, { etag: headers.get('etag'), text, dataVersion: body.meta.dataVersion });
    }
    return found;
  }

  const publish = (vintage: string, figures: Figures): Promise<number> =>
    publishDeliveries(OWN, [deliveryOf(vintage, { figures })]);

  async function publishDeliveries(importer: typeof OWN, deliveries: readonly Delivery[]): Promise<number> {
    const [report] = await importFiles(publisher, importer, deliveries, { accept: 'a test', now });
    await service.server.app.get(Heartbeat).poll();
    if (report?.dataVersion == null) throw new Error('nothing was published');
    return report.dataVersion;
  }

  async function goldHeld(): Promise<Record<string, string>> {
    const rows = await publisher.query<{ period: string; value: string }[]>(
      `SELECT o.period, o.value::text AS value FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.instrument = $1 AND o.valid_to IS NULL`,
      [GOLD],
    );
    return Object.fromEntries(rows.map(({ period, value }) => [period, value]));
  }

  /** Addresses that have other bytes than before. */
  async function moved(before: ReadonlyMap<string, Answer>): Promise<string[]> {
    const after = await answers();
    for (const [address, { etag, text }] of after) {
      const earlier = before.get(address);
      expect({ address, same: etag === earlier?.etag }).toEqual({ address, same: text === earlier?.text });
    }
    return addresses.filter((address) => after.get(address)?.text !== before.get(address)?.text);
  }

  it('changes no answer if it repeats the figures on a later day', async () => {
    const before = await answers();
    expect(before.size).toBeGreaterThan(MOST * 10);
    await publish('2026-11-19', { [GOLD]: await goldHeld() });
    expect(await moved(before)).toEqual([]);
  });

  it.each<[string, Importer, readonly string[]]>([
    ['legal entities', gleif, ['entities.csv', 'relationships.csv']],
    ['registrants', sec, ['company_tickers.json']],
  ])('changes no answer if it repeats the %s of a register on a later day', async (_, importer, files) => {
    const before = await answers();
    const paths = files.map((file) => join(REGISTER, file));
    await publishDeliveries(importer, await importer.open(paths, '2026-11-19'));
    expect(await moved(before)).toEqual([]);
  });

  it('leaves every answer about indicators as it was if it is of gold', async () => {
    const before = await answers();
    const dataVersion = await publish('2026-11-19', { [GOLD]: { ...(await goldHeld()), '2026-07': '4200.000' } });
    const shown = await moved(before);
    const allowed =
      /^\/api\/v1\/(markets|markets\/gold.*|markets\/kind\/.*|briefs\/.*|changes.*|search.*|topics.*|coverage.*|companies.*|entities.*|signals.*|ahead.*|sources)$/;
    expect(shown.filter((address) => !allowed.test(address))).toEqual([]);
    expect(shown).toContain('/api/v1/markets');
    const { body } = await service.get(`/api/v1/markets/${GOLD}`);
    expect(body.meta.dataVersion).toBe(dataVersion);
    const board = before.get('/api/v1/macro/board');
    const unmoved = await service.get('/api/v1/macro/board', undefined, {
      headers: { 'if-none-match': board?.etag ?? '' },
    });
    expect(unmoved.status).toBe(304);
  });

  it('leaves the other indicators and every instrument as they were if it is of one indicator', async () => {
    const before = await answers();
    const slugs = addresses.filter((one) => /\/macro\/(?!board)/.test(one)).map((one) => one.split('/').at(-1));
    const [slug = ''] = slugs;
    const [row] = await publisher.query<{ region: string; period: string }[]>(
      `SELECT s.region, o.period FROM series s JOIN observations o ON o.series_id = s.id
       WHERE s.indicator = $1 AND o.valid_to IS NULL ORDER BY s.region, o.period DESC LIMIT 1`,
      [slug],
    );
    const dataVersion = await publish('2026-11-19', {
      [`${slug} ${row?.region ?? ''}`]: { [row?.period ?? '']: '7.125' },
    });
    const shown = await moved(before);
    expect(shown).toContain(`/api/v1/macro/${slug}`);
    const { body } = await service.get(`/api/v1/macro/${slug}`);
    expect(body.meta.dataVersion).toBe(dataVersion);
    expect(shown.filter((one) => one.startsWith('/api/v1/markets'))).toEqual([]);
    expect(shown.filter((one) => one.startsWith('/api/v1/macro/')).length).toBeLessThanOrEqual(2);
  });
});
