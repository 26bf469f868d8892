// runs: on two instances
import fc from 'fast-check';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { pagesOf, walk } from '../support/walk.js';
import { exhaustively } from '../support/exhaustive.js';

interface Item {
  readonly id: string;
}

let database: TestDatabase;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);
const first = async (query: string): Promise<string> => {
  const { body } = await service.get(`/api/v1/changes?limit=2${query}`);
  return body.meta.page?.nextCursor ?? '';
};
const codeOf = async (path: string): Promise<string | undefined> => (await service.get(path)).body.error?.code;

describe('A page', () => {
  it('has 20 items by default, and 1 to 100 as requested', async () => {
    const whole = await walk<Item>(service, '/api/v1/changes');
    for (const [query, count] of [
      ['', 20],
      ['?limit=1', 1],
      ['?limit=100', 100],
    ] as const) {
      const { body } = await service.get<Item[]>(`/api/v1/changes${query}`);
      // The small data set has fewer changes than the largest page.
      expect([body.data.length, body.meta.page?.limit]).toEqual([Math.min(count, whole.length), count]);
    }
  });

  it('ends the list exactly: a full last page has no successor', async () => {
    const all = await walk<Item>(service, '/api/v1/changes?kind=release&limit=100');
    const { body } = await service.get<Item[]>(
      `/api/v1/changes?kind=release&limit=${String(Math.min(all.length, 100))}`,
    );
    expect(all.length).toBeLessThanOrEqual(100);
    expect([body.data.length, body.meta.page?.nextCursor]).toEqual([all.length, null]);
  });

  it('belongs to the same list whatever its size', async () => {
    const [whole, ...others] = await Promise.all(
      [100, 7, 20].map((limit) => walk<Item>(service, `/api/v1/changes?limit=${String(limit)}`)),
    );
    expect(whole?.length).toBeGreaterThan(50);
    expect(new Set(ids(whole ?? [])).size).toBe(whole?.length);
    for (const other of others) expect(ids(other)).toEqual(ids(whole ?? []));
  });

  it.each(['/api/v1/coverage/growth', '/api/v1/topics/gdp'])(
    'inside %s continues through the same changes as the list with that filter',
    async (path) => {
      const [, , , family, value] = path.split('/');
      const inside: Item[] = [];
      for await (const { data } of pagesOf<{ changes: Item[] }>(service, `${path}?limit=30`)) {
        inside.push(...data.changes);
      }
      const filter = family === 'topics' ? 'topic' : 'coverage';
      const listed = await walk<Item>(service, `/api/v1/changes?limit=100&${filter}=${value ?? ''}`);
      expect(ids(inside)).toEqual(ids(listed));
    },
  );
});

describe('A cursor', () => {
  it('works with another limit and another locale', async () => {
    const cursor = await first('&country=JP');
    const small = await service.get<Item[]>(`/api/v1/changes?country=JP&limit=2&cursor=${cursor}`);
    const large = await service.get<Item[]>(`/api/v1/changes?country=JP&locale=zh&limit=50&cursor=${cursor}`);
    expect(large.status).toBe(200);
    expect(ids(large.body.data).slice(0, 2)).toEqual(ids(small.body.data));
  });

  it.each([
    ['changes', 'country=JP', ['country=JPN', 'country=jp', 'country=jpn&locale=zh']],
    ['changes', 'since=2026-01-01', ['since=2026-01-01T00:00:00Z', 'since=2026-01-01T09:00:00%2B09:00']],
    ['changes', 'q=inflation', ['q=Inflation', 'q=+INFLATION+', 'q=%EF%BD%89nflation']],
    ['search', 'q=gdp', ['q=GDP', 'q=+gdp+']],
  ])('continues the same %s however the filters are spelt: %s', async (route, query, spellings) => {
    const { body } = await service.get<Item[]>(`/api/v1/${route}?limit=1&${query}`);
    const cursor = body.meta.page?.nextCursor ?? '';
    expect(cursor).not.toBe('');
    const next = async (spelling: string) =>
      ids((await service.get<Item[]>(`/api/v1/${route}?limit=1&${spelling}&cursor=${cursor}`)).body.data);
    const same = await next(query);
    expect(same).toHaveLength(1);
    for (const spelling of spellings) expect(await next(spelling)).toEqual(same);
    expect(await codeOf(`/api/v1/${route}?q=other&cursor=${cursor}`)).toBe('invalid_cursor');
  });

  it('is the same on another instance with the same pepper', async () => {
    const other = await startTestServer({ database });
    const cursor = await first('');
    expect((await other.get(`/api/v1/changes?cursor=${cursor}`)).status).toBe(200);
    await other.close();
  });

  it('is refused if an instance with another pepper issued it', async () => {
    const other = await startTestServer({
      database,
      peppers: new Peppers([{ id: 'test', value: 'another-pepper-0001' }]),
    });
    const cursor = await first('');
    expect((await other.get(`/api/v1/changes?cursor=${cursor}`)).body.error?.code).toBe('invalid_cursor');
    await other.close();
  });

  it.each(['', '&country=US', '&country=JP&kind=release', '&kind=revision', '&country=JP&since=2026-01-01'])(
    'is refused for another filter than country=JP: %s',
    async (query) => {
      const cursor = await first('&country=JP');
      expect(await codeOf(`/api/v1/changes?cursor=${cursor}${query}`)).toBe('invalid_cursor');
    },
  );

  it('is refused on another route, even with the same filter', async () => {
    const growth = await first('&coverage=growth');
    const gdp = await first('&topic=gdp');
    expect(await codeOf(`/api/v1/coverage/growth?cursor=${growth}`)).toBe('invalid_cursor');
    expect(await codeOf(`/api/v1/topics/gdp?cursor=${gdp}`)).toBe('invalid_cursor');
    const { body } = await service.get('/api/v1/topics/gdp?limit=1');
    const inside = body.meta.page?.nextCursor ?? '';
    expect(await codeOf(`/api/v1/topics/inflation?cursor=${inside}`)).toBe('invalid_cursor');
    expect(await codeOf(`/api/v1/changes?topic=gdp&cursor=${inside}`)).toBe('invalid_cursor');
  });

  it('is refused if any character was altered, added or removed', async () => {
    const cursor = await first('');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const altered = fc
      .tuple(fc.nat({ max: cursor.length - 1 }), fc.constantFrom(...alphabet.split('')), fc.constantFrom(0, 1, 2))
      .map(([at, sign, cut]) => cursor.slice(0, at) + sign.repeat(cut === 2 ? 2 : 1) + cursor.slice(at + cut))
      .filter((text) => text !== cursor);
    await fc.assert(
      fc.asyncProperty(altered, async (text) => {
        expect(await codeOf(`/api/v1/changes?cursor=${text}`)).toBe('invalid_cursor');
      }),
      { numRuns: exhaustively(60, 15) },
    );
  });

  it('is refused if the service did not issue it', async () => {
    const anything = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const { status, body } = await service.get(`/api/v1/changes?cursor=${encodeURIComponent(text)}`);
        expect(status).toBe(400);
        expect(['invalid_cursor', 'invalid_parameter']).toContain(body.error?.code);
      }),
      { numRuns: exhaustively(60, 15) },
    );
  });

  it.each(['=', '==', '%3D', '+', '%20', '%0A'])('is refused with %s after it', async (tail) => {
    const cursor = await first('');
    expect(await codeOf(`/api/v1/changes?cursor=${cursor}${tail}`)).toBe('invalid_cursor');
  });
});

describe('A walk over all pages during an import', () => {
  const series = ['gdp-growth JP', 'cpi-inflation US', 'unemployment-rate DE', 'gdp CN'];
  const vintages = ['2026-08-03', '2026-08-04', '2026-08-05'];

  it('misses and repeats nothing, and sees nothing newer than its start', async () => {
    const own = await createTestDatabase('figures');
    const reading = await startTestServer({ database: own });
    const source = await own.open('import');
    const before = await walk<Item>(reading, '/api/v1/changes?limit=100');
    const days = [...vintages];
    const walked: Item[] = [];
    let published = 0;
    for await (const { data } of pagesOf<Item[]>(reading, '/api/v1/changes?limit=25')) {
      walked.push(...data);
      const day = days.shift();
      if (day === undefined) continue;
      const values = { '2024': String(published + 1), '2025': `${String(published + 2)}.5` };
      const figures = Object.fromEntries(series.map((name) => [name, values]));
      const [report] = await importFiles(source, OWN, [deliveryOf(day, { figures })], {
        accept: 'a test',
        now: () => new Date('2026-11-01T00:00:00Z'),
      });
      published += (report?.counts.releases ?? 0) + (report?.counts.revisions ?? 0);
      await reading.server.app.get(Heartbeat).poll();
    }
    expect(published).toBeGreaterThan(10);
    expect(ids(walked)).toEqual(ids(before));
    const after = await walk<Item>(reading, '/api/v1/changes?limit=100');
    expect(ids(after).slice(published)).toEqual(ids(before));
    expect(new Set(ids(after)).size).toBe(before.length + published);
    await reading.close();
    await own.drop();
  });

  it('continues during an open import, whose changes appear all at once', async () => {
    const own = await createTestDatabase('figures');
    const reading = await startTestServer({ database: own });
    const source = await own.open('import');
    const before = await walk<Item>(reading, '/api/v1/changes?limit=100');
    let during: Item[] = [];
    const beforeEnd = async () => {
      during = await walk<Item>(reading, '/api/v1/changes?limit=50');
    };
    const figures = Object.fromEntries(series.map((name) => [name, { '2023': '1', '2024': '2' }]));
    await importFiles(source, OWN, [deliveryOf('2026-08-03', { figures, beforeEnd })], {
      accept: 'a test',
      now: () => new Date('2026-11-01T00:00:00Z'),
    });
    expect(ids(during)).toEqual(ids(before));
    await reading.server.app.get(Heartbeat).poll();
    expect((await walk<Item>(reading, '/api/v1/changes?limit=50')).length).toBeGreaterThan(before.length);
    await reading.close();
    await own.drop();
  });
});
