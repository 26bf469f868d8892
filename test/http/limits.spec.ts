import { UsageRecorder } from '../../src/serve/limits/usage-recorder.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { exchange, type Sent } from '../support/exchange.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { startTestServer, type TestServer } from '../support/server.js';
import { PrivateRedis, redisInstalled } from '../limits/redis-servers.js';
import { describeIf } from '../support/needs.js';
import { until } from '../support/until.js';

const TOPICS = '/api/v1/topics';
const DAY_MS = 86_400_000;

let database: TestDatabase;
let clock: StoppedClock;
let service: TestServer;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  clock = new StoppedClock('2026-09-15T12:00:00Z');
  service = await startTestServer({ database, clock });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});
// Each test begins at noon of a new day.
beforeEach(() => clock.advance(1.5 * DAY_MS - (clock.wall() % DAY_MS)));
const today = (): string => new Date(clock.wall()).toISOString().slice(0, 10);

interface Left {
  readonly status: number;
  readonly code: string | undefined;
  readonly minute: number;
  readonly day: number;
  readonly retryAfter: number;
}

async function ask(key: string, path = TOPICS, sent: Sent = {}, url = service.url): Promise<Left> {
  const { status, headers, body } = await exchange(url, path, { key, ...sent });
  const number = (name: string) => Number(headers[name] ?? Number.NaN);
  return {
    status,
    code: body?.error?.code,
    minute: number('x-ratelimit-remaining-minute'),
    day: number('x-ratelimit-remaining-day'),
    retryAfter: number('retry-after'),
  };
}

let accounts = 0;
async function accountWithKeys(plan: 'free' | 'pro' | 'intelligence' | 'developer', count: number) {
  const email = `limits-${String(++accounts)}@test.example`;
  const { id } = await service.access.createAccount({ email, plan, signedUpAt: new Date(0) });
  const keys: string[] = [];
  while (keys.length < count) keys.push((await service.access.createKey(email, 'one')).text);
  const [key = '', other = ''] = keys;
  return { id, email, key, other };
}

/** As if the account had already used this many requests today. */
async function usedToday(account: string, admitted: number): Promise<void> {
  const owner = await database.open('admin');
  await owner.query('INSERT INTO daily_usage VALUES ($1, $2, $3)', [account, today(), admitted]);
}

describe('The plan’s windows', () => {
  it.each([
    ['free', 1, 400],
    ['pro', 5, 5_000],
    ['intelligence', 60, 20_000],
    ['developer', 120, 100_000],
  ] as const)('admit on %s %d requests in any 60 seconds and %d a day', async (plan, perMinute, perDay) => {
    const { key } = await accountWithKeys(plan, 1);
    const replies = await Promise.all(Array.from({ length: perMinute + 10 }, () => ask(key)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(perMinute);
    expect(Math.min(...replies.map(({ day }) => day))).toBe(perDay - perMinute);
  });

  it('are shared by all keys of an account', async () => {
    const { key, other } = await accountWithKeys('pro', 2);
    for (const one of [key, other, key, other, key]) expect((await ask(one)).status).toBe(200);
    expect(await ask(other)).toMatchObject({ status: 429, code: 'minute_limit_exceeded', minute: 0 });
  });

  it('are separate for another account', async () => {
    const [one, two] = [await accountWithKeys('free', 1), await accountWithKeys('free', 1)];
    await ask(one.key);
    expect((await ask(one.key)).status).toBe(429);
    expect((await ask(two.key)).status).toBe(200);
  });

  it('roll: no 60 seconds contain more admitted requests than the plan allows', async () => {
    const { key } = await accountWithKeys('pro', 1);
    const admitted: number[] = [];
    for (let second = 0; second < 180; second += 4) {
      if ((await ask(key)).status === 200) admitted.push(second);
      clock.advance(4_000);
    }
    for (const start of admitted) {
      expect(admitted.filter((at) => at >= start && at <= start + 60).length).toBeLessThanOrEqual(5);
    }
    expect(admitted.length).toBeGreaterThan(10);
  });

  it('change with the plan at once', async () => {
    const { key, email } = await accountWithKeys('free', 1);
    await ask(key);
    expect((await ask(key)).status).toBe(429);
    await service.access.setPlan(email, 'pro');
    await service.server.app.get(Heartbeat).poll();
    expect(await ask(key)).toMatchObject({ status: 200, minute: 3, day: 4_998 });
  });
});

describe('A refusal by a limit', () => {
  it('costs nothing, and its retry-after is sufficient and not too long', async () => {
    const { key } = await accountWithKeys('free', 1);
    expect(await ask(key)).toMatchObject({ status: 200, minute: 0, day: 399 });
    clock.advance(20_500);
    const refused = await ask(key);
    expect(refused).toMatchObject({ status: 429, minute: 0, day: 399, retryAfter: 40 });
    for (let count = 0; count < 5; count += 1) expect((await ask(key)).day).toBe(399);
    clock.advance((refused.retryAfter - 1) * 1_000);
    expect((await ask(key)).status).toBe(429);
    clock.advance(1_000);
    expect(await ask(key)).toMatchObject({ status: 200, day: 398 });
  });

  it('names the day if both windows refuse, until UTC midnight', async () => {
    const { id, key } = await accountWithKeys('free', 1);
    await usedToday(id, 399);
    expect(await ask(key)).toMatchObject({ status: 200, day: 0 });
    expect(await ask(key)).toMatchObject({
      status: 429,
      code: 'day_limit_exceeded',
      minute: 0,
      day: 0,
      retryAfter: 12 * 3_600,
    });
    clock.advance(12 * 3_600_000);
    expect(await ask(key)).toMatchObject({ status: 200, day: 399 });
  });

  it('states in the locale when to retry', async () => {
    const { key } = await accountWithKeys('free', 1);
    await ask(key);
    const details: (string | undefined)[] = [];
    for (const locale of ['en', 'zh', 'ja']) {
      details.push((await service.get(`${TOPICS}?locale=${locale}`, key)).body.error?.detail);
    }
    expect(details).toHaveLength(3);
    for (const detail of details) expect(detail).toContain('61');
    expect(new Set(details).size).toBe(3);
  });
});

describe('The cost of a request', () => {
  const costOf = async (path: string, sent: Sent): Promise<number> => {
    const { key } = await accountWithKeys('pro', 1);
    const before = (await ask(key)).day;
    await exchange(service.url, path, { key, ...sent });
    return before - (await ask(key)).day - 1;
  };

  it.each([
    ['200', TOPICS, {}],
    ['304', TOPICS, { headers: { 'if-none-match': '*' } }],
    ['HEAD', TOPICS, { method: 'HEAD' }],
    ['404 of a path', '/api/v1/none', {}],
    ['404 of an id', '/api/v1/changes/chg_none', {}],
    ['405', TOPICS, { method: 'POST' }],
    ['406', TOPICS, { headers: { accept: 'text/html' } }],
    ['400', `${TOPICS}?limit=1`, {}],
    ['a cursor that is refused', '/api/v1/changes?cursor=abc', {}],
  ] as const)('is one for %s', async (_what, path, sent) => {
    expect(await costOf(path, sent)).toBe(1);
  });

  it.each([
    ['OPTIONS', TOPICS, { method: 'OPTIONS' }],
    ['a key in the query', `${TOPICS}?api_key=1`, {}],
    ['414', `${TOPICS}?x=${'x'.repeat(8_200)}`, {}],
    ['431', TOPICS, { headers: { 'x-long': 'x'.repeat(17_000) } }],
  ] as const)('is nothing for %s', async (_what, path, sent) => {
    expect(await costOf(path, sent)).toBe(0);
  });

  it('is nothing for 401', async () => {
    const { key, other } = await accountWithKeys('pro', 2);
    const before = (await ask(key)).day;
    const [row] = await service.access.listKeys(`limits-${String(accounts)}@test.example`);
    await service.access.revokeKey(row?.id ?? '');
    await service.server.app.get(Heartbeat).poll();
    const left = [(await ask(key)).status, (await ask(other)).status, (await ask(key)).status];
    expect(left.sort()).toEqual([200, 401, 401]);
    const live = (await ask(other)).status === 200 ? other : key;
    expect(before - (await ask(live)).day).toBe(3);
  });
});

describe('The limit headers', () => {
  it.each([
    [200, TOPICS, {}],
    [304, TOPICS, { headers: { 'if-none-match': '*' } }],
    [400, `${TOPICS}?limit=1`, {}],
    [404, '/api/v1/none', {}],
    [405, TOPICS, { method: 'POST' }],
    [406, TOPICS, { headers: { accept: 'text/html' } }],
  ] as const)('are part of %d, as they are after it', async (status, path, sent) => {
    const { key } = await accountWithKeys('pro', 1);
    const reply = await exchange(service.url, path, { key, ...sent });
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'x-ratelimit-limit-minute': '5',
      'x-ratelimit-limit-day': '5000',
      'x-ratelimit-remaining-minute': '4',
      'x-ratelimit-remaining-day': '4999',
      'ratelimit-policy': '"minute";q=5;w=60, "day";q=5000;w=86400',
      ratelimit: '"minute";r=4;t=60, "day";r=4999;t=43200',
    });
  });

  it('are part of 429, with retry-after', async () => {
    const { key } = await accountWithKeys('free', 1);
    await ask(key);
    const { headers } = await exchange(service.url, TOPICS, { key });
    expect(headers).toMatchObject({
      'x-ratelimit-limit-minute': '1',
      'x-ratelimit-remaining-minute': '0',
      'x-ratelimit-remaining-day': '399',
      'ratelimit-policy': '"minute";q=1;w=60, "day";q=400;w=86400',
      'retry-after': '61',
    });
  });

  it('are in no response to an unidentified client', async () => {
    const { headers } = await exchange(service.url, TOPICS);
    expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('The day', () => {
  it('restarts at UTC midnight', async () => {
    const { key } = await accountWithKeys('pro', 1);
    clock.advance(12 * 3_600_000 - 1);
    expect(await ask(key)).toMatchObject({ status: 200, day: 4_999 });
    clock.advance(1);
    expect(await ask(key)).toMatchObject({ status: 200, day: 4_999, minute: 3 });
  });

  it('continues after a restart', async () => {
    const { key } = await accountWithKeys('pro', 1);
    for (let count = 0; count < 3; count += 1) await ask(key);
    await service.close();
    service = await startTestServer({ database, clock });
    expect((await ask(key)).day).toBe(4_996);
  });

  it('is stored in the database as one row per account once usage is written', async () => {
    const { id, key } = await accountWithKeys('pro', 1);
    for (let count = 0; count < 4; count += 1) await ask(key);
    await service.server.app.get(UsageRecorder).flush();
    const owner = await database.open('admin');
    const rows = await owner.query<object[]>('SELECT day, admitted FROM daily_usage WHERE account_id = $1', [id]);
    expect(rows).toEqual([{ day: today(), admitted: 4 }]);
  });
});

describe('The service without its configured Redis', () => {
  it('returns no error, and admits nothing that other instances may have admitted', async () => {
    const REDIS_URL = `redis://127.0.0.1:${String(await freePort())}`;
    const alone = await startTestServer({ database, clock, environment: { REDIS_URL } });
    const { key } = await accountWithKeys('pro', 1);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await ask(key, TOPICS, {}, alone.url)).status);
    }
    const { bytes, headers } = await exchange(alone.url, TOPICS, { key });
    expect(bytes.toString()).toContain('The service cannot see at the moment');
    expect(headers['retry-after']).toBe('5');
    const warning = 'Redis does not answer';
    await until(10_000, warning, () => Promise.resolve(alone.lines.join('\n').includes(warning)));
    await alone.close();
    expect(statuses).toEqual([429, 429, 429, 429, 429, 429]);
  });
});

describeIf(redisInstalled, 'redis-server is not installed')('The service with a frozen Redis', () => {
  it('returns no error, admits what Redis leased and the reserve, and logs it', async () => {
    const redis = await PrivateRedis.start();
    const shared = await startTestServer({ database, environment: { REDIS_URL: redis.url } });
    const { key } = await accountWithKeys('pro', 1);
    const one = () => ask(key, TOPICS, {}, shared.url);
    expect((await one()).status).toBe(200);
    redis.freeze();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await one()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    redis.thaw();
    await shared.close();
    await redis.kill();
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(shared.lines.join('\n')).toContain('Redis does not answer');
  });
});
