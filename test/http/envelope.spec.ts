// runs: on two instances
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Exchange } from '../support/exchange.js';
import { formed, holding } from '../support/matchers.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ROUTES = [
  '/api/v1/changes',
  '/api/v1/coverage',
  '/api/v1/coverage/growth',
  '/api/v1/topics',
  '/api/v1/topics/gdp',
  '/api/v1/macro/board',
  '/api/v1/macro/gdp-growth',
  '/api/v1/macro/gdp-growth?region=JP',
];
/** A board contains the inflation of groups, which is a median of their members. */
const NOTICES = new Map([
  ['/api/v1/macro/board', [formed(/the median of its members, not a rate of the whole group/)]],
]);
const PAGED = ['/api/v1/changes', '/api/v1/coverage/growth', '/api/v1/topics/gdp'];

let database: TestDatabase;
let service: TestServer;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database });
});
beforeEach(async () => {
  key = await service.key();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Exchange> =>
  exchange(service.url, path, { key, headers, method });

describe('A successful body', () => {
  it.each(ROUTES)('is { data, meta } in JSON and UTF-8: %s', async (path) => {
    const { status, headers, body } = await ask(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(body ?? {})).toEqual(['data', 'meta']);
    expect(body?.meta).toMatchObject({ locale: 'en', notices: NOTICES.get(path) ?? [] });
  });

  it.each(ROUTES)('contains its data version and the time of its publication: %s', async (path) => {
    const { body } = await ask(path);
    expect(body?.meta.dataVersion).toBe(4);
    expect(body?.meta.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('has data version 0 and no publication time before the first publication', async () => {
    const empty = await createTestDatabase('empty');
    const unpublished = await startTestServer({ database: empty });
    const { status, body } = await unpublished.get('/api/v1/changes');
    expect([status, body.data, body.meta.dataVersion, body.meta.publishedAt]).toEqual([200, [], 0, null]);
    await unpublished.close();
    await empty.drop();
  });

  it.each(PAGED)('contains the page and the next cursor on paged lists: %s', async (path) => {
    const { body, headers } = await ask(`${path}?limit=2&locale=ja`);
    const cursor = body?.meta.page?.nextCursor;
    expect(body?.meta.page).toEqual({ limit: 2, nextCursor: formed(/^[A-Za-z0-9_-]+$/) });
    expect(headers.link).toBe(`<${service.url}${path}?limit=2&locale=ja&cursor=${cursor}>; rel="next"`);
  });

  it('has a link header that leads to the next page', async () => {
    const first = await ask('/api/v1/changes?limit=3&country=JPN');
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.link?.toString() ?? '')?.[1] ?? '';
    const { status, body } = await ask(next.slice(service.url.length));
    expect(status).toBe(200);
    expect(body?.data).not.toEqual(first.body?.data);
  });

  it('has a null cursor and no link at the end of a list', async () => {
    const { body, headers } = await ask('/api/v1/changes?status=withdrawn');
    expect(body?.meta.page?.nextCursor).toBeNull();
    expect(headers.link).toBeUndefined();
  });

  it('is identical for equal requests, however they are spelt', async () => {
    const asked = ['?limit=20', '', '?locale=en&limit=20', '?limit=20&locale=en&'];
    const replies = await Promise.all(asked.map((query) => ask(`/api/v1/changes${query}`)));
    expect(new Set(replies.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
    const links = replies.map(({ headers }) => String(headers.link).replace(/cursor=[^&>]+/, 'cursor='));
    expect(links).toEqual(
      ['?limit=20&cursor=', '?cursor=', '?locale=en&limit=20&cursor=', '?limit=20&locale=en&cursor='].map(
        (query) => `<${service.url}/api/v1/changes${query}>; rel="next"`,
      ),
    );
    const spelt = await Promise.all(['jp', 'JP', 'jP'].map((code) => ask(`/api/v1/changes?country=${code}`)));
    expect(new Set(spelt.map(({ bytes }) => bytes.toString())).size).toBe(1);
  });

  it('is identical for another account, another plan and another instance', async () => {
    const other = await startTestServer({ database });
    const freeKey = await service.key('free');
    const replies = [
      await ask('/api/v1/changes'),
      await exchange(service.url, '/api/v1/changes', { key: freeKey }),
      await exchange(other.url, '/api/v1/changes', { key }),
    ];
    await other.close();
    expect(new Set(replies.map(({ bytes }) => bytes.toString().replaceAll(other.url, service.url))).size).toBe(1);
  });

  it('contains nothing of the request: the request id is a header only', async () => {
    const { bytes } = await ask('/api/v1/changes?limit=1', { 'x-request-id': 'request-0001' });
    expect(bytes.toString()).not.toContain('request-0001');
  });
});

describe('The headers of every response', () => {
  const EVERY = [...ROUTES, '/api/v1/none', '/api/v1/changes?limit=0', '/api/v1/changes?key=1'];

  it.each(EVERY)('contain request id, language, vary and hardening: %s', async (path) => {
    const { headers } = await ask(path);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['content-language']).toBe('en');
    expect(headers.vary).toBe('authorization, accept-encoding');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'permissions-policy': holding('geolocation=()'),
      'content-security-policy': holding("default-src 'self'"),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each(ROUTES)('let clients cache content privately for 30 seconds: %s', async (path) => {
    expect((await ask(path)).headers['cache-control']).toBe('private, max-age=30');
  });

  it.each(['/api/v1/none', '/api/v1/changes?limit=0', '/api/v1/changes?key=1'])(
    'forbid caching errors: %s',
    async (path) => {
      expect((await ask(path)).headers['cache-control']).toBe('no-store');
    },
  );

  it.each(['a3f2c9d0-4b1e', 'A.b_c-123', 'x'.repeat(64)])('repeat a valid request id: %s', async (id) => {
    expect((await ask('/api/v1/topics', { 'x-request-id': id })).headers['x-request-id']).toBe(id);
  });

  it.each(['short', 'x'.repeat(65), 'has space 1', '<script>1', '../../etc/passwd', ''])(
    'replace an invalid request id: %s',
    async (id) => {
      const { headers } = await ask('/api/v1/topics', { 'x-request-id': id });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('give each response a request id of its own, which an error’s body repeats', async () => {
    const replies = await Promise.all([ask('/api/v1/none'), ask('/api/v1/none')]);
    const ids = replies.map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(2);
    expect(replies.map(({ body }) => body?.error?.requestId)).toEqual(ids);
  });
});

describe('A conditional request', () => {
  it.each(ROUTES)('gets 304 without a body if nothing has changed: %s', async (path) => {
    const { headers } = await ask(path);
    expect(headers.etag).toMatch(/^"[^"]+"$/);
    const again = await ask(path, { 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.headers).toMatchObject({
      etag: headers.etag,
      'cache-control': headers['cache-control'],
      'content-language': 'en',
      vary: headers.vary,
    });
  });

  it('matches *, a weak tag, and one of several', async () => {
    const etag = (await ask('/api/v1/topics')).headers.etag ?? '';
    for (const sent of ['*', `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "more"`]) {
      expect((await ask('/api/v1/topics', { 'if-none-match': sent })).status).toBe(304);
    }
  });

  it('does not match another tag, or the tag without its quotes', async () => {
    const etag = (await ask('/api/v1/topics')).headers.etag ?? '';
    for (const sent of ['"other"', etag.replaceAll('"', ''), '']) {
      expect((await ask('/api/v1/topics', { 'if-none-match': sent })).status).toBe(200);
    }
  });

  it('matches only the tag of its own coding', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(
        async (coding) => (await ask('/api/v1/changes', { 'accept-encoding': coding })).headers.etag ?? '',
      ),
    );
    expect(new Set(tags).size).toBe(3);
    const [br = '', gzip = ''] = tags;
    const match = (coding: string, tag: string) =>
      ask('/api/v1/changes', { 'accept-encoding': coding, 'if-none-match': tag });
    expect((await match('br', br)).status).toBe(304);
    expect((await match('br', gzip)).status).toBe(200);
    expect((await match('identity', br)).status).toBe(200);
  });

  it('never turns an error into 304', async () => {
    expect((await ask('/api/v1/none', { 'if-none-match': '*' })).status).toBe(404);
    expect((await ask('/api/v1/changes?limit=0', { 'if-none-match': '*' })).status).toBe(400);
  });
});

describe('A HEAD request', () => {
  it.each(ROUTES)('gets the headers of GET and no body: %s', async (path) => {
    const got = await ask(path);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'link', 'vary']) {
      expect(head.headers[name]).toBe(got.headers[name]);
    }
    const fresh = await ask(path, { 'if-none-match': head.headers.etag ?? '' }, 'HEAD');
    expect(fresh.status).toBe(304);
  });
});

describe('Compression', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['identity, br;q=0.5', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
  ])('answers accept-encoding "%s" with %s', async (accepted, coding) => {
    const plain = (await ask('/api/v1/changes')).bytes.toString();
    const { headers, bytes } = await ask('/api/v1/changes', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
    expect(Number(headers['content-length'])).toBe(bytes.length);
    const decoded = coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(decoded.toString()).toBe(plain);
  });

  it('skips bodies below 1 kB', async () => {
    const { headers, bytes } = await ask('/api/v1/changes?status=withdrawn', { 'accept-encoding': 'br' });
    expect(bytes.length).toBeLessThan(1_000);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('applies from 1 kB on', async () => {
    const plain = await ask('/api/v1/changes?limit=1');
    expect(plain.bytes.length).toBeGreaterThanOrEqual(1_000);
    const { headers } = await ask('/api/v1/changes?limit=1', { 'accept-encoding': 'gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });
});
