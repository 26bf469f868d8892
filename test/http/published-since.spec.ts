import type { DataSource } from 'typeorm';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { registrantsOf } from '../publishing/registers.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { pagesOf } from '../support/walk.js';

const BEGINNING = '1970-01-01';
// After the publications of the fixtures.
const PUBLISHED_AT = new Date('2027-01-20T12:00:00Z');
const LATER = '2027-01-20T12:01:00Z';
const LISTS = ['ahead', 'companies', 'coverage', 'topics', 'markets', 'changes'];

interface Item {
  readonly key?: string;
  readonly slug?: string;
  readonly id?: string;
  readonly region?: { readonly code: string };
  readonly indicator?: { readonly slug: string };
}

/** Publications wait at their COMMIT, after their last statement, until `release`. */
async function holdCommits(database: TestDatabase) {
  const admin = await database.open('admin');
  await admin.query(`
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON publications DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`);
  const holder = admin.createQueryRunner();
  await holder.query('SELECT pg_advisory_lock(77)');
  const waiting = `SELECT count(*)::integer AS count FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted`;
  return {
    reached: async () => {
      await until(
        60_000,
        'a publication at its COMMIT',
        async () => (await admin.query<{ count: number }[]>(waiting))[0]?.count === 1,
      );
    },
    release: async () => {
      await holder.query('SELECT pg_advisory_unlock(77)');
      await holder.release();
    },
  };
}

describe('publishedSince', () => {
  let database: TestDatabase;
  let service: TestServer;
  let publisher: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock: new StoppedClock('2027-01-20T13:00:00Z') });
    publisher = await database.open('import');
    const [row] = await publisher.query<{ region: string; period: string; value: string }[]>(
      `SELECT s.region, o.period, o.value FROM series s JOIN observations o ON o.series_id = s.id
       WHERE s.indicator = 'cpi-inflation' AND s.region = 'JP' AND o.valid_to IS NULL ORDER BY o.period DESC LIMIT 1`,
    );
    const figures = { 'cpi-inflation JP': { [row?.period ?? '']: '9.125' } };
    const delivery = deliveryOf('2026-11-19', { figures });
    await importFiles(publisher, OWN, [delivery], { accept: 'a test', now: () => PUBLISHED_AT });
    await service.server.app.get(Heartbeat).poll();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  async function list(path: string, publishedSince: string, more = '') {
    const { status, body } = await service.get(`/api/v1/${path}?publishedSince=${publishedSince}${more}`);
    if (status !== 200) throw new Error(`${path}: ${String(status)} ${JSON.stringify(body)}`);
    return { data: body.data as Item[], meta: body.meta as { readonly removed?: readonly string[] } };
  }

  const counted = async (sql: string): Promise<number> =>
    (await publisher.query<{ count: number }[]>(`SELECT count(*)::integer AS count FROM ${sql}`))[0]?.count ?? 0;

  it.each(LISTS)('of a later moment leaves nothing of %s', async (path) => {
    const { data, meta } = await list(path, LATER);
    expect(data).toEqual([]);
    expect(meta.removed ?? []).toEqual([]);
  });

  it.each([
    ['ahead', 'calendar_events WHERE NOT withheld'],
    ['companies', 'companies WHERE listed'],
    ['changes', `changes WHERE status <> 'withdrawn'`],
    ['coverage', 'coverage_domains'],
    ['topics', 'topics'],
  ])('of the beginning leaves everything of %s, on any day', async (path, held) => {
    const isPaged = ['ahead', 'companies', 'changes'].includes(path);
    const { data } = await list(path, BEGINNING, isPaged ? '&limit=1000' : '');
    expect(data).toHaveLength(await counted(held));
  });

  it('leaves the domains and topics of a new change', async () => {
    const since = PUBLISHED_AT.toISOString();
    const changes = await list('changes', since);
    expect(changes.data).not.toEqual([]);
    const domains = (await list('coverage', since)).data.map(({ key }) => key);
    expect(domains).toContain('prices');
    const topics = (await list('topics', since)).data.map(({ slug }) => slug);
    expect(topics).toContain('inflation');
    expect(topics.length).toBeLessThan(await counted('topics'));
  });

  it('filters the changes of a domain, a topic and a company', async () => {
    const since = PUBLISHED_AT.toISOString();
    const ids = (await list('changes', since)).data.map(({ id }) => id);
    for (const path of ['coverage/prices', 'topics/inflation']) {
      const { body } = await service.get(`/api/v1/${path}?publishedSince=${since}`);
      const { changes } = body.data as { changes: Item[] };
      expect(changes.map(({ id }) => id)).toEqual(ids);
    }
    const [company] = (await list('companies', BEGINNING, '&limit=1')).data;
    const { body } = await service.get(`/api/v1/companies/${company?.slug ?? ''}?publishedSince=${LATER}`);
    expect((body.data as { changes: Item[] }).changes).toEqual([]);
  });

  it('leaves the events whose figures or schedule changed', async () => {
    const [event] = await publisher.query<{ id: string; indicator: string; region: string; period: string }[]>(
      `SELECT e.id, e.indicator, e.region, e.period FROM calendar_events e
         JOIN series s ON s.indicator = e.indicator AND s.region = e.region JOIN indicators i ON i.slug = e.indicator
       WHERE NOT i.decision ORDER BY e.scheduled_on LIMIT 1`,
    );
    if (event === undefined) throw new Error('The fixtures have no event with figures');
    const { id, indicator, region, period } = event;
    const at = new Date('2027-01-20T12:30:00Z');
    const delivery = deliveryOf('2026-11-20', { figures: { [`${indicator} ${region}`]: { [period]: '123.456' } } });
    await importFiles(publisher, OWN, [delivery], { accept: 'a test', now: () => at });
    await service.server.app.get(Heartbeat).poll();
    const { data } = await list('ahead', at.toISOString(), '&limit=1000');
    expect(data.map((one) => one.id)).toContain(id);
    for (const one of data) expect([one.indicator?.slug, one.region?.code]).toEqual([indicator, region]);
    expect(data.length).toBeLessThan(await counted('calendar_events'));
  });

  it.each(['changes', 'ahead', 'companies'])('opens larger pages of %s', async (path) => {
    const refused = await service.get(`/api/v1/${path}?limit=101`);
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'invalid_parameter']);
    const { status } = await service.get(`/api/v1/${path}?limit=1001&publishedSince=${BEGINNING}`);
    expect(status).toBe(400);
    expect((await list(path, BEGINNING, '&limit=101')).meta.removed).toEqual([]);
  });

  it('binds its cursor to the moment', async () => {
    const { body } = await service.get(`/api/v1/companies?limit=1&publishedSince=${BEGINNING}`);
    const cursor = body.meta.page?.nextCursor ?? '';
    const next = await service.get(`/api/v1/companies?limit=1&publishedSince=${BEGINNING}&cursor=${cursor}`);
    expect(next.status).toBe(200);
    expect(next.body.meta).not.toHaveProperty('removed');
    const other = await service.get(`/api/v1/companies?limit=1&publishedSince=1971-01-01&cursor=${cursor}`);
    expect(other.body.error?.code).toBe('invalid_cursor');
  });

  it('leaves up to a thousand items on a page, and the rest on the next', async () => {
    const names = Array.from({ length: 1_100 }, (_, at) => [9_100_000 + at, [`Filer ${at}`, `F${at}`]] as const);
    const delivery = registrantsOf('2026-11-19', Object.fromEntries(names));
    await importFiles(publisher, OWN, [delivery], { accept: 'a test', now: () => PUBLISHED_AT });
    await service.server.app.get(Heartbeat).poll();
    const sizes: number[] = [];
    const slugs = new Set<string | undefined>();
    const path = `/api/v1/companies?publishedSince=${BEGINNING}&limit=1000`;
    for await (const { data } of pagesOf<Item[]>(service, path)) {
      sizes.push(data.length);
      for (const { slug } of data) slugs.add(slug);
    }
    const all = await counted('companies WHERE listed');
    expect(sizes).toEqual([1_000, all - 1_000]);
    expect(slugs.size).toBe(all);
    const middle = await list('companies', BEGINNING, '&limit=150');
    expect(middle.data).toHaveLength(150);
  });

  it('misses nothing for a client that polls by its own clock while a version is published', async () => {
    const began = Date.parse('2027-01-20T12:40:00Z');
    let now = new Date(began);
    const held = await holdCommits(database);
    const figures = { 'cpi-inflation JP': { '2025': '9.375' }, eurusd: { '2026-11-20': '1.5' } };
    const importing = importFiles(publisher, OWN, [deliveryOf('2026-11-21', { figures })], {
      accept: 'a test',
      now: () => now,
      onPublication: () => {
        now = new Date(began + 14_000);
        return Promise.resolve();
      },
    });
    await Promise.race([held.reached(), importing]);
    const polls = [10_000, 19_000].map((elapsed) => new Date(began + elapsed).toISOString());
    const paths = ['changes', 'coverage', 'topics', 'markets', 'macro/cpi-inflation', 'coverage/prices'];
    const versions = async () => (await service.get('/api/v1/changes')).body.meta.dataVersion;
    const before = await versions();
    await held.release();
    await importing;
    await service.server.app.get(Heartbeat).poll();
    expect(await versions()).toBeGreaterThan(before ?? 0);
    for (const poll of polls) {
      for (const path of paths) {
        const { status, body } = await service.get(`/api/v1/${path}?publishedSince=${poll}`);
        const { changes, series } = body.data as { changes?: unknown[]; series?: unknown[] };
        expect([path, poll, status, changes ?? series ?? body.data]).toEqual([
          path,
          poll,
          200,
          expect.arrayContaining([expect.anything()]),
        ]);
        expect(body.meta.publishedAt).toBe('2027-01-20T12:40:14.000Z');
      }
    }
  });

  it('refuses words beside it in the list of companies', async () => {
    const { status, body } = await service.get(`/api/v1/companies?q=bank&publishedSince=${BEGINNING}`);
    expect([status, body.error?.errors?.[0]?.parameter]).toEqual([400, 'q']);
  });
});
