import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisStore } from '../../src/limits/redis-store.js';
import { describeIf } from '../support/needs.js';
import { PrivateRedis, redisInstalled } from './redis-servers.js';
import { SlowProxy } from '../faults/cluster/slow-proxy.mjs';
import { SYSTEM_CLOCK } from '../../src/limits/rate-limit-store.js';
import { until } from '../support/until.js';
import type { Budget, LimitClock, RateLimitResult } from '../../src/limits/rate-limit-store.js';

const PRO: Budget = { perMinute: 5, perDay: 5_000 };
const DEVELOPER: Budget = { perMinute: 120, perDay: 100_000 };
const DAY_MS = 86_400_000;
/** Delay per direction: no reply arrives within the 100 ms that a caller waits. */
const LATE_MS = 80;

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
    direct.push(client);
    return client;
  }

  const admit = (store: RedisStore, budget = PRO): Promise<RateLimitResult> =>
    store.admit(key, budget, () => Promise.resolve(inDatabase));

  const admitMany = (store: RedisStore, count: number, budget = PRO): Promise<RateLimitResult[]> =>
    Promise.all(Array.from({ length: count }, () => admit(store, budget)));

  const admitted = (results: readonly RateLimitResult[]): number =>
    results.filter((result) => result.admitted).length;

  const reaches = (store: RedisStore, state: 'redis' | 'fallback'): Promise<void> =>
    until(20_000, state, () => Promise.resolve(store.state === state));

  it('starts without Redis, counts alone, and uses Redis once it is reachable', async () => {
    const { port } = server;
    await server.kill();
    const store = build();
    inDatabase = 40;
    expect(await admit(store)).toMatchObject({ via: 'fallback', admitted: true, dayUsed: 41 });
    server = await PrivateRedis.start(port);
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true });
  });

  it('continues from the last counts of Redis, on all instances together', async () => {
    const store = await open();
    const other = await open();
    expect(admitted(await admitMany(store, 3))).toBe(3);
    expect(await admit(other)).toMatchObject({ minuteUsed: 4, dayUsed: 4 });
    server.freeze();
    await Promise.all([reaches(store, 'fallback'), reaches(other, 'fallback')]);
    // Redis reported four of the five; the instance admits one more.
    expect(admitted(await admitMany(other, 20))).toBe(1);
    expect(admitted(await admitMany(store, 20))).toBe(2);
    expect(other.counters).toMatchObject({ breakerOpens: 1, fallbackAdmissions: 1 });
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
    expect(refused).toMatchObject({ via: 'fallback', refusedBy: 'day' });
    expect(Date.parse(refused.day) / DAY_MS).toBe(Math.floor((seconds * 1_000) / DAY_MS));
  });

  it('admits no more than the plan allows over a slow link', async () => {
    const { store: late, proxy } = await proxied();
    const other = await open();
    // Bursts keep this process busy, so it waits longer.
    proxy.delayMs = 2 * LATE_MS;
    const bursts = await Promise.all([admitMany(late, 300, DEVELOPER), admitMany(other, 300, DEVELOPER)]);
    expect(admitted(bursts.flat())).toBe(120);
    expect([late.state, late.counters.lateRefusals]).toEqual(['redis', 300]);
  });

  it('admits an account with ample room over a slow link, and counts the request once', async () => {
    const { store, proxy } = await proxied();
    await admit(store, DEVELOPER);
    proxy.delayMs = LATE_MS;
    expect(await admit(store, DEVELOPER)).toMatchObject({ via: 'fallback', admitted: true });
    proxy.delayMs = 0;
    await until(5_000, 'the late answer', async () => (await countOfDay()) === 2);
    expect(await admit(await open(), DEVELOPER)).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
  });

  const countOfDay = async (): Promise<number> => Number(await directly().hget(`tm:{${key}}:d`, 'n'));

  it('removes requests that Redis counted for callers that were refused meanwhile', async () => {
    const { store, proxy } = await proxied();
    await admit(store);
    proxy.delayMs = LATE_MS;
    expect(admitted(await admitMany(store, 3))).toBe(0);
    proxy.delayMs = 0;
    await until(5_000, 'the refund', async () => (await countOfDay()) === 1);
    expect(await admit(store)).toMatchObject({ via: 'redis', minuteUsed: 2, dayUsed: 2 });
  });

  it('counts a link as lost after three time-outs in a row', async () => {
    const { store, proxy } = await proxied();
    proxy.delayMs = LATE_MS;
    await reaches(store, 'fallback');
    expect(store.counters.timeouts).toBeGreaterThanOrEqual(3);
    expect(admitted(await admitMany(store, 20))).toBe(5);
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

  it('counts alone while Redis refuses writes', async () => {
    const store = await open();
    const redis = directly();
    await admit(store);
    await redis.replicaof('127.0.0.1', 1);
    const during = [await admitMany(store, 2), await admitMany(store, 6)].flat();
    expect(admitted(during)).toBe(4);
    await reaches(store, 'fallback');
    await redis.replicaof('NO', 'ONE');
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis' });
  });
});
