// runs: on two instances
import { Heartbeat } from '../../src/store/heartbeat.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { deliveryOf, OWN, type Figures } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Change {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly figure: { readonly actual: { readonly value: number } };
  readonly corrections?: readonly {
    readonly correctedAt: string;
    readonly dataVersion: number;
    readonly actual: number;
    readonly previous: number | null;
  }[];
}

const AT = new Date('2026-10-01T08:30:00Z');
const LATER = new Date('2026-10-02T09:45:00Z');
const PUBLISHED = '2026-09-01';

let database: TestDatabase;
let service: TestServer;

/** 2026-09-01 publishes a release and a revision of one series. */
const publish = async (vintage: string, figures: Figures, now: Date, replace = false) => {
  const source = await database.open('import');
  const [report] = await importFiles(source, OWN, [deliveryOf(vintage, { figures })], {
    replace,
    accept: 'a test',
    now: () => now,
  });
  await service.server.app.get(Heartbeat).poll();
  return report;
};

const begin = async (): Promise<void> => {
  database = await createTestDatabase('empty');
  service = await startTestServer({ database });
  await publish('2026-08-01', { 'gdp-growth JP': { '2023': '1.0', '2024': '2.0' } }, AT);
  const figures = { 'gdp-growth JP': { '2023': '1.0', '2024': '2.5', '2025': '3.0' } };
  await publish(PUBLISHED, figures, AT);
};
const end = async (): Promise<void> => {
  await service.close();
  await database.drop();
};

const list = (query = '') => walk<Change>(service, `/api/v1/changes?limit=100${query}`);
const named = async (kind: string): Promise<Change> => {
  const change = (await list()).find((one) => one.kind === kind);
  if (change === undefined) throw new Error(`No ${kind}`);
  return change;
};
const withdraw = async (id: string) => {
  await withdrawChange(await database.open('import'), id, 'a test', () => LATER);
  await service.server.app.get(Heartbeat).poll();
};
const counted = async (path: string) => (await service.get<{ counts: { total: number } }>(path)).body.data.counts.total;

const LISTS = ['/api/v1/coverage/growth', '/api/v1/topics/gdp'];

describe('A withdrawn change', () => {
  let id: string;
  let counts: readonly number[];
  let etag: string;
  beforeAll(async () => {
    await begin();
    ({ id } = await named('revision'));
    counts = await Promise.all(LISTS.map(counted));
    etag = (await service.get(`/api/v1/changes/${id}`)).headers.get('etag') ?? '';
    await withdraw(id);
  });
  afterAll(end);

  it('disappears from every list and every count', async () => {
    for (const query of ['', '&country=JP', '&topic=gdp', '&kind=revision', '&status=verified']) {
      expect((await list(query)).map((one) => one.id)).not.toContain(id);
    }
    expect([counts, await Promise.all(LISTS.map(counted))]).toEqual([
      [2, 2],
      [1, 1],
    ]);
    for (const path of LISTS) {
      const { body } = await service.get<{ changes: Change[] }>(path);
      expect(body.data.changes.map((one) => one.id)).not.toContain(id);
    }
  });

  it.each([
    ['en', 'Withdrawn'],
    ['zh', '已撤回'],
    ['ja', '取り下げ済み'],
  ])('responds with 410 in %s', async (locale, title) => {
    const { status, headers, body } = await service.get(`/api/v1/changes/${id}?locale=${locale}`);
    expect([status, body.error?.code, body.error?.title]).toEqual([410, 'withdrawn', title]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.data).toBeNull();
  });

  it('appears in status=withdrawn with only its id and time', async () => {
    const { body } = await service.get('/api/v1/changes?status=withdrawn');
    expect(body.data).toEqual([{ id, status: 'withdrawn', withdrawnAt: LATER.toISOString() }]);
    expect(body.meta.sources).toEqual([]);
    expect(await list('&status=withdrawn&kind=release')).toEqual([]);
    expect(await list('&status=withdrawn&country=JP')).toHaveLength(1);
  });

  it('appears to clients that copy incrementally', async () => {
    const since = (time: Date) => list(`&status=withdrawn&publishedSince=${time.toISOString()}`);
    expect((await since(LATER)).map((one) => one.id)).toEqual([id]);
    expect(await since(new Date(LATER.getTime() + 60_000))).toEqual([]);
  });

  it('moves the data version, so that no cached copy is served', async () => {
    const after = await service.get(`/api/v1/changes/${id}`, undefined, { headers: { 'if-none-match': etag } });
    expect(after.status).toBe(410);
    const { body } = await service.get('/api/v1/changes');
    expect(body.meta).toMatchObject({ dataVersion: 3, publishedAt: LATER.toISOString() });
    expect((await service.get('/api/v1/macro/gdp-growth')).body.meta.dataVersion).toBe(2);
  });
});

describe('A change on a page that a client has read', () => {
  beforeEach(begin);
  afterEach(end);

  it('loses its position without moving any other change', async () => {
    const whole = await list();
    const first = await service.get<Change[]>('/api/v1/changes?limit=1');
    await withdraw(whole[0]?.id ?? '');
    const cursor = first.body.meta.page?.nextCursor ?? '';
    const next = await service.get<Change[]>(`/api/v1/changes?limit=1&cursor=${cursor}`);
    expect(next.body.data.map(({ id }) => id)).toEqual([whole[1]?.id]);
  });
});

describe('A change of a replaced vintage', () => {
  beforeEach(begin);
  afterEach(end);

  const replaced = { 'gdp-growth JP': { '2023': '1.0', '2024': '2.7', '2025': '3.0' } };

  it('is corrected under the same id, with its earlier figures', async () => {
    const { id, publishedAt } = await named('revision');
    await publish(PUBLISHED, replaced, LATER, true);
    const { body } = await service.get<Change>(`/api/v1/changes/${id}`);
    expect(body.data).toMatchObject({
      id,
      status: 'corrected',
      publishedAt,
      updatedAt: LATER.toISOString(),
      figure: { actual: { value: 2.7 }, previous: { value: 2 }, delta: 0.7 },
      corrections: [{ correctedAt: LATER.toISOString(), dataVersion: 3, actual: 2.5, previous: 2 }],
    });
  });

  it('collects one correction per replacement, oldest first', async () => {
    const { id } = await named('revision');
    const again = new Date('2026-10-03T00:00:00Z');
    await publish(PUBLISHED, replaced, LATER, true);
    await publish(PUBLISHED, { 'gdp-growth JP': { ...replaced['gdp-growth JP'], '2024': '2.9' } }, again, true);
    const { body } = await service.get<Change>(`/api/v1/changes/${id}`);
    expect(body.data.corrections?.map(({ actual, dataVersion }) => [actual, dataVersion])).toEqual([
      [2.5, 3],
      [2.7, 4],
    ]);
    expect(body.data.updatedAt).toBe(again.toISOString());
  });

  it('keeps its position, and appears by status and by publishedSince', async () => {
    const before = (await list()).map(({ id }) => id);
    const { id } = await named('revision');
    await publish(PUBLISHED, replaced, LATER, true);
    expect((await list()).map((one) => one.id)).toEqual(before);
    expect((await list('&status=corrected')).map((one) => one.id)).toContain(id);
    expect((await list('&status=verified')).map((one) => one.id)).not.toContain(id);
    const since = await list(`&publishedSince=${LATER.toISOString()}`);
    expect(since.map((one) => one.id)).toContain(id);
  });

  it('is withdrawn if it can no longer be derived', async () => {
    const { id } = await named('revision');
    const same = { 'gdp-growth JP': { '2023': '1.0', '2024': '2.0', '2025': '3.0' } };
    await publish(PUBLISHED, same, LATER, true);
    expect((await service.get(`/api/v1/changes/${id}`)).status).toBe(410);
    expect((await list('&status=withdrawn')).map((one) => one.id)).toEqual([id]);
  });

  it('has no corrections in lists', async () => {
    await publish(PUBLISHED, replaced, LATER, true);
    for (const change of await list()) expect(change).not.toHaveProperty('corrections');
  });
});
