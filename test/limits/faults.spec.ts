import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { RedisWindowStore } from '../../src/limits/redis-store.js';
import { PrivateRedis, describeIf, redisInstalled } from './redis-servers.js';
import { SlowProxy } from '../faults/cluster/slow-proxy.mjs';
import { PATIENCE_MS as PRODUCTIONS_MS } from '../../src/limits/redis-link.js';
import { NONE_YET, SYSTEM_CLOCK } from '../../src/limits/window-store.js';
import { until } from '../support/until.js';
import type { Admission, Budget } from '../../src/limits/window-store.js';

const PRO: Budget = { perMinute: 5, perDay: 5_000 };
/** A machine that stalls for a moment is none of what is shown here, but for the two tests of a slow Redis. */
const PATIENCE_MS = 500;

function nextMillisecond(): Promise<void> {
  const from = performance.now();
  return until(5_000, 'the next millisecond', () => Promise.resolve(performance.now() - from >= 2));
}

describeIf(redisInstalled, 'redis-server is not installed')('the Redis store', () => {
  let server: PrivateRedis;
  const opened: RedisWindowStore[] = [];
  const direct: Redis[] = [];
  let subject: string;
  let inDatabase: number;
  /** What each store has admitted and nobody has written yet. */
  let pending: Map<RedisWindowStore, number>;

  beforeEach(async () => {
    server = await PrivateRedis.start();
    subject = randomUUID();
    inDatabase = 0;
    pending = new Map();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    for (const client of direct.splice(0)) client.disconnect();
    await server.kill();
  });

  function build(url = server.url, patienceMs = PATIENCE_MS): RedisWindowStore {
    const store = new RedisWindowStore(url, SYSTEM_CLOCK, patienceMs);
    opened.push(store);
    return store;
  }

  function directly(): Redis {
    const client = new Redis(server.url);
    direct.push(client);
    return client;
  }

  async function open(url?: string, patienceMs?: number): Promise<RedisWindowStore> {
    const store = build(url, patienceMs);
    expect(await store.ready(10_000)).toBe(true);
    return store;
  }

  const pendingOf = (store: RedisWindowStore): number => pending.get(store) ?? 0;

  async function admit(store: RedisWindowStore, budget = PRO): Promise<Admission> {
    const admission = await store.admit(subject, budget, () =>
      Promise.resolve({ used: inDatabase + pendingOf(store), ageMs: 0 }),
    );
    if (admission.admitted) pending.set(store, pendingOf(store) + 1);
    return admission;
  }

  /** As the ledger writes each half second. */
  async function write(store: RedisWindowStore): Promise<void> {
    // What was admitted in this one may not be pending yet.
    await nextMillisecond();
    const written = store.writing();
    inDatabase += pendingOf(store);
    pending.delete(store);
    written();
  }

  /** Without asking for anything that could tell it. */
  async function countOfDay(): Promise<number> {
    await until(5_000, 'the debts', () =>
      Promise.resolve(opened.every((store) => store.counters.owed === 0)),
    );
    return Number(await directly().hget(`tm:{${subject}}:d`, 'n'));
  }

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
    expect(await admit(store)).toMatchObject({ via: 'redis', minuteUsed: 2, dayUsed: 42 });
  });

  it('goes on from what it saw when Redis freezes, and hands over what it admitted', async () => {
    const store = await open();
    const other = await open();
    expect(admitted(await admitMany(store, 3))).toBe(3);
    expect(await admit(other)).toMatchObject({ minuteUsed: 4 });
    server.freeze();
    const during = [await admit(store), await admit(store), await admit(store)];
    expect(during.map(({ via }) => via)).toEqual(['fallback', 'fallback', 'fallback']);
    expect(during.map((admission) => admission.admitted)).toEqual([true, true, false]);
    expect(store.state).toBe('fallback');
    await admit(store);
    expect(store.counters).toMatchObject({ breakerOpens: 1, fallbackAdmissions: 2 });
    // What it tells Redis of them by itself, once a second, may miss too.
    expect(store.counters.timeouts).toBeGreaterThanOrEqual(3);
    server.thaw();
    await Promise.all([reaches(store, 'redis'), reaches(other, 'redis')]);
    const after = await admit(store);
    expect(after).toMatchObject({ via: 'redis', refusedBy: 'minute', minuteUsed: 6, dayUsed: 6 });
    expect(await admit(other)).toMatchObject({ minuteUsed: 6, dayUsed: 6 });
  });

  it('counts nothing late: what a thawed Redis finds waiting was answered long ago', async () => {
    const store = await open();
    await admit(store, { perMinute: 2, perDay: 100 });
    server.freeze();
    expect(admitted(await admitMany(store, 10, { perMinute: 2, perDay: 100 }))).toBe(1);
    server.thaw();
    await reaches(store, 'redis');
    expect(await admit(store, { perMinute: 9, perDay: 100 })).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
  });

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
    expect(await countOfDay()).toBe(3);
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true, minuteUsed: 4, dayUsed: 4 });
    // The other's own, which the killed Redis had counted, goes with its next request.
    expect(await admit(other)).toMatchObject({ refusedBy: 'minute', minuteUsed: 5, dayUsed: 5 });
  });

  it.each([
    ['nothing is written', [false, false, false]],
    ['some have written', [true, false, true]],
    ['all have written', [true, true, true]],
  ])('tells an empty Redis by itself what each admitted alone, where %s', async (_, writes) => {
    const first = await open();
    const stores = [first, await open(), await open()];
    await admit(first);
    await write(first);
    const { port } = server;
    await server.kill();
    await Promise.all(stores.map((store) => reaches(store, 'fallback')));
    for (const store of stores) expect(admitted(await admitMany(store, 20))).toBe(store === first ? 4 : 5);
    for (const [index, store] of stores.entries()) if (writes[index]) await write(store);
    server = await PrivateRedis.start(port);
    await Promise.all(stores.map((store) => reaches(store, 'redis')));
    expect(await countOfDay()).toBe(15);
    for (const store of stores) await write(store);
    for (const store of stores) expect(await admit(store)).toMatchObject({ minuteUsed: 15, dayUsed: 15 });
  });

  it('tells it later when the database cannot say how the day stood', async () => {
    const store = await open();
    const { port } = server;
    await server.kill();
    await reaches(store, 'fallback');
    let used = 7;
    let [away, refused] = [false, 0];
    const seed = () => {
      refused += away ? 1 : 0;
      return away ? Promise.reject(new Error('database is down')) : Promise.resolve({ used, ageMs: 0 });
    };
    expect(await store.admit(subject, PRO, seed)).toMatchObject({ via: 'fallback', dayUsed: 8 });
    used = 8;
    away = true;
    server = await PrivateRedis.start(port);
    await until(5_000, 'the database to be asked', () => Promise.resolve(refused > 0));
    expect(store.counters.owed).toBe(1);
    away = false;
    expect(await countOfDay()).toBe(8);
  });

  it('starts from the database and from what it saw when Redis is flushed', async () => {
    const store = await open();
    const other = await open();
    await admitMany(store, 2);
    await admitMany(other, 2);
    await write(store);
    const redis = directly();
    await redis.flushall();
    // Nobody but the other knows of its two.
    expect(await admit(store)).toMatchObject({ via: 'redis', admitted: true, minuteUsed: 3, dayUsed: 3 });
    await write(other);
    const full = { via: 'redis', refusedBy: 'minute', minuteUsed: 5, dayUsed: 5 };
    expect(await admit(other)).toMatchObject(full);
    expect(await admit(store)).toMatchObject(full);
  });

  it('counts nothing twice that an instance had seen and another had not written', async () => {
    const store = await open();
    const other = await open();
    const ample = { perMinute: 50, perDay: 5_000 };
    await admitMany(store, 2, ample);
    await admitMany(other, 2, ample);
    // One start of a day is told from the next by its millisecond.
    await nextMillisecond();
    await directly().flushall();
    // It knows that there were four, and of which two it cannot say.
    expect(await admit(other, ample)).toMatchObject({ minuteUsed: 3, dayUsed: 3 });
    expect(await admit(store, ample)).toMatchObject({ minuteUsed: 6, dayUsed: 6 });
    await Promise.all([write(store), write(other)]);
    expect(await admit(other, ample)).toMatchObject({ minuteUsed: 7, dayUsed: 7 });
  });

  it('keeps what it has seen when a Redis that comes back has lost the last of it', async () => {
    const store = await open();
    const redis = directly();
    await admitMany(store, 4);
    await redis.hincrby(`tm:{${subject}}:d`, 'n', -2);
    server.freeze();
    for (let count = 0; count < 3; count += 1) await admit(store);
    expect(store.state).toBe('fallback');
    server.thaw();
    await reaches(store, 'redis');
    expect(await countOfDay()).toBe(5);
  });

  it('tells before it closes', async () => {
    const store = await open();
    const { port } = server;
    await server.kill();
    await reaches(store, 'fallback');
    await admitMany(store, 3);
    server = await PrivateRedis.start(port);
    store.onStateChange(() => void store.close());
    await until(5_000, 'the count', async () => (await directly().hget(`tm:{${subject}}:d`, 'n')) === '3');
  });

  it('does without a Redis that is slower than its patience, and without counting twice', async () => {
    const proxy = await SlowProxy.before(server.port);
    const store = await open(proxy.url, PRODUCTIONS_MS);
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
  });

  it('takes back what Redis counted for a caller whom it has refused meanwhile', async () => {
    const proxy = await SlowProxy.before(server.port);
    const store = await open(proxy.url, PRODUCTIONS_MS);
    const ample: Budget = { perMinute: 50, perDay: 100 };
    await admitMany(store, 5, ample);
    proxy.delayMs = 15;
    const failing = store.admit('unknown', PRO, () => Promise.reject(new Error('database is down')));
    await expect(failing).rejects.toThrow('database is down');
    proxy.delayMs = 0;
    await reaches(store, 'redis');
    expect(await store.admit('unknown', PRO, NONE_YET)).toMatchObject({ dayUsed: 1 });
    proxy.close();
  });

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
  });
});
