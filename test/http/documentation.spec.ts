import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';

const LICENCES = '/docs/swagger-ui-bundle.js.LICENSE.txt';
const LIBRARY = ['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', LICENCES];
const INIT = '/docs/swagger-ui-init.js';
/** By /docs, in alphabetical order. */
const LOADED = ['/docs/openapi.json', '/docs/swagger-ui-bundle.js', INIT, '/docs/swagger-ui.css'];
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
const PAGES = [
  '/docs/start',
  '/docs',
  '/docs/',
  '/docs/errors',
  '/docs/errors/not_found',
  '/docs/changelog',
  '/docs/first-steps',
  '/docs/stability',
  LICENCES,
  ...LOADED,
];

describe('The documentation', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase();
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    exchange(service.url, path, { headers, method });

  it.each(PAGES)('is served from memory with cache headers and one ETag per coding: %s', async (path) => {
    const plain = await ask(path);
    expect(plain.status).toBe(200);
    expect(plain.headers).toMatchObject({
      'cache-control': LIBRARY.includes(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      vary: 'accept-encoding',
      'content-length': String(plain.bytes.length),
    });
    const etags = new Set([plain.headers.etag]);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const coding of ['br', 'gzip'] as const) {
      const coded = await ask(path, { 'accept-encoding': coding });
      if (plain.bytes.length >= 1_000) {
        expect(coded.headers['content-encoding']).toBe(coding);
        expect(decode[coding](coded.bytes).equals(plain.bytes)).toBe(true);
        etags.add(coded.headers.etag);
      }
      const fresh = await ask(path, { 'accept-encoding': coding, 'if-none-match': coded.headers.etag ?? '' });
      expect([fresh.status, fresh.bytes.length]).toEqual([304, 0]);
    }
    expect(etags.size).toBe(plain.bytes.length >= 1_000 ? 3 : 1);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, plain.headers.etag]);
    expect(head.headers['content-length']).toBe(plain.headers['content-length']);
  });

  it('has the files that its page loads, and no other host’s', async () => {
    const page = (await ask('/docs')).bytes.toString();
    const script = (await ask(INIT)).bytes;
    const named = [...`${page}${script.toString()}`.matchAll(/["'](\/docs\/[^"'?]+)(?:\?v=[\da-f.]+)?["']/g)]
      .map(([, name]) => name)
      // The way back.
      .filter((name) => name !== '/docs/start');
    expect(named.sort()).toEqual(LOADED);
    expect(script.length).toBeLessThan(2_000);
    for (const name of LOADED) {
      const { headers } = await ask(name);
      expect(headers['content-type']).toBe(TYPES[name.split('.').at(-1) ?? '']);
    }
  });

  it.each([
    'package.json',
    'swagger-ui-bundle.js.map',
    'swagger-ui-es-bundle.js',
    'swagger-ui-standalone-preset.js',
    'oauth2-redirect.html',
    'index.html',
    '..%2fpackage.json',
    'errors/nothing',
  ])('serves nothing else of the packages: %s', async (name) => {
    const { status, body } = await ask(`/docs/${name}`);
    expect([status, body?.error?.code]).toEqual([404, 'not_found']);
  });
});
