import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Item {
  readonly id: string;
  readonly importance: number;
  readonly occurredAt: string;
  readonly subject: { readonly key: string };
  readonly kind: string;
  readonly topics: readonly { readonly slug: string }[];
}

/** How many changes of the same indicator and vintage, or market topic and month, are more important, by id. */
let alike: ReadonlyMap<string, number>;

/** Importance halves in 125 days: 180 times the logarithm of two. The fourth change of an indicator and vintage gives way. */
const rankingOf = ({ id, importance, occurredAt }: Item): number =>
  Math.round(180 * Math.log(Math.max(importance, 0.5)) + Date.parse(occurredAt) / 86_400_000) -
  20 * Math.max((alike.get(id) ?? 0) - 2, 0);

describe('GET /api/v1/changes?order=importance', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
    const source = await database.open('admin');
    const rows = await source.query<{ id: string; alike: number }[]>('SELECT id, alike FROM changes');
    alike = new Map(rows.map(({ id, alike: count }) => [id, count]));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each([
    '',
    'country=JP',
    'country=JP,US,EMU',
    'topic=inflation&kind=revision',
    'coverage=markets&minImportance=20',
    'since=2026-04-01&until=2026-07-31',
    'country=US&since=2026-04-01&until=2026-07-31',
    'publishedSince=2026-07-01',
    'q=inflation',
    'q=inflation+in+Japan',
    'status=corrected',
    'since=2026-05-01&until=2026-05-01&topic=population',
  ])('has the items of the list by time, the most important of today first, and their number: %s', async (filters) => {
    const byTime = await walk<Item>(service, `/api/v1/changes?limit=100&${filters}`);
    const order = `/api/v1/changes?order=importance&${filters}`;
    // Of equal rank, the newest first: sorting is stable.
    const expected = byTime.toSorted((one, other) => rankingOf(other) - rankingOf(one));
    expect(await walk(service, `${order}&limit=7`)).toEqual(expected);
    const { data, meta } = (await service.get<Item[]>(`${order}&limit=3`)).body;
    expect(data).toEqual(expected.slice(0, 3));
    expect(meta.total).toEqual({ count: byTime.length, exact: true });
  });

  it('counts the more important changes of one indicator and vintage, or market topic and month, so that no indicator fills its head', async () => {
    const all = await walk<Item>(service, '/api/v1/changes?limit=100');
    const groupOf = ({ subject, kind, topics, occurredAt }: Item) =>
      kind === 'move'
        ? `${topics.map(({ slug }) => slug).sort()[0] ?? ''} ${occurredAt.slice(0, 7)}`
        : `${subject.key.split('@')[0] ?? ''} ${occurredAt}`;
    const figures = all.filter(({ kind }) => kind !== 'structure');
    expect(figures.some(({ id, kind }) => kind === 'move' && (alike.get(id) ?? 0) > 0)).toBe(true);
    for (const key of new Set(figures.map(groupOf))) {
      const group = figures.filter((one) => groupOf(one) === key);
      const sorted = group.toSorted((a, b) => (alike.get(a.id) ?? 0) - (alike.get(b.id) ?? 0));
      const counts = sorted.map(({ id }) => alike.get(id));
      expect(counts).toEqual(sorted.map((_, at) => Math.min(at, 12)));
      const importances = sorted.slice(0, 12).map(({ importance }) => importance);
      expect(importances).toEqual(importances.toSorted((a, b) => b - a));
    }
    expect(Math.max(...alike.values())).toBe(12);
  });

  it('is not the default, which has no number', async () => {
    const [plain, newest] = await Promise.all([
      service.get('/api/v1/changes'),
      service.get('/api/v1/changes?order=newest'),
    ]);
    expect(newest.body).toEqual(plain.body);
    expect(plain.body.meta.total).toBeUndefined();
  });

  it('has cursors of its own', async () => {
    const first = await service.get('/api/v1/changes?order=importance&limit=2');
    const cursor = first.body.meta.page?.nextCursor ?? '';
    expect((await service.get(`/api/v1/changes?order=importance&cursor=${cursor}`)).status).toBe(200);
    const other = await service.get(`/api/v1/changes?cursor=${cursor}`);
    expect(other.body.error?.code).toBe('invalid_cursor');
  });

  it('refuses another order by its name', async () => {
    const { status, body } = await service.get('/api/v1/changes?order=size');
    expect([status, body.error?.errors?.[0]]).toMatchObject([
      400,
      { parameter: 'order', allowed: ['newest', 'importance'] },
    ]);
  });
});
