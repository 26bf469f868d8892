import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { LocalLimiter } from '../../src/serve/limits/local-limiter.js';
import { RedisStore } from '../../src/serve/limits/redis/redis-store.js';
import { describeIf } from '../support/needs.js';
import { registerOld } from '../support/register-old.mjs';
import { SHARED_URL, redisReachable } from './redis-servers.js';
import { NO_BASELINE, type Baseline, type RateLimitStore } from '../../src/serve/limits/rate-limit-store.js';

/** A store under test. To let time pass, the tests change the stored content. */
interface Subject {
  store: RateLimitStore;
  readonly name: string;
  passMinutes(ms: number): Promise<void>;
  passDay(): Promise<void>;
  close(): Promise<void>;
}

function memorySubject(): Promise<Subject> {
  let elapsed = 0;
  const noon = Date.UTC(2026, 2, 1, 12);
  const store = new LocalLimiter({ monotonic: () => elapsed, wall: () => noon + elapsed });
  const pass = (ms: number) => {
    elapsed += ms;
    return Promise.resolve();
  };
  return Promise.resolve({
    store,
    name: 'acc',
    passMinutes: pass,
    passDay: () => pass(86_400_000),
    close: () => store.close(),
  });
}

async function redisSubject(): Promise<Subject> {
  await registerOld(SHARED_URL);
  const name = `test-${randomUUID()}`;
  const [minute, day] = [`tm:{${name}}:m`, `tm:{${name}}:d`];
  const redis = new Redis(SHARED_URL);
  const opened = async () => {
    const store = new RedisStore(SHARED_URL);
    expect(await store.ready(10_000)).toBe(true);
    return store;
  };
  const pass = async (ms: number) => {
    for (const member of await redis.zrange(minute, 0, -1)) await redis.zincrby(minute, -ms, member);
  };
  const subject: Subject = {
    store: await opened(),
    name,
    passMinutes: pass,
    passDay: async () => {
      await pass(86_400_000);
      if (await redis.exists(day)) await redis.hincrby(day, 'day', -1);
    },
    close: async () => {
      await redis.del(minute, day);
      redis.disconnect();
      await subject.store.close();
    },
  };
  return subject;
}

function behaves(open: () => Promise<Subject>): void {
  let subject: Subject;
  beforeEach(async () => {
    subject = await open();
  });
  afterEach(() => subject.close());

  const admit = (perMinute: number, perDay: number | null, seed: Baseline = NO_BASELINE) =>
    subject.store.admit(subject.name, { perMinute, perDay }, seed);
  const admitMany = async (count: number, perMinute: number, perDay: number | null, seed?: Baseline) => {
    const admissions = await Promise.all(Array.from({ length: count }, () => admit(perMinute, perDay, seed)));
    return admissions.filter((admission) => admission.admitted).length;
  };

  it('admits exactly the minute’s limit, then states when there is room', async () => {
    expect(await admitMany(30, 5, 100)).toBe(5);
    const refused = await admit(5, 100);
    expect(refused).toMatchObject({ refusedBy: 'minute', minuteUsed: 5, dayUsed: 5 });
    expect(refused.retryAfterMs).toBeGreaterThan(55_000);
    await subject.passMinutes(refused.retryAfterMs);
    expect(await admit(5, 100)).toMatchObject({ admitted: true, dayUsed: 6 });
  });

  it('admits exactly the day’s limit, and starts again the next day', async () => {
    expect(await admitMany(30, 20, 7)).toBe(7);
    expect(await admit(20, 7)).toMatchObject({ refusedBy: 'day', minuteUsed: 7, dayUsed: 7 });
    await subject.passDay();
    expect(await admit(20, 7)).toMatchObject({ admitted: true, minuteUsed: 1, dayUsed: 1 });
  });

  it('counts nothing for a refusal', async () => {
    await admitMany(40, 2, 3);
    await subject.passMinutes(60_001);
    expect(await admitMany(40, 2, 3)).toBe(1);
    await subject.passMinutes(60_001);
    expect(await admit(2, 4)).toMatchObject({ admitted: true, minuteUsed: 1, dayUsed: 4 });
  });

  it('names the day if both windows refuse', async () => {
    await admitMany(3, 3, 3);
    const refused = await admit(3, 3);
    expect(refused.refusedBy).toBe('day');
    expect(refused.retryAfterMs).toBe(Math.max(refused.dayResetMs, refused.minuteResetMs));
  });

  it('starts the day from the count in the database', async () => {
    expect(await admitMany(30, 50, 100, () => Promise.resolve(95))).toBe(5);
  });

  it('counts nothing if the database does not respond, and asks again', async () => {
    const down = () => Promise.reject(new Error('database is down'));
    await expect(admitMany(3, 5, 100, down)).rejects.toThrow('database is down');
    expect(await admit(5, 100)).toMatchObject({ admitted: true, minuteUsed: 1, dayUsed: 1 });
  });

  it('reports more than its limit after a downgrade, until there is room', async () => {
    await admitMany(10, 10, 100);
    expect(await admit(3, 5)).toMatchObject({ admitted: false, minuteUsed: 10, dayUsed: 10 });
    const refused = await admit(3, 100);
    expect(refused).toMatchObject({ refusedBy: 'minute', minuteUsed: 10 });
    expect(refused.minuteResetMs).toBe(refused.retryAfterMs);
  });

  it('admits requests at once after an upgrade', async () => {
    await admitMany(3, 1, 100);
    expect(await admitMany(10, 5, 100)).toBe(4);
  });

  it('needs no day count for a key without a day window', async () => {
    const never = () => Promise.reject(new Error('asked'));
    expect(await admitMany(30, 20, null, never)).toBe(20);
    expect(await admit(20, null, never)).toMatchObject({ refusedBy: 'minute', dayUsed: 0 });
  });

  it('counts each key separately', async () => {
    await admitMany(2, 1, 100);
    const other = await subject.store.admit(`${subject.name}-other`, { perMinute: 1, perDay: 100 }, NO_BASELINE);
    expect(other).toMatchObject({ admitted: true, minuteUsed: 1, dayUsed: 1 });
  });
}

describe('The memory store', () => behaves(memorySubject));
describeIf(redisReachable, 'Redis is not reachable')('The Redis store', () => behaves(redisSubject));
