// runs: on two instances
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { pagesOf } from '../support/walk.js';

const ALERTS = '/api/v1/alerts';
// 2026 has ended: the figure of a later period makes no change.
const NOW = new Date('2027-02-20T09:00:00Z');
const GROWTH = { type: 'series', key: 'gdp-growth@JP' } as const;

interface Event {
  readonly changeId: string | null;
  readonly url: string;
  readonly headline: string;
  readonly at: string;
  readonly sources: readonly string[];
}
interface Alert {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly lastTriggeredAt: string | null;
  readonly events: readonly Event[];
}

describe('GET /api/v1/alerts', () => {
  let database: TestDatabase;
  let service: TestServer;
  let owner: Owner;
  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    owner = await ownerOf(service, 'ada');
    await owner.alert({ ...GROWTH, metric: 'value_above', threshold: '5.50', name: 'Boom in Japan' });
    await owner.alert({ type: 'country', key: 'jp', metric: 'any_change' });
    const publisher = await database.open('import');
    const figures = { 'gdp-growth JP': { '2025': '1.2', '2026': '5.75' } };
    await importFiles(publisher, OWN, [deliveryOf('2027-02-20', { figures })], { accept: 'a test', now: () => NOW });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('returns the newest alert first, with its condition, state and events', async () => {
    const { body, headers } = await owner.get<Alert[]>(ALERTS);
    expect(headers.get('cache-control')).toBe('no-store');
    const [any, value] = body.data;
    expect(any).toMatchObject({
      name: 'country JP',
      target: { type: 'country', key: 'JP', name: 'Japan', url: `${service.url}/api/v1/changes?country=JP` },
      condition: { metric: 'any_change', threshold: null },
      state: 'armed',
    });
    expect(value).toMatchObject({
      name: 'Boom in Japan',
      target: { type: 'series', key: 'gdp-growth@JP', name: 'Real GDP growth, Japan' },
      condition: { metric: 'value_above', threshold: 5.5 },
      state: 'triggered',
      createdAt: '2026-01-01T00:00:00.000Z',
      lastTriggeredAt: body.meta.publishedAt,
    });
    const [event, ...more] = value?.events ?? [];
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      headline: 'Japan: real GDP growth 5.75% in 2026, above 5.50%',
      at: body.meta.publishedAt,
      sources: ['worldbank-wdi', 'oecd-na'],
    });
    expect(event?.url).toBe(`${service.url}/api/v1/changes/${event?.changeId ?? ''}`);
    const change = await owner.get<{ kind: string; headline: string }>(new URL(event?.url ?? '', service.url).pathname);
    expect([change.status, change.body.data.kind]).toEqual([200, 'release']);
    expect(any?.events.map(({ headline }) => headline)).toContain(change.body.data.headline);
    expect(body.meta.sources.map(({ id }) => id)).toEqual(['oecd-na', 'worldbank-wdi']);
  });

  it('uses the language of the request', async () => {
    const said = await Promise.all(
      ['zh', 'ja'].map(async (locale) => {
        const { body } = await owner.get<Alert[]>(`${ALERTS}?locale=${locale}`);
        return body.data[1]?.events[0]?.headline;
      }),
    );
    expect(said).toEqual([
      '日本2026年实际GDP增长率为5.75%，高于5.50%',
      '日本の2026年の実質GDP成長率は5.75%、5.50%を上回る',
    ]);
  });

  it('returns pages, and at most the twenty newest events of each alert', async () => {
    const many = await ownerOf(service, 'many', new Date('2025-01-01T00:00:00Z'));
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.push((await many.alert({ type: 'topic', key: 'gdp', metric: 'any_change', name: `no. ${index}` })).id);
    }
    const admin = await database.open('admin');
    await admin.query(
      `INSERT INTO alert_events (alert_id, change_id, at)
       SELECT $1, id, published_at FROM changes WHERE status <> 'withdrawn' ORDER BY position LIMIT 30`,
      [made[0]],
    );
    const found: Alert[] = [];
    for await (const { data } of pagesOf<Alert[]>(service, `${ALERTS}?limit=2`, many.key)) found.push(...data);
    expect(found.map(({ id }) => id)).toEqual(made.reverse());
    expect(found.map(({ events }) => events.length)).toEqual([0, 0, 0, 0, 20]);
    const walked = await many.get<{ id: string }[]>('/api/v1/changes?limit=100');
    const order = walked.body.data.map(({ id }) => id);
    const places = found[4]?.events.map(({ changeId }) => order.indexOf(changeId ?? '')) ?? [];
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('omits the events of a withdrawn change', async () => {
    const told = await ownerOf(service, 'told');
    await told.alert({ type: 'country', key: 'CN', metric: 'any_change' });
    const publisher = await database.open('import');
    const figures = { 'gdp-growth CN': { '2026': '4.4' } };
    await importFiles(publisher, OWN, [deliveryOf('2027-02-20', { figures })], { accept: 'a test', now: () => NOW });
    const [before] = (await told.get<Alert[]>(ALERTS)).body.data;
    expect(before?.events).toHaveLength(1);
    await withdrawChange(publisher, before?.events[0]?.changeId ?? '', 'misprint', () => NOW);
    const [after] = (await told.get<Alert[]>(ALERTS)).body.data;
    expect(after).toMatchObject({ events: [], lastTriggeredAt: null });
  });
});
