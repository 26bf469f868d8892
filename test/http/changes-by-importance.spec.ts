import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { walk } from '../support/walk.js';

interface Item {
  readonly id: string;
  readonly importance: number;
}

describe('GET /api/v1/changes?order=importance', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database });
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
  ])('has the items of the list by time, the most important first, and their number: %s', async (filters) => {
    const byTime = await walk<Item>(service, `/api/v1/changes?limit=100&${filters}`);
    const order = `/api/v1/changes?order=importance&${filters}`;
    // Of equal importance, the newest first: sorting is stable.
    const expected = byTime.toSorted((one, other) => other.importance - one.importance);
    expect(await walk(service, `${order}&limit=7`)).toEqual(expected);
    const { data, meta } = (await service.get<Item[]>(`${order}&limit=3`)).body;
    expect(data).toEqual(expected.slice(0, 3));
    expect(meta.total).toEqual({ count: byTime.length, exact: true });
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
