import { DataSource } from 'typeorm';
import { RequestPipeline } from '../../src/serve/http/pipeline/request-pipeline.js';
import { ResponseCacheKeys } from '../../src/serve/http/response/response-cache-key.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { operationsOf, readDocument } from '../contract/document.js';
import { addressIn } from '../support/addresses.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Sent } from '../support/exchange.js';
import { segmentsIn } from '../support/paths.js';
import { startTestServer, type TestServer } from '../support/server.js';

const PAGE = '/api/v1/changes?limit=3';
const ORIGIN = 'https://app.example.com';
const A_MINUTE_LATER = 61_000;

/** Members of two log lines that differ although the requests are equal. */
const OWN = new Set(['time', 'requestId', 'account', 'ms']);

describe('A response before the router', () => {
  let database: TestDatabase;
  let service: TestServer;
  let keys: readonly [early: string, routed: string];
  let asked = 0;
  const clock = new StoppedClock('2026-11-20T00:00:01Z');

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock, environment: { CORS_ORIGINS: ORIGIN } });
    keys = [await service.key(), await service.key()];
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** Everything that a client and an operator see of one request. */
  async function seen(path: string, sent: Sent) {
    asked += 1;
    const id = `comparison-${String(asked)}`;
    const reply = await exchange(service.url, path, { ...sent, headers: { 'x-request-id': id, ...sent.headers } });
    await service.logged([id]);
    const line = service.lines.find((one) => one.includes(`"requestId":"${id}"`)) ?? '{}';
    const noted = Object.entries(JSON.parse(line) as object).filter(([name]) => !OWN.has(name));
    const { date: _date, 'x-request-id': echoed, ...headers } = reply.headers;
    const text = reply.bytes.toString('latin1').replaceAll(id, 'ID');
    return { status: reply.status, headers, text, echoes: echoed === id, noted };
  }

  /** The same request to an instance that has accepted no URL before: the router answers it. */
  async function routed(path: string, sent: Sent) {
    const accepted = service.server.app.get(ResponseCacheKeys);
    accepted.known = () => undefined;
    try {
      return await seen(path, sent);
    } finally {
      Reflect.deleteProperty(accepted, 'known');
    }
  }

  /** Only the router asks the request pipeline as a guard. */
  async function early(path: string, sent: Sent) {
    const pipeline = service.server.app.get(RequestPipeline);
    pipeline.canActivate = () => {
      throw new Error('The router has been reached');
    };
    try {
      return await seen(path, sent);
    } finally {
      Reflect.deleteProperty(pipeline, 'canActivate');
    }
  }

  /** Asks both ways, with keys whose accounts have sent equally many requests. */
  async function bothWays(path: string, sent: Sent, way = early) {
    clock.advance(A_MINUTE_LATER);
    const first = await routed(path, { ...sent, key: keys[1] });
    const second = await way(path, { ...sent, key: keys[0] });
    return { first, second };
  }

  it.each(LOCALES)('equals the router’s on every route in %s', async (locale) => {
    const segments = await segmentsIn(service.server.app.get(DataSource), 1);
    const documented = operationsOf(await readDocument(service)).filter(({ path }) => !/following|alerts/.test(path));
    expect(documented.length).toBeGreaterThan(15);
    for (const one of documented) {
      const path = addressIn(one, segments, locale);
      // The first request of a URL teaches it.
      await service.get(path);
      const { first, second } = await bothWays(path, {});
      expect({ path, ...second }).toEqual({ path, ...first });
      expect(first.status).toBe(200);
    }
  });

  it.each([
    ['HEAD', { method: 'HEAD' }],
    ['brotli', { headers: { 'accept-encoding': 'br' } }],
    ['gzip', { headers: { 'accept-encoding': 'gzip, br;q=0.1' } }],
    ['an ETag that matches', { headers: { 'if-none-match': '*' } }],
    ['an ETag that does not match', { headers: { 'if-none-match': '"old"' } }],
    ['an origin', { headers: { origin: ORIGIN } }],
    ['another origin', { headers: { origin: 'https://other.example.com' } }],
    ['an empty Accept', { headers: { accept: ',' } }],
  ])('equals the router’s for %s', async (_, sent) => {
    await service.get(PAGE);
    const { first, second } = await bothWays(PAGE, sent);
    expect(second).toEqual(first);
    expect(first.status).toBeLessThan(400);
  });

  it.each([
    ['an Accept without JSON', PAGE, { headers: { accept: 'text/csv' } }, 406],
    ['another method', PAGE, { method: 'POST' }, 405],
    ['headers that are too large', PAGE, { headers: { 'x-long': 'x'.repeat(17_000) } }, 431],
    ['a key in the URL', `${PAGE}&key=1`, {}, 400],
    ['an unknown parameter', `${PAGE}&nothing=1`, {}, 400],
    ['a cursor that was not issued', `${PAGE}&cursor=aaaaaaaaaaaaaaaaaaaaaaaa`, {}, 400],
    ['an unknown path', '/api/v1/nothing', {}, 404],
    ['an unknown change', '/api/v1/changes/chg_0', {}, 404],
  ] as const)('leaves %s to the router', async (_, path, sent, status) => {
    await service.get(PAGE);
    const { first, second } = await bothWays(path, sent, seen);
    expect(second).toEqual(first);
    expect(second.status).toBe(status);
  });

  it('is sent to nobody whose key the router refuses', async () => {
    await service.get(PAGE);
    for (const key of [undefined, 'tm_wrong']) {
      const sent = key === undefined ? {} : { key };
      expect((await routed(PAGE, sent)).status).toBe(401);
      const again = await seen(PAGE, sent);
      expect(again.status).toBe(401);
    }
  });

  it('counts once, also where the limit refuses, and refuses as the router does', async () => {
    const [one, other] = [await service.key('free'), await service.key('free')];
    await service.get(PAGE);
    const first = [await routed(PAGE, { key: one }), await routed(PAGE, { key: one })];
    const second = [await early(PAGE, { key: other }), await seen(PAGE, { key: other })];
    expect(second).toEqual(first);
    expect(second.map(({ status }) => status)).toEqual([200, 429]);
    clock.advance(A_MINUTE_LATER);
    const { headers } = await early(PAGE, { key: other });
    expect(headers['x-ratelimit-remaining-day']).toBe('398');
  });
});
