import { describeIf, redisReachable, SHARED_URL } from '../limits/redis-servers.js';
import type { Plan } from '../../src/plans/plans.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { isBuilt, startProcess, until, type ServerProcess } from '../support/processes.js';
import { startTestServer, type TestServer } from '../support/server.js';

const TOPICS = '/api/v1/topics';
const ONE_SECOND = 1_000;

const missing = isBuilt ? 'Redis is not reachable' : 'dist is not built';
describeIf(redisReachable && isBuilt, missing)('two processes of the built service', () => {
  let database: TestDatabase;
  let service: TestServer;
  let processes: ServerProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    processes = await Promise.all([1, 2].map(() => startProcess(database, { REDIS_URL: SHARED_URL })));
    for (const one of processes) {
      await until(10_000, 'Redis', () => Promise.resolve(one.output().includes('counted in Redis')));
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await service.close();
    await database.drop();
  }, 30_000);

  const statuses = (key: string) =>
    Promise.all(processes.map(async ({ url }) => (await exchange(url, TOPICS, { key })).status));
  const everywhere = (status: number, key: string) => async () =>
    (await statuses(key)).every((one) => one === status);
  let accounts = 0;
  const account = async () => {
    const email = `processes-${String(++accounts)}@test.example`;
    await service.access.createAccount({ email, plan: 'developer', signedUpAt: new Date(0) });
    const { key, text } = await service.access.createKey(email, 'one');
    expect(await statuses(text)).toEqual([200, 200]);
    return { email, id: key.id, key: text };
  };

  it('answer the same question with the same bytes', async () => {
    const { key } = await account();
    const [one, two] = await Promise.all(
      processes.map(async ({ url }) => {
        const { bytes } = await exchange(url, '/api/v1/changes?limit=100', { key });
        return bytes.toString().replaceAll(url, '');
      }),
    );
    expect(one).toBe(two);
  });

  it('refuse a revoked key within a second', async () => {
    const { id, key } = await account();
    await service.access.revokeKey(id);
    await until(ONE_SECOND, 'the revocation', everywhere(401, key));
  });

  it('refuse the keys of a suspended account within a second', async () => {
    const { email, key } = await account();
    await service.access.setStatus(email, 'suspended');
    await until(ONE_SECOND, 'the suspension', everywhere(403, key));
  });

  it('take a new plan on within a second', async () => {
    const { email, key } = await account();
    await service.access.setPlan(email, 'pro');
    await until(ONE_SECOND, 'the plan', async () => {
      const replies = await Promise.all(processes.map(({ url }) => exchange(url, TOPICS, { key })));
      return replies.every(({ headers }) => headers['x-ratelimit-limit-day'] === '5000');
    });
  });

  const fallbacks = () =>
    processes.reduce((sum, one) => sum + one.output().split('"limits":"fallback"').length - 1, 0);

  /** Ten times what the plan allows, all at once, evenly over both processes. */
  async function contend(plan: Plan, allowed: number) {
    const key = await service.key(plan);
    const before = fallbacks();
    const requests = Array.from({ length: allowed * 10 }, (_, index) => index % processes.length);
    const replies = await Promise.all(
      requests.map((process) => exchange(processes[process]?.url ?? '', TOPICS, { key })),
    );
    const answered = (status: number) => replies.filter((reply) => reply.status === status).length;
    const ids = replies.map(({ headers }) => String(headers['x-request-id']));
    await until(10_000, 'the log lines', () => {
      const logged = processes.map((one) => one.output()).join('');
      return Promise.resolve(ids.every((id) => logged.includes(id)));
    });
    return { admitted: answered(200), refused: answered(429), fallbacks: fallbacks() - before };
  }

  it.each([
    ['free', 1],
    ['pro', 5],
    ['intelligence', 60],
    ['developer', 120],
  ] as const)(
    'admit together exactly what %s allows, %d, of ten times as many requests at once',
    async (plan, allowed) => {
      // On a machine too busy for Redis to answer in time, a process rightly goes on by itself, and logs so:
      // such a round shows nothing of Redis.
      let round = await contend(plan, allowed);
      for (let tries = 1; round.fallbacks > 0 && tries < 8; tries += 1) round = await contend(plan, allowed);
      expect(round).toEqual({ admitted: allowed, refused: allowed * 9, fallbacks: 0 });
    },
    60_000,
  );

  it('write no key into their output', async () => {
    const { key } = await account();
    await exchange(processes[0]?.url ?? '', `/api/v1/changes?q=${key}`, { key });
    for (const one of processes) {
      expect(one.output()).toContain('/api/v1/topics');
      expect(one.output().includes(key.slice(3, 20))).toBe(false);
    }
  });
});
