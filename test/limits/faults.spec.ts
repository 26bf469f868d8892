import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisWindowStore } from '../../src/limits/redis-store.js';
import { PrivateRedis, describeIf, redisInstalled } from './redis-servers.js';
import { SlowProxy } from './slow-proxy.js';
import type { Admission, Budget } from '../../src/limits/window-store.js';

const PRO: Budget = { perMinute: 5, perDay: 5_000 };

describeIf(redisInstalled, 'redis-server is not installed')('the Redis store', () => {
  let server: PrivateRedis;
  const opened: RedisWindowStore[] = [];
  const direct: Redis[] = [];
  let subject: string;
  let inDatabase: number;

  beforeEach(async () => {
    server = await PrivateRedis.start();
    subject = randomUUID();
    inDatabase = 0;
  }, 20_000);

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    for (const client of direct.splice(0)) client.disconnect();
    await server.kill();
  });

  function build(url = server.url): RedisWindowStore {
    const store = new RedisWindowStore(url);
    opened.push(store);
    return store;
  }

  function directly(): Redis {
    const client = new Redis(server.url);
    direct.push(client);
    return client;
  }

  async function open(url = server.url): Promise<RedisWindowStore> {
    const store = build(url);
    expect(await store.ready(10_000)).toBe(true);
    return store;
  }

  const admit = (store: RedisWindowStore, budget = PRO): Promise<Admission> =>
    store.admit(subject, budget, () => Promise.resolve(inDatabase));

  const admitMany = (store: RedisWindowStore, count: number, budget = PRO): Promise<Admission[]> =>
    Promise.all(Array.from({ length: count }, () => admit(store, budget)));

  const admitted = (admissions: readonly Admission[]): number =>
    admissions.filter((admission) => admission.admitted).length;

  const reaches = (store: RedisWindowStore, state: 'redis' | 'fallback'): Promise<void> =>
    new Promise((resolve) => {
      if (store.state === state) {
        resolve();
        return;
      }
      store.onStateChange((now) => {
        if (now === state) resolve();
      });
    });

  it('starts without Redis, counts by itself, and takes Redis up when it comes', async () => {
    const { port } = server;
    await server.kill();
    const store = build();
    expect(await store.ready(50)).toBe(false);
    inDatabase = 40;
    expect(await admit(store)).toMatchObject({ via: 'fallback', admitted: true, dayUsed: 41 });
    server = await PrivateRedis.start(port);
    await reaches(store, 'redis');
    inDatabase = 41;
    expect(await admit(store)).toMatchObject({ via: 'redis', minuteUsed: 2, dayUsed: 42 });
  }, 20_000);

  it('goes on from what it saw when Redis freezes, and hands over what it admitted', async () => {
    const store = await open();
    const other = await open();
    expect(admitted(await admitMany(store, 3))).toBe(3);
    expect(await admit(other)).toMatchObject({ minuteUsed: 4 });
    server.freeze();
    const during = [await admit(store), await admit(store), await admit(store)];
    expect(during.map(({ via }) => via)).toEqual(['fallback', 'fallback', 'fallback']);
    expect(during.map((admission) => admission.admitted)).toEqual([true, true, false]);
    await admit(store);
    expect(store.state).toBe('fallback');
    expect(store.counters).toMatchObject({ timeouts: 3, breakerOpens: 1, fallbackAdmissions: 2 });
    server.thaw();
    await Promise.all([reaches(store, 'redis'), reaches(other, 'redis')]);
    const after = await admit(store);
    expect(after).toMatchObject({ via: 'redis', refusedBy: 'minute', minuteUsed: 6, dayUsed: 6 });
    expect(await admit(other)).toMatchObject({ minuteUsed: 6, dayUsed: 6 });
  }, 20_000);

  it('counts nothing late: what a thawed Redis finds waiting was answered long ago', async () => {
    const store = await open();
    await admit(store, { perMinute: 2, perDay: 100 });
    server.freeze();
    expect(admitted(await admitMany(store, 10, { perMinute: 2, perDay: 100 }))).toBe(1);
    server.thaw();
    await reaches(store, 'redis');
    expect(await admit(store, { perMinute: 9, perDay: 100 })).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
  }, 20_000);

  it('loses nothing when Redis is killed and comes back empty', async () => {
    const store = await open();
    const other = await open();
    await admitMany(store, 2);
    await admit(other);
    const { port } = server;
    await server.kill();
    await Promise.all([reaches(store, 'fallback'), reaches(other, 'fallback')]);
    expect(await admit(store)).toMatchObject({ via: 'fallback', admitted: true, dayUsed: 3 });
    server = await PrivateRedis.start(port);
    await Promise.all([reaches(store, 'redis'), reaches(other, 'redis')]);
    inDatabase = 4;
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true, minuteUsed: 4, dayUsed: 5 });
    expect(await admit(other)).toMatchObject({ refusedBy: 'minute', minuteUsed: 5, dayUsed: 5 });
  }, 20_000);

  it('starts from the database and from what it saw when Redis is flushed', async () => {
    const store = await open();
    const other = await open();
    await admitMany(store, 2);
    await admitMany(other, 2);
    const redis = directly();
    await redis.flushall();
    inDatabase = 4;
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true, minuteUsed: 3, dayUsed: 5 });
    expect(await admit(other)).toMatchObject({
      via: 'redis',
      refusedBy: 'minute',
      minuteUsed: 5,
      dayUsed: 5,
    });
  }, 20_000);

  it('does without a Redis that is slower than its patience, and without counting twice', async () => {
    const proxy = await SlowProxy.before(server.port);
    const store = await open(proxy.url);
    await admit(store);
    proxy.delayMs = 15;
    // Redis counts these in time, but its answers come late.
    for (let count = 0; count < 3; count += 1) expect(await admit(store)).toMatchObject({ via: 'fallback' });
    expect(store.state).toBe('fallback');
    expect(await admit(store)).toMatchObject({ via: 'fallback', admitted: true, minuteUsed: 5 });
    expect(await admit(store)).toMatchObject({ via: 'fallback', refusedBy: 'minute' });
    proxy.delayMs = 0;
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({
      via: 'redis',
      refusedBy: 'minute',
      minuteUsed: 5,
      dayUsed: 5,
    });
    proxy.close();
  }, 20_000);

  it('takes back what Redis counted for a caller whom it has refused meanwhile', async () => {
    const proxy = await SlowProxy.before(server.port);
    const store = await open(proxy.url);
    const ample: Budget = { perMinute: 50, perDay: 100 };
    await admitMany(store, 5, ample);
    inDatabase = 5;
    proxy.delayMs = 15;
    const failing = store.admit('unknown', PRO, () => Promise.reject(new Error('database is down')));
    await expect(failing).rejects.toThrow('database is down');
    proxy.delayMs = 0;
    await reaches(store, 'redis');
    expect(await store.admit('unknown', PRO, () => Promise.resolve(0))).toMatchObject({ dayUsed: 1 });
    proxy.close();
  }, 20_000);

  it('survives a Redis that refuses to write', async () => {
    const store = await open();
    const redis = directly();
    await redis.replicaof('127.0.0.1', 1);
    const during = [await admitMany(store, 2), await admitMany(store, 2), await admitMany(store, 6)].flat();
    expect(admitted(during)).toBe(5);
    await reaches(store, 'fallback');
    await redis.replicaof('NO', 'ONE');
    await reaches(store, 'redis');
    expect(await admit(store)).toMatchObject({ via: 'redis', refusedBy: 'minute', dayUsed: 5 });
  }, 20_000);
});
