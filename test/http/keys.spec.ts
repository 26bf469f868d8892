// runs: on two instances
import { DataSource } from 'typeorm';
import { KeyVerifier } from '../../src/serve/access/keys/key-verifier.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { poolOf, singleReads, type Read } from '../../src/store/snapshots.js';
import { CallerLookup } from '../../src/serve/access/keys/caller-lookup.js';
import { CLOCK, type Clock } from '../../src/domain/config/clock.js';
import { Access } from '../../src/serve/access/accounts/access.js';
import { hashKey, makeKeyText } from '../../src/serve/access/keys/key-text.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { Lifeline } from '../support/lifeline.js';
import { startTestServer, TEST_PEPPER, type TestServer, type TestServerOptions } from '../support/server.js';

const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const TOPICS = '/api/v1/topics';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('figures');
});
afterAll(() => database.drop());

const running: { close(): Promise<void> }[] = [];
async function start(options: Partial<TestServerOptions> = {}): Promise<TestServer> {
  const service = await startTestServer({ database, ...options });
  running.push(service);
  return service;
}
async function lifelineTo({ connections }: TestDatabase): Promise<Lifeline> {
  const lifeline = await Lifeline.to(connections);
  running.push({ close: () => lifeline.cut() });
  return lifeline;
}
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.close();
});

let accounts = 0;
const newEmail = () => `owner-${String(++accounts)}@test.example`;

describe('A key', () => {
  let service: TestServer;
  beforeAll(async () => {
    service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(() => service.close());

  let clients = 0;
  /** As if each request had another client. */
  const codeOf = async (authorization: string): Promise<string> => {
    const headers = { authorization, 'x-forwarded-for': `198.51.100.${String(++clients)}` };
    const { status, body } = await exchange(service.url, TOPICS, { headers });
    return status === 200 ? 'ok' : (body?.error?.code ?? String(status));
  };

  it('consists of tm_, 30 base62 characters and 6 of their checksum', async () => {
    expect(await service.key()).toMatch(/^tm_[0-9A-Za-z]{36}$/);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])(
    'is accepted with the scheme in any case: %s',
    async (scheme) => {
      expect(await codeOf(`${scheme} ${await service.key()}`)).toBe('ok');
    },
  );

  it.each(['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Token {key}', '{key}', 'Bearer{key}'])(
    'is not read from any other header: "%s"',
    async (header) => {
      expect(await codeOf(header.replace('{key}', await service.key()))).toBe('missing_key');
    },
  );

  it('is not read from x-api-key here', async () => {
    const headers = { 'x-api-key': await service.key() };
    expect((await exchange(service.url, TOPICS, { headers })).body?.error?.code).toBe('missing_key');
  });

  it('is invalid if it is altered, cut, longer, or unknown', async () => {
    const key = await service.key();
    const swapped = key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11);
    for (const text of [swapped, key.slice(0, -1), `${key}a`, key.toUpperCase(), makeKeyText(), 'tm_']) {
      expect(await codeOf(`Bearer ${text}`)).toBe('invalid_key');
    }
  });

  it('stays revoked, with an error of its own', async () => {
    const email = newEmail();
    await service.access.createAccount({ email, plan: 'pro', signedUpAt: LONG_AGO });
    const { key, text } = await service.access.createKey(email, 'one');
    expect(await codeOf(`Bearer ${text}`)).toBe('ok');
    await service.access.revokeKey(key.id);
    await service.server.app.get(Heartbeat).poll();
    expect(await codeOf(`Bearer ${text}`)).toBe('revoked_key');
  });

  it('is 403 while its account is suspended, and valid again afterwards', async () => {
    const email = newEmail();
    await service.access.createAccount({ email, plan: 'pro', signedUpAt: LONG_AGO });
    const { text } = await service.access.createKey(email, 'one');
    const seen: string[] = [];
    for (const status of ['active', 'suspended', 'active'] as const) {
      await service.access.setStatus(email, status);
      await service.server.app.get(Heartbeat).poll();
      seen.push(await codeOf(`Bearer ${text}`));
    }
    expect(seen).toEqual(['ok', 'account_suspended', 'ok']);
  });

  it('has the reach of its owner’s current plan', async () => {
    const email = newEmail();
    await service.access.createAccount({ email, plan: 'pro', signedUpAt: LONG_AGO });
    const { text } = await service.access.createKey(email, 'one');
    const limit = async () => (await exchange(service.url, TOPICS, { key: text })).headers['x-ratelimit-limit-minute'];
    expect(await limit()).toBe('5');
    await service.access.setPlan(email, 'developer');
    await service.server.app.get(Heartbeat).poll();
    expect(await limit()).toBe('120');
  });

  it('stays valid under an older pepper, and new keys use the first one', async () => {
    const old = { id: 'old', value: 'an-older-pepper-0001' };
    const own = { id: 'test', value: TEST_PEPPER };
    const source = await database.open('account');
    const email = newEmail();
    const before = new Access(source, new Peppers([old]), () => new Date());
    await before.createAccount({ email, plan: 'pro', signedUpAt: LONG_AGO });
    const { text } = await before.createKey(email, 'old');
    expect(await codeOf(`Bearer ${text}`)).toBe('invalid_key');
    const rotated = await start({ peppers: new Peppers([own, old]) });
    expect((await rotated.get(TOPICS, text)).status).toBe(200);
    expect((await rotated.access.createKey(email, 'new')).key.pepperId).toBe('test');
  });
});

describe('Keys that an instance has not seen', () => {
  it('share one statement in one turn of the event loop, and open each its own account', async () => {
    const [own, old] = [
      { id: 'test', value: TEST_PEPPER },
      { id: 'old', value: 'an-older-pepper-0002' },
    ];
    const peppers = new Peppers([own, old]);
    const service = await start({ peppers });
    const before = new Access(await database.open('account'), new Peppers([old]), () => new Date());
    const emails = [newEmail(), newEmail(), newEmail()];
    const created = [];
    for (const [at, email] of emails.entries()) {
      const access = at === 0 ? before : service.access;
      const { id } = await access.createAccount({ email, plan: 'pro', signedUpAt: LONG_AGO });
      created.push({ id, ...(await access.createKey(email, 'one')) });
    }
    await service.access.revokeKey(created[2]?.key.id ?? '');
    const { app } = service.server;
    const statements: string[] = [];
    const read: Read = (sql, parameters) => {
      statements.push(sql);
      return singleReads(poolOf(app.get(DataSource)))(sql, parameters);
    };
    const callers = new CallerLookup(read, app.get(Heartbeat), app.get<Clock>(CLOCK));
    const keys = new KeyVerifier(callers, peppers);
    const texts = created.map(({ text }) => text);
    const found = await Promise.all([...texts, makeKeyText(), texts[1] ?? ''].map((text) => keys.identify(text)));
    const told = found.map((one) => ('caller' in one ? one.caller.accountId : one.kind));
    expect(told).toEqual([created[0]?.id, created[1]?.id, 'revoked', 'unknown', created[1]?.id]);
    expect(statements).toHaveLength(1);
  });
});

describe('The keys of an account', () => {
  const signedUpAt = new Date('2026-09-01T12:00:00Z');
  let now = signedUpAt;
  let access: Access;
  beforeAll(async () => {
    const source = await database.open('account');
    access = new Access(source, new Peppers([{ id: 'test', value: TEST_PEPPER }]), () => now);
  });

  it('begin on Free 24 hours after sign-up, to the second', async () => {
    const email = newEmail();
    await access.createAccount({ email, plan: 'free', signedUpAt });
    now = new Date(signedUpAt.getTime() + 24 * 3_600_000 - 1_000);
    await expect(access.createKey(email, 'one')).rejects.toThrow(/24 hours after sign-up/);
    now = new Date(signedUpAt.getTime() + 24 * 3_600_000);
    await expect(access.createKey(email, 'one')).resolves.toBeDefined();
  });

  it.each(['pro', 'intelligence', 'developer'] as const)('begin on %s at once', async (plan) => {
    const email = newEmail();
    now = signedUpAt;
    await access.createAccount({ email, plan, signedUpAt });
    await expect(access.createKey(email, 'one')).resolves.toBeDefined();
  });

  it.each([
    ['free', 2],
    ['pro', 5],
    ['intelligence', 10],
    ['developer', 20],
  ] as const)('are limited on %s to %d live ones', async (plan, cap) => {
    const email = newEmail();
    now = new Date('2026-10-01T00:00:00Z');
    await access.createAccount({ email, plan, signedUpAt });
    const made = [];
    for (let count = 0; count < cap; count += 1) made.push(await access.createKey(email, 'one'));
    await expect(access.createKey(email, 'more')).rejects.toThrow(`allows ${String(cap)} live keys`);
    await access.revokeKey(made[0]?.key.id ?? '');
    await expect(access.createKey(email, 'again')).resolves.toBeDefined();
  });

  it('do not exceed the cap together when they are created at once', async () => {
    const email = newEmail();
    now = new Date('2026-10-01T00:00:00Z');
    await access.createAccount({ email, plan: 'pro', signedUpAt });
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => access.createKey(email, 'one')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('stay valid after a downgrade, and no new one can be created', async () => {
    const email = newEmail();
    await access.createAccount({ email, plan: 'pro', signedUpAt });
    const texts = [];
    for (let count = 0; count < 3; count += 1) texts.push((await access.createKey(email, 'one')).text);
    await access.setPlan(email, 'free');
    await expect(access.createKey(email, 'more')).rejects.toThrow(/allows 2 live keys/);
    const service = await start();
    // The Free plan allows one request a minute: 429 proves a valid key as well as 200 does.
    for (const text of texts) expect([200, 429]).toContain((await service.get(TOPICS, text)).status);
  });

  it('cannot be created while the account is suspended', async () => {
    const email = newEmail();
    await access.createAccount({ email, plan: 'pro', signedUpAt });
    await access.setStatus(email, 'suspended');
    await expect(access.createKey(email, 'one')).rejects.toThrow(/suspended/);
  });
});

describe('The limit of failed attempts', () => {
  it('is 20 a minute by address; then only failed keys are refused, and a valid key is served', async () => {
    const clock = new StoppedClock('2026-09-15T12:00:00Z');
    const service = await start({ clock });
    const good = await service.key();
    for (let count = 0; count < 20; count += 1) {
      expect((await service.get(TOPICS, makeKeyText())).status).toBe(401);
    }
    const refused = await service.get(TOPICS, makeKeyText());
    expect([refused.status, refused.body.error?.code]).toEqual([429, 'too_many_failed_attempts']);
    const seconds = Number(refused.headers.get('retry-after'));
    expect((await service.get(TOPICS, 'tm_malformed')).status).toBe(429);
    expect((await service.get(TOPICS, good)).status).toBe(200);
    expect((await service.get(TOPICS, null)).body.error?.code).toBe('missing_key');
    clock.advance(seconds * 1_000);
    expect((await service.get(TOPICS, makeKeyText())).status).toBe(401);
  });

  it('is separate for each client behind a trusted proxy, and for each /64', async () => {
    const service = await start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    const from = async (address: string) =>
      (await exchange(service.url, TOPICS, { key: makeKeyText(), headers: { 'x-forwarded-for': address } })).status;
    for (let count = 0; count < 20; count += 1) {
      expect(await from(`2001:db8:0:1::${String(count)}`)).toBe(401);
    }
    expect(await from('2001:db8:0:1:ffff::1')).toBe(429);
    expect(await from('2001:db8:0:2::1')).toBe(401);
    expect(await from('203.0.113.9')).toBe(401);
  });

  it('does not move to another address by a proxy header from an untrusted hop', async () => {
    const service = await start();
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${String(count)}` };
      statuses.push((await exchange(service.url, TOPICS, { key: makeKeyText(), headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('An instance without its database', () => {
  it('still refuses a wrong checksum, and cannot verify unknown keys', async () => {
    const lifeline = await lifelineTo(database);
    const service = await start({ connections: lifeline.connections });
    const key = makeKeyText();
    await lifeline.cut();
    await service.server.app.get(Heartbeat).poll();
    const wrong = await service.get(TOPICS, `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
    expect([wrong.status, wrong.body.error?.code]).toEqual([401, 'invalid_key']);
    const right = await service.get(TOPICS, key);
    expect([right.status, right.body.error?.code]).toEqual([503, 'unavailable']);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('accepts verified keys for 60 seconds, then responds with 503, and recovers', async () => {
    const clock = new StoppedClock('2026-09-15T12:00:00Z');
    const lifeline = await lifelineTo(database);
    const service = await start({ connections: lifeline.connections, clock });
    const key = await service.key();
    const codeAfter = async (ms: number) => {
      clock.advance(ms);
      // A path without a route reads nothing, so the status depends only on the key.
      return (await service.get('/api/v1/none', key)).body.error?.code;
    };
    expect((await service.get(TOPICS, key)).status).toBe(200);
    await service.server.app.get(Heartbeat).poll();
    await lifeline.cut();
    await service.server.app.get(Heartbeat).poll();
    expect(await codeAfter(0)).toBe('not_found');
    expect((await service.get(TOPICS, key)).status).toBe(200);
    const unread = await service.get('/api/v1/coverage', key);
    expect([unread.status, unread.body.error?.code]).toEqual([503, 'unavailable']);
    expect(await codeAfter(30_000)).toBe('not_found');
    expect(await codeAfter(30_000)).toBe('not_found');
    expect(await codeAfter(1)).toBe('unavailable');
    await lifeline.mend();
    await service.server.app.get(Heartbeat).poll();
    expect(await codeAfter(0)).toBe('not_found');
    expect((await service.get('/api/v1/coverage', key)).status).toBe(200);
  });

  it('reveals no host, login or statement in a response or log line', async () => {
    const lifeline = await lifelineTo(database);
    const service = await start({ connections: lifeline.connections });
    const key = await service.key();
    await service.get(TOPICS, key);
    await service.server.app.get(Heartbeat).poll();
    await lifeline.cut();
    const { text, headers } = await service.get('/api/v1/coverage', key);
    await service.logged([headers.get('x-request-id')]);
    const said = [text.replaceAll(service.url, ''), ...service.lines].join('\n');
    expect(said).not.toMatch(/password|tidemark_api|postgres|SELECT/);
    expect(text.replaceAll(service.url, '')).not.toMatch(/127\.0\.0\.1|ECONN|pool|terminated/);
  });
});

describe('A key, once shown', () => {
  it('is in no row, response or log line, except for its first characters', async () => {
    const service = await start();
    const keys = [await service.key(), await service.key('free'), makeKeyText()];
    const texts: string[] = [];
    const asked: unknown[] = [];
    for (const key of keys) {
      for (const path of [TOPICS, '/api/v1/none', `/api/v1/changes?country=${key}`, `/api/v1/${key}`]) {
        const { status, text, headers } = await service.get(path, key);
        texts.push(String(status), text, JSON.stringify([...headers]));
        asked.push(headers.get('x-request-id'));
      }
    }
    const source = await database.open('admin');
    const tables = await source.query<{ name: string }[]>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await source.query<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    await service.logged(asked);
    const all = [...texts, ...service.lines].join('\n');
    for (const key of keys) {
      expect(all.includes(key.slice(0, 9))).toBe(false);
      expect(all.includes(key.slice(3))).toBe(false);
    }
  });

  it('is stored as its keyed hash and its first eight characters', async () => {
    const service = await start();
    const key = await service.key();
    const source = await database.open('admin');
    const [row] = await source.query<{ hash: Buffer; prefix: string }[]>(
      'SELECT hash, prefix FROM api_keys WHERE prefix = $1',
      [key.slice(0, 8)],
    );
    expect(row?.hash.equals(hashKey(key, { id: 'test', value: TEST_PEPPER }))).toBe(true);
    expect(row?.hash.equals(hashKey(key, { id: 'test', value: 'another-pepper-0001' }))).toBe(false);
  });
});
