import { LoadShedder } from '../../src/serve/http/overload/load-shedder.js';
import { Metrics } from '../../src/serve/metrics/metrics.js';
import type { Plan } from '../../src/domain/plans/plans.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const PAGE = '/api/v1/changes?limit=3&kind=revision&locale=en';

/** Enables the metrics of an instance. */
const watched = async () => ({ METRICS_PORT: String(await freePort()) });

describe('A cached response', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, environment: await watched() });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** The number of cache misses so far. */
  const misses = async () => {
    const text = await service.server.app.get(Metrics).text();
    const [, count = ''] =
      /tidemark_response_cache_requests_total\{cache="http",outcome="miss"\} (\d+)/.exec(text) ?? [];
    expect(count).toMatch(/\d/);
    return Number(count);
  };

  it.each([
    ['percent-encoding', '/api/v1/changes?lim%69t=3&k%69nd=%72evision&locale=e%6e'],
    ['order', '/api/v1/changes?locale=en&kind=revision&limit=3'],
    ['a default that is left out', '/api/v1/changes?limit=3&kind=revision'],
    ['an empty pair', '/api/v1/changes?&limit=3&&kind=revision&'],
    ['a number', '/api/v1/changes?limit=003&kind=revision'],
  ])('serves another spelling of its request: %s', async (_, spelling) => {
    const first = await service.get(PAGE);
    const before = await misses();
    const again = await service.get(spelling);
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([200, first.text, first.headers.get('etag')]);
    expect(await misses()).toBe(before);
  });

  it.each(['/api/v1/changes?limit=4&kind=revision', '/api/v1/changes?limit=3', `${PAGE.slice(0, -2)}ja`])(
    'does not serve another request: %s',
    async (other) => {
      const [first, second] = [await service.get(PAGE), await service.get(other)];
      expect(second.text).not.toBe(first.text);
    },
  );

  it('serves every plan if the plan’s reach does not matter, and otherwise one plan', async () => {
    const asked = async (path: string) => {
      const plans: readonly Plan[] = ['free', 'pro', 'intelligence', 'developer'];
      const before = await misses();
      for (const plan of plans) await service.get(path, await service.key(plan));
      return (await misses()) - before;
    };
    expect(await asked('/api/v1/topics?locale=zh')).toBe(1);
    const [entity] = await (await database.open('admin')).query<{ id: string }[]>('SELECT id FROM entities LIMIT 1');
    const path = `/api/v1/entities/${entity?.id ?? ''}/structure`;
    expect([await asked(path), await asked(path)]).toEqual([4, 0]);
  });

  it('does not exist for an invalid parameter, which is refused each time', async () => {
    const before = await misses();
    for (const path of ['/api/v1/changes?limit=0', '/api/v1/changes?nothing=1', '/api/v1/changes?limit=0']) {
      expect((await service.get(path)).status).toBe(400);
    }
    expect(await misses()).toBe(before);
  });
});

describe('One account', () => {
  it('has eight cache misses in progress at once; further ones wait and are served too', async () => {
    const database = await createTestDatabase('figures');
    const service = await startTestServer({ database, environment: await watched() });
    const { app } = service.server;
    const [load, metrics] = [app.get(LoadShedder), app.get(Metrics)];
    const owner = await database.open('admin');
    const lock = owner.createQueryRunner();
    try {
      const [key, other] = [await service.key(), await service.key()];
      await lock.startTransaction();
      await lock.query('LOCK TABLE changes IN ACCESS EXCLUSIVE MODE');
      const page = Array.from({ length: 20 }, (_, at) => service.get(`/api/v1/changes?limit=${at + 1}`, key));
      await until(10_000, 'twenty requests', () => Promise.resolve(metrics.inFlight === 20));
      await until(10_000, 'eight at work', () => Promise.resolve(load.cacheMisses.inFlight === 8));
      // The remaining connections are for all other accounts.
      expect((await service.get('/api/v1/topics', other)).status).toBe(200);
      expect(load.cacheMisses.inFlight).toBe(8);
      await lock.rollbackTransaction();
      expect((await Promise.all(page)).map(({ status }) => status)).toEqual(page.map(() => 200));
      expect(load.cacheMisses.inFlight).toBe(0);
    } finally {
      await lock.release();
      await service.close();
      await database.drop();
    }
  });
});
