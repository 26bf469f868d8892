import { Redis } from 'ioredis';
import { Access } from '../../src/serve/access/accounts/access.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { openLimits, type Limits } from '../../src/serve/limits/limits.js';
import { SYSTEM_CLOCK } from '../../src/serve/limits/rate-limit-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { TEST_PEPPER } from '../support/server.js';
import { until } from '../support/until.js';
import { describeIf } from '../support/needs.js';
import { PrivateRedis, redisInstalled } from './redis-servers.js';
import type { DataSource } from 'typeorm';

const WITHIN = 30_000;

describeIf(redisInstalled, 'redis-server is not installed')('The usage reconciler', () => {
  let database: TestDatabase;
  let source: DataSource;
  let owners: DataSource;
  let owner: DataSource;
  let redis: PrivateRedis;
  let accountId: string;
  const opened: Limits[] = [];
  let accounts = 0;

  beforeAll(async () => {
    database = await createTestDatabase('empty');
    [source, owners, owner] = await Promise.all([
      database.open('api'),
      database.open('account'),
      database.open('admin'),
    ]);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    redis = await PrivateRedis.start();
    const peppers = new Peppers([{ id: 'test', value: TEST_PEPPER }]);
    const access = new Access(owners, peppers, () => new Date());
    const email = `reconciled-${String(++accounts)}@test.example`;
    accountId = (await access.createAccount({ email, plan: 'pro', signedUpAt: new Date(0) })).id;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((limits) => limits.close()));
    await redis.kill();
  });

  async function instance(): Promise<Limits> {
    const limits = openLimits({
      redisUrl: redis.url,
      database: source,
      clock: SYSTEM_CLOCK,
      onRedisChange: () => undefined,
      onUnwrittenUsage: () => undefined,
    });
    opened.push(limits);
    await reaches(limits, 'redis');
    return limits;
  }

  const reaches = (limits: Limits, state: 'redis' | 'fallback'): Promise<void> =>
    until(WITHIN, state, () => Promise.resolve(limits.state === state));

  const admit = async ({ storage }: Limits, count: number): Promise<number> => {
    const records = await Promise.all(
      Array.from({ length: count }, () => storage.increment(accountId, 60_000, 5, 0, 'pro')),
    );
    return records.filter(({ isBlocked }) => !isBlocked).length;
  };

  async function shares(): Promise<number> {
    const client = new Redis(redis.url);
    try {
      const values = Object.values(await client.hgetall('tm:instances'));
      return values.filter((value) => /^\d+ \d+ \d+ 1 \d$/.test(value)).length;
    } finally {
      client.disconnect();
    }
  }

  async function dayInRedis(): Promise<number> {
    const client = new Redis(redis.url);
    try {
      return Number(await client.hget(`tm:{${accountId}}:d`, 'n'));
    } finally {
      client.disconnect();
    }
  }

  async function dayInDatabase(): Promise<number> {
    const rows = await owner.query<{ readonly admitted: number }[]>(
      'SELECT admitted FROM daily_usage WHERE account_id = $1',
      [accountId],
    );
    return rows.reduce((sum, { admitted }) => sum + admitted, 0);
  }

  const becomes = (what: string, count: () => Promise<number>, expected: number): Promise<void> =>
    until(WITHIN, what, async () => (await count()) === expected);

  it('raises the day in Redis to the requests that instances admitted while it was away', async () => {
    const [one, two] = [await instance(), await instance()];
    await until(WITHIN, 'shares of the reserve', async () => (await shares()) === 2);
    expect(await admit(one, 1)).toBe(1);
    redis.freeze();
    await Promise.all([reaches(one, 'fallback'), reaches(two, 'fallback')]);
    // A token that Redis leased to the first one, and the reserve of both.
    let admitted = 0;
    await until(WITHIN, 'what both may admit', async () => {
      admitted += (await admit(one, 9)) + (await admit(two, 9));
      return admitted === 2;
    });
    await becomes('the usage in the database', dayInDatabase, 3);
    expect(one.counters?.unsynced).toBe(1);
    redis.thaw();
    await becomes('the day in Redis', dayInRedis, 3);
    await until(WITHIN, 'both to be in step', () =>
      Promise.resolve([one, two].every(({ counters }) => counters?.unsynced === 0)),
    );
  });

  it('raises the day in a Redis that lost its last counts', async () => {
    const one = await instance();
    expect(await admit(one, 4)).toBe(4);
    await becomes('the usage in the database', dayInDatabase, 4);
    const client = new Redis(redis.url);
    await client.hincrby(`tm:{${accountId}}:d`, 'n', -3);
    client.disconnect();
    expect(await admit(one, 1)).toBe(1);
    await becomes('the day in Redis', dayInRedis, 5);
  });
});
