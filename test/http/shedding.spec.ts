// runs: in full only
import { once } from 'node:events';
import { connect } from 'node:net';
import { Metrics } from '../../src/serve/metrics/metrics.js';
import { LoadShedder } from '../../src/serve/http/overload/load-shedder.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/processes.js';

const KEPT = '/api/v1/changes?limit=3';
const ANEW = '/api/v1/changes?limit=4';
const FOLLOWING = '/api/v1/following';
/** Larger than the buffers between the two ends of a connection. */
const FILE = '/docs/swagger-ui-bundle.js';
/** More than any burst. */
const MANY = 1_000;
/** As many copies of this document exceed the buffers of a connection. */
const UNREAD = 100;

describe('An overloaded instance', () => {
  let database: TestDatabase;
  let service: TestServer;
  let key: string;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database, environment: { CORS_ORIGINS: 'https://app.example.com' } });
    key = await service.key();
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const loadShedder = () => service.server.app.get(LoadShedder);
  /** After one more request. On a busy machine the instance may reject it, uncounted, shortly after shedding. */
  const left = async () => {
    let remaining: string | null = null;
    await until(10_000, 'an answer', async () => {
      const { status, headers } = await service.get(KEPT, key);
      remaining = headers.get('x-ratelimit-remaining-day');
      return status === 200;
    });
    return Number(remaining);
  };

  /** Runs the work while this many others are in progress. */
  async function among(which: 'requests' | 'cacheMisses', work: () => Promise<void>): Promise<void> {
    const limiter = loadShedder()[which];
    for (let one = 0; one < MANY; one += 1) limiter.acquire();
    try {
      await work();
    } finally {
      for (let one = 0; one < MANY; one += 1) limiter.release();
    }
  }

  it('refuses by 503 with retry-after, in the locale, and counts nothing', async () => {
    const before = await left();
    await among('requests', async () => {
      const refused = await service.get(`${KEPT}&locale=ja`, key, {
        headers: { 'x-request-id': 'mine-000001', origin: 'https://app.example.com' },
      });
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatchObject({
        code: 'unavailable',
        status: 503,
        requestId: 'mine-000001',
        type: `${service.url}/docs/errors/unavailable`,
      });
      expect(refused.body.error?.detail).toContain('リクエストが集中');
      expect(Object.fromEntries(refused.headers)).toMatchObject({
        'retry-after': '1',
        'cache-control': 'no-store',
        'content-language': 'ja',
        'x-request-id': 'mine-000001',
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': 'https://app.example.com',
        vary: 'authorization, accept-encoding, origin',
      });
      expect(refused.headers.has('x-ratelimit-limit-day')).toBe(false);
    });
    expect(await left()).toBe(before - 1);
  });

  it('refuses before it verifies the key, whatever the method', async () => {
    await among('requests', async () => {
      expect((await service.get(KEPT, null)).status).toBe(503);
      expect((await service.get('/docs/errors', null)).status).toBe(503);
      const head = await fetch(service.url + KEPT, { method: 'HEAD' });
      expect([head.status, head.headers.get('retry-after')]).toEqual([503, '1']);
    });
  });

  it('still reports whether it is live and ready', async () => {
    await among('requests', async () => {
      expect((await service.get('/health/live', null)).status).toBe(200);
      expect((await service.get('/health/ready', null)).status).toBe(200);
    });
  });

  it('updates metrics and log', async () => {
    await among('requests', async () => {
      await service.get(KEPT, key);
    });
    expect(await service.server.app.get(Metrics).text()).toMatch(
      /tidemark_shed_requests_total\{reason="requests"\} [1-9]/,
    );
    expect(service.lines.join('\n')).toContain('overload: shedding requests');
    await until(10_000, 'calm', async () => {
      await service.get(KEPT, key);
      return service.lines.join('\n').includes('overload over: no longer shedding requests');
    });
  });

  it('serves cache hits during too many cache misses, and refuses new misses uncounted', async () => {
    const before = await left();
    await among('cacheMisses', async () => {
      expect((await service.get(KEPT, key)).status).toBe(200);
      for (const path of [ANEW, FOLLOWING]) {
        const refused = await service.get(path, key);
        expect([refused.status, refused.body.error?.code]).toEqual([503, 'unavailable']);
        expect(refused.headers.get('retry-after')).toBe('1');
      }
      expect((await service.get('/api/v1/nothing', key)).status).toBe(404);
    });
    expect((await service.get(ANEW, key)).status).toBe(200);
    // The cache hit, the unknown path, the cache miss and this request.
    expect(await left()).toBe(before - 4);
  });

  it('holds no slot for a request body in transit', async () => {
    const { host, port } = new URL(service.url);
    const writing = connect(Number(port), '127.0.0.1');
    writing.write(
      `POST /api/v1/mcp HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n` +
        'Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: 100\r\n' +
        'Expect: 100-continue\r\n\r\n',
    );
    await once(writing, 'data');
    await until(5_000, 'nobody inside', () => Promise.resolve(loadShedder().requests.inFlight === 0));
    writing.destroy();
  });

  it('holds no slot for a response that the client does not read', async () => {
    const { host, port } = new URL(service.url);
    const reading = connect(Number(port), '127.0.0.1');
    reading.write(`GET /docs/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(UNREAD));
    await once(reading, 'readable');
    await until(5_000, 'nobody inside', () => Promise.resolve(loadShedder().requests.inFlight === 0));
    reading.destroy();
  });

  it.each([
    ['that is not being read', 1],
    ['and those behind it, when the connection goes', 200],
  ])('holds no slot for a file %s', async (_, times) => {
    const { host, port } = new URL(service.url);
    const reading = connect(Number(port), '127.0.0.1');
    reading.write(`GET ${FILE} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(times));
    await once(reading, 'readable');
    if (times > 1) reading.destroy();
    await until(5_000, 'nobody inside', () => Promise.resolve(loadShedder().requests.inFlight === 0));
    reading.destroy();
    // None of them is in progress any more for metrics, log or traces.
    await until(5_000, 'nobody under way', () => Promise.resolve(service.server.app.get(Metrics).inFlight === 0));
  });

  it('sheds paths that only resemble a health check', async () => {
    await among('requests', async () => {
      expect((await service.get('/health/nothing', null)).status).toBe(503);
      expect((await fetch(`${service.url}/health/live`, { method: 'POST' })).status).toBe(503);
    });
  });

  it('is empty after every response', async () => {
    await Promise.all([KEPT, ANEW, FOLLOWING, '/api/v1/nothing', '/docs'].map((path) => service.get(path, key)));
    await until(5_000, 'nobody inside', () => Promise.resolve(loadShedder().requests.inFlight === 0));
    expect(loadShedder().cacheMisses.inFlight).toBe(0);
  });
});
