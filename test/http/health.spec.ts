import { Draining } from '../../src/serve/health/draining.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { PrivateRedis, redisInstalled } from '../limits/redis-servers.js';
import { describeIf } from '../support/needs.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { Lifeline } from '../support/lifeline.js';
import { until } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** The maximum delay of a reported state: heartbeat, time-out, busy machine. */
const TOLD_WITHIN = 15_000;

describe('GET /health', () => {
  let database: TestDatabase;
  let lifeline: Lifeline;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    lifeline = await Lifeline.to(database.connections);
    service = await startTestServer({ database, connections: lifeline.connections });
  });
  afterAll(async () => {
    await service.close();
    await lifeline.cut();
    await database.drop();
  });

  const ready = (at = service) => at.get('/health/ready', null);

  it('reports that the process is live and ready, without a key', async () => {
    const live = await service.get('/health/live', null);
    expect([live.status, live.text]).toEqual([200, '{"status":"live"}']);
    const { status, body, headers } = await ready();
    expect([status, body]).toEqual([
      200,
      {
        status: 'ready',
        database: 'up',
        migrations: 'current',
        dataVersion: service.server.app.get(Heartbeat).latest.dataVersion,
        redis: 'unused',
        draining: false,
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  it('supports HEAD without a body, and no other method or path', async () => {
    const head = await exchange(service.url, '/health/ready', { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await service.get('/health/ready', null, { method: 'POST' })).status).toBe(404);
    expect((await service.get('/health/other', null)).body.error?.code).toBe('not_found');
    expect((await service.get('/api/v1/health/ready', null)).status).toBe(401);
  });

  it('writes no log line and counts for no account', async () => {
    await ready();
    await service.get('/docs/errors', null);
    await until(TOLD_WITHIN, 'the log line of a page', () =>
      Promise.resolve(service.lines.some((line) => line.includes('"route":"/docs'))),
    );
    expect(service.lines.filter((line) => line.includes('"route":"/health'))).toEqual([]);
  });

  it('is unready but live while the database is away', async () => {
    await lifeline.cut();
    await until(TOLD_WITHIN, 'unready', async () => (await ready()).status === 503);
    const { body, text, headers } = await ready();
    expect(body).toMatchObject({ status: 'unready', database: 'down', draining: false });
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|ECONN/);
    expect(headers.get('retry-after')).toBe('1');
    expect((await service.get('/health/live', null)).status).toBe(200);
    await lifeline.mend();
    await until(TOLD_WITHIN, 'ready', async () => (await ready()).status === 200);
  });

  it('is unready until every migration of this version has run, and ignores newer ones', async () => {
    const owner = await database.open('admin');
    const [[last]] = await owner.query<[{ name: string }[], number]>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name',
    );
    const early = await startTestServer({ database });
    try {
      expect((await ready(early)).body).toMatchObject({ status: 'unready', migrations: 'pending' });
      await owner.query('INSERT INTO migrations (timestamp, name) VALUES (1, $1), (2, $2)', [
        last?.name,
        'OfTheNextVersion1',
      ]);
      await until(TOLD_WITHIN, 'ready', async () => (await ready(early)).status === 200);
    } finally {
      await early.close();
    }
  });

  it('becomes unready when the instance begins to drain', async () => {
    const leaving = await startTestServer({ database });
    try {
      leaving.server.app.get(Draining).begin();
      const { status, body } = await ready(leaving);
      expect([status, body]).toMatchObject([503, { status: 'unready', database: 'up', draining: true }]);
      expect((await leaving.get('/health/live', null)).status).toBe(200);
    } finally {
      await leaving.close();
    }
  });

  describeIf(redisInstalled, 'redis-server is not installed')('on Redis', () => {
    it('stays ready without Redis, and reports degraded', async () => {
      const redis = await PrivateRedis.start();
      const shared = await startTestServer({ database, environment: { REDIS_URL: redis.url } });
      try {
        await until(TOLD_WITHIN, 'Redis', async () => (await ready(shared)).text.includes('"redis":"up"'));
        expect((await ready(shared)).body).toMatchObject({ status: 'ready' });
        await redis.kill();
        await until(TOLD_WITHIN, 'degraded', async () => (await ready(shared)).text.includes('degraded'));
        const { status, body } = await ready(shared);
        expect([status, body]).toMatchObject([200, { status: 'degraded', redis: 'down', database: 'up' }]);
      } finally {
        await shared.close();
        await redis.kill();
      }
    });
  });
});
