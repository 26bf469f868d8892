import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisStore } from '../../src/serve/limits/redis/redis-store.js';
import { describeIf } from '../support/needs.js';
import { PrivateRedis, redisInstalled } from './redis-servers.js';
import { SlowProxy } from '../faults/cluster/slow-proxy.mjs';
import { SYSTEM_CLOCK } from '../../src/serve/limits/rate-limit-store.js';
import { until } from '../support/until.js';
import type { Budget, LimitClock, RateLimitResult } from '../../src/serve/limits/rate-limit-store.js';

const PRO: Budget = { perMinute: 5, perDay: 5_000 };
const DEVELOPER: Budget = { perMinute: 120, perDay: 100_000 };
const DAY_MS = 86_400_000;
/** Longer than instances keep to the reserve. */
const LONG_MS = 71_000;
/** Delay per direction: no reply arrives within the 250 ms that a caller waits. */
const LATE_MS = 400;
/** The reserve of a Pro account: all instances together admit so many a minute while Redis is away. */
const PRO_RESERVE = 1;

describeIf(redisInstalled, 'redis-server is not installed')('The Redis store', () => {
  let server: PrivateRedis;
  const opened: RedisStore[] = [];
  const direct: Redis[] = [];
  const proxies: SlowProxy[] = [];
  let key: string;
  let inDatabase: number;

  beforeEach(async () => {
    server = await PrivateRedis.start();
    key = randomUUID();
    inDatabase = 0;
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    for (const client of direct.splice(0)) client.disconnect();
    for (const proxy of proxies.splice(0)) proxy.close();
    await server.kill();
  });

  function build(url = server.url, clock: LimitClock = SYSTEM_CLOCK): RedisStore {
    const store = new RedisStore(url, clock);
    opened.push(store);
    return store;
  }

  async function open(url?: string, clock?: LimitClock): Promise<RedisStore> {
    const store = build(url, clock);
    expect(await store.ready(10_000)).toBe(true);
    return store;
  }

  async function proxied(): Promise<{ store: RedisStore; proxy: SlowProxy }> {
    const proxy = await SlowProxy.before(server.port);
    proxies.push(proxy);
    return { proxy, store: await open(proxy.url) };
  }

  function directly(): Redis {
    const client = new Redis(server.url);
    client.on('error', () => undefined);
    direct.push(client);
    return client;
  }

  const admit = (store: RedisStore, budget = PRO): Promise<RateLimitResult> =>
    store.admit(key, budget, () => Promise.resolve(inDatabase));

  const admitMany = (store: RedisStore, count: number, budget = PRO): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: count }, () => admit(store, budget)));

  const admitted = (results: readonly RateLimitResult[]): number => results.filter((result) => result.admitted).length;

  const reaches = (store: RedisStore, state: 'redis' | 'fallback'): Promise<void> =>
    until(20_000, state, () => Promise.resolve(store.state === state));

  /** Registered, with a share of the reserve. */
  const settled = (...stores: RedisStore[]): Promise<void> =>
    until(10_000, 'shares', async () => {
      const fields = await directly().hgetall('tm:instances');
      const shares = Object.values(fields).filter((value) => /^\d+ \d+ \d+ 1 \d$/.test(value));
      return shares.length === stores.length;
    });

  it('starts without Redis, refuses without a share of the reserve, and uses Redis once it is reachable', async () => {
    const { port } = server;
    await server.kill();
    const store = build();
    inDatabase = 40;
    expect(await admit(store)).toMatchObject({ via: 'fallback', admitted: false, dayUsed: 40 });
    server = await PrivateRedis.start(port);
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true });
  });

  it('admits the reserve while Redis is away, on all instances together', async () => {
    const stores = [await open(), await open(), await open()];
    await settled(...stores);
    const used = await Promise.all(stores.map((store) => admitMany(store, 20)));
    expect(admitted(used.flat())).toBe(5);
    await server.kill();
    await Promise.all(stores.map((store) => reaches(store, 'fallback')));
    const away = await Promise.all(stores.map((store) => admitMany(store, 20)));
    expect(admitted(away.flat())).toBe(PRO_RESERVE);
    const large = await Promise.all(stores.map((store) => admitMany(store, 200, DEVELOPER)));
    expect(admitted(large.flat())).toBeLessThanOrEqual(30);
  });

  it('admits whole minutes again once Redis was away for longer, and a quarter when it is back', async () => {
    let ahead = 0;
    const clock = { monotonic: () => performance.now() + ahead, wall: () => Date.now() + ahead };
    const stores = [await open(server.url, clock), await open(server.url, clock)];
    await settled(...stores);
    const burst = async (budget: Budget, count: number) =>
      admitted((await Promise.all(stores.map((store) => admitMany(store, count, budget)))).flat());
    const { port } = server;
    await server.kill();
    await Promise.all(stores.map((store) => reaches(store, 'fallback')));
    ahead += LONG_MS;
    inDatabase = 500;
    key = randomUUID();
    expect(await burst(DEVELOPER, 150)).toBe(120);
    key = randomUUID();
    inDatabase = 0;
    expect(await burst({ perMinute: 1, perDay: 50 }, 3)).toBe(1);
    server = await PrivateRedis.start(port);
    await Promise.all(stores.map((store) => reaches(store, 'redis')));
    key = randomUUID();
    inDatabase = 500;
    expect(await burst(DEVELOPER, 150)).toBe(30);
    expect(await admit(stores[0]!, DEVELOPER)).toMatchObject({ admitted: false, minuteUsed: 120 });
    // The clock of Redis cannot be set: that it has been back for long is known to each instance with its next report.
    await directly().hset('tm:instances', 'returned', 0);
    ahead += LONG_MS;
    await until(10_000, 'whole minutes', async () => {
      key = randomUUID();
      return (await burst(DEVELOPER, 150)) === 120;
    });
  });

  it('admits at most the limit on eight instances that wait for a late Redis', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => proxied()));
    for (const { store } of all) await admit(store, DEVELOPER);
    for (const { proxy } of all) proxy.delayMs = 55;
    const bursts = await Promise.all(all.map(({ store }) => admitMany(store, 29, DEVELOPER)));
    // What is missing is leased to instances that do not return it in time.
    expect(admitted(bursts.flat())).toBeLessThanOrEqual(112);
    expect(admitted(bursts.flat())).toBeGreaterThan(90);
  });

  it('gets back what it leased to an instance that does not use it', async () => {
    const [one, two] = [await open(), await open()];
    await settled(one, two);
    expect(await admit(one, DEVELOPER)).toMatchObject({ minuteUsed: 1 });
    await until(5_000, 'tokens', async () => (await directly().zcard(`tm:{${key}}:m`)) === 9);
    expect(admitted(await admitMany(two, 300, DEVELOPER))).toBe(119);
    expect(await admit(two, DEVELOPER)).toMatchObject({ via: 'redis', admitted: false, minuteUsed: 120 });
  });

  it('uses the clock of an unreachable Redis for the day', async () => {
    const aDayAhead = { monotonic: () => performance.now(), wall: () => Date.now() + DAY_MS };
    const store = await open(server.url, aDayAhead);
    const [seconds = 0] = await directly().time();
    const budget = { perMinute: 50, perDay: 3 };
    expect(admitted(await admitMany(store, 10, budget))).toBe(3);
    await server.kill();
    await reaches(store, 'fallback');
    const refused = await admit(store, budget);
    expect(refused).toMatchObject({ admitted: false, refusedBy: 'day' });
    expect(Date.parse(refused.day) / DAY_MS).toBe(Math.floor((seconds * 1_000) / DAY_MS));
  });

  it('admits no more than the plan allows over a slow link', async () => {
    const { store: late, proxy } = await proxied();
    const other = await open();
    // Bursts keep this process busy, so it waits longer.
    proxy.delayMs = LATE_MS;
    const bursts = await Promise.all([admitMany(late, 300, DEVELOPER), admitMany(other, 300, DEVELOPER)]);
    // Redis has leased eight to the late instance.
    expect(admitted(bursts.flat())).toBeLessThanOrEqual(120);
    expect(admitted(bursts.flat())).toBeGreaterThanOrEqual(112);
    expect(late.counters.lateRefusals).toBe(300);
  });

  it('admits from a lease over a slow link, and counts the request once', async () => {
    const { store, proxy } = await proxied();
    await admit(store, DEVELOPER);
    proxy.delayMs = LATE_MS;
    expect(await admit(store, DEVELOPER)).toMatchObject({ via: 'lease', admitted: true });
    proxy.delayMs = 0;
    await until(5_000, 'the token to replace the request', async () => {
      const members = await directly().zrangebyscore(`tm:{${key}}:m`, 0, Date.now());
      return members.length === 2 && members.some((name) => name.includes('.')) && (await countOfDay()) === 2;
    });
    expect(await admit(await open(), DEVELOPER)).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
  });

  const countOfDay = async (): Promise<number> => Number(await directly().hget(`tm:{${key}}:d`, 'n'));

  it('leases what Redis counted for callers that were refused meanwhile', async () => {
    const { store, proxy } = await proxied();
    proxy.delayMs = LATE_MS;
    expect(admitted(await admitMany(store, 3))).toBe(0);
    proxy.delayMs = 0;
    await until(5_000, 'the leases', async () => {
      const leases = await directly().zcount(`tm:{${key}}:m`, `(${String(Date.now())}`, '+inf');
      // The first request was also granted a token.
      return leases === 4 && (await countOfDay()) === 0;
    });
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true, dayUsed: 1 });
    const others = await admitMany(await open(), 20);
    expect(admitted(others)).toBe(4);
  });

  it('counts a link as lost after three time-outs in a row', async () => {
    const { store, proxy } = await proxied();
    proxy.delayMs = LATE_MS;
    await reaches(store, 'fallback');
    expect(store.counters.timeouts).toBeGreaterThanOrEqual(3);
    // The connection works: nothing is admitted that Redis has not leased.
    expect(admitted(await admitMany(store, 20))).toBe(0);
    proxy.delayMs = 0;
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis' });
  });

  it('abandons a connection that was accepted and stays silent', async () => {
    const { store, proxy } = await proxied();
    proxy.silence();
    await reaches(store, 'fallback');
    const { accepted } = proxy;
    // The store has reconnected, and abandoned that silent connection too.
    await until(20_000, 'new connections', () => Promise.resolve(proxy.accepted > accepted + 1));
    proxy.mend();
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true });
  });

  it('starts the day from the database after Redis was killed or flushed', async () => {
    const store = await open();
    inDatabase = 40;
    expect(await admit(store)).toMatchObject({ dayUsed: 41 });
    inDatabase = 50;
    await directly().flushall();
    expect(await admit(store)).toMatchObject({ via: 'redis', dayUsed: 51 });
    const { port } = server;
    await server.kill();
    await reaches(store, 'fallback');
    inDatabase = 60;
    server = await PrivateRedis.start(port);
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis', dayUsed: 61 });
  });

  it('admits a quarter more where a new instance is the first to find a Redis without its memory', async () => {
    const { store, proxy } = await proxied();
    expect(admitted(await admitMany(store, 6))).toBe(5);
    proxy.cut();
    await directly().flushall();
    // The database does not have what was admitted within the last second.
    expect(admitted(await admitMany(await open(), 6))).toBe(PRO_RESERVE);
  });

  it('counts exactly in a full Redis', async () => {
    const redis = directly();
    await redis.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.config('SET', 'maxmemory', '1');
    await expect(redis.set('key', 'value')).rejects.toThrow('OOM');
    const stores = [await open(), await open()];
    const results = await Promise.all(stores.map((store) => admitMany(store, 20)));
    expect(admitted(results.flat())).toBe(5);
    expect(new Set(results.flat().map(({ via }) => via))).toEqual(new Set(['redis']));
  });

  it('admits the reserve while Redis refuses writes', async () => {
    const store = await open();
    const redis = directly();
    await settled(store);
    await admit(store);
    await redis.replicaof('127.0.0.1', 1);
    const during = [await admitMany(store, 2), await admitMany(store, 6)].flat();
    // One token, and the reserve.
    expect(admitted(during)).toBe(1 + PRO_RESERVE);
    await reaches(store, 'fallback');
    await redis.replicaof('NO', 'ONE');
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis' });
  });
});
