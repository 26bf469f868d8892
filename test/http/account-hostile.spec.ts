import { RequestMethod } from '@nestjs/common';
import type { OutgoingHttpHeaders } from 'node:http';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { formToken } from '../../src/people/account/account-cookie.js';
import { accountPaths } from '../support/account-routes.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Exchange, type Sent } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { siteOwner, type SiteOwner } from '../support/site-owner.js';
import { Visitor } from '../support/visitor.js';

const DAY_MS = 24 * 3_600_000;
const PASSWORD = 'tide and moon 47';
const FORM = 'application/x-www-form-urlencoded';
const OWN = { 'sec-fetch-site': 'same-origin' };
const EVIL = 'evil.example';

let database: TestDatabase;
let service: TestServer;
const clock = new StoppedClock('2026-09-01T12:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase('figures');
  const environment = { TRUSTED_PROXIES: '127.0.0.1', CORS_ORIGINS: '*', SMTP_URL: 'smtp://127.0.0.1:1' };
  service = await startTestServer({ database, clock, environment });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

let owners = 0;
const owner = () => siteOwner(service, database, `hostile-${String(++owners)}`, { now: new Date(clock.wall()) });

let requests = 0;
/** Each request has an address of its own, and a hundred share a minute: addresses and sessions have limits. */
function send(path: string, cookie: string, sent: Sent = {}): Promise<Exchange> {
  requests += 1;
  if (requests % 100 === 0) clock.advance(60_001);
  const address = `10.0.${String(requests >> 8)}.${String(requests & 255)}`;
  const headers = { accept: 'text/html', cookie, 'x-forwarded-for': address, ...sent.headers };
  return exchange(service.url, path, { ...sent, headers });
}

const post = (path: string, cookie: string, fields: Record<string, string>, headers: OutgoingHttpHeaders) =>
  send(path, cookie, {
    method: 'POST',
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': FORM, ...headers },
  });

const tokenOf = ({ visitor }: SiteOwner): string => formToken(visitor.cookie.split('=')[1] ?? '');

/** All that a form could change for these accounts. */
async function stored(): Promise<unknown> {
  const source = await database.open('admin');
  const tables = ['accounts', 'api_keys', 'account_sessions', 'account_passwords', 'audit_events', 'follows', 'alerts'];
  const rows = await Promise.all(
    tables.map((table) => source.query<object[]>(`SELECT md5(t::text) AS row FROM ${table} t ORDER BY 1`)),
  );
  await source.destroy();
  return rows;
}

describe('Every form of the account page', () => {
  const forms = () => accountPaths(service, RequestMethod.POST);

  it('is found in the metadata of its route', () => {
    expect(forms()).toEqual(
      expect.arrayContaining(['/account/delete', '/account/keys/new', '/account/sign-in', '/account/sign-out']),
    );
  });

  it('is refused if another site sends it, and changes nothing', async () => {
    const victim = await owner();
    const { cookie } = victim.visitor;
    const before = await stored();
    const fields = { form: tokenOf(victim), name: 'x', password: PASSWORD, id: 'key_0000000000000000' };
    const foreign: OutgoingHttpHeaders[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: service.url },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin, cross-site' },
      { origin: `http://${EVIL}` },
      { origin: `${service.url}.${EVIL}` },
      { origin: 'null' },
    ];
    const passed: unknown[] = [];
    for (const path of forms()) {
      for (const headers of foreign) {
        const { status } = await post(path, cookie, fields, headers);
        if (status !== 403) passed.push([path, headers, status]);
      }
    }
    expect(passed).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('is refused without the token of the cookie that it comes with', async () => {
    const [victim, attacker] = [await owner(), await owner()];
    const { cookie } = victim.visitor;
    const before = await stored();
    const passed: unknown[] = [];
    for (const path of forms()) {
      for (const fields of [{}, { form: '' }, { form: 'x'.repeat(43) }, { form: tokenOf(attacker) }]) {
        const { status } = await post(path, cookie, fields, OWN);
        if (status !== 403) passed.push([path, fields, status]);
      }
      const visitor = await post(path, '', { form: tokenOf(victim) }, OWN);
      if (visitor.status !== 403) passed.push([path, 'without a cookie', visitor.status]);
      const twice = await post(path, `${cookie}; ${cookie}`, { form: tokenOf(victim) }, OWN);
      if (twice.status !== 403) passed.push([path, 'with the cookie twice', twice.status]);
    }
    expect(passed).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  it('is refused as plain text, as JSON and in several parts', async () => {
    const victim = await owner();
    const form = tokenOf(victim);
    const passed: unknown[] = [];
    for (const path of forms()) {
      for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', `${FORM}x`]) {
        const payload = type === 'application/json' ? JSON.stringify({ form }) : `form=${form}`;
        const headers = { ...OWN, 'content-type': type };
        const { status } = await send(path, victim.visitor.cookie, { method: 'POST', payload, headers });
        if (status !== 415) passed.push([path, type, status]);
      }
    }
    expect(passed).toEqual([]);
  });
});

describe('Every page of the account', () => {
  const pages = () => accountPaths(service, RequestMethod.GET);

  it('forbids frames, caches and other origins, with and without a session', async () => {
    const { visitor } = await owner();
    const wrong: unknown[] = [];
    for (const path of pages()) {
      for (const cookie of [visitor.cookie, '']) {
        const { status, headers } = await send(path, cookie, { headers: { origin: `https://${EVIL}` } });
        const policy = String(headers['content-security-policy']);
        const isFramed = status !== 303 && !policy.includes("frame-ancestors 'none'");
        const isKept = headers['cache-control'] !== 'no-store' || headers.etag !== undefined;
        const isShared = headers['access-control-allow-origin'] !== undefined;
        if (isFramed || isKept || isShared || status >= 500) wrong.push([path, cookie !== '', status, headers]);
      }
    }
    expect(pages().length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  it('redirects to a path of the account only, whatever a request contains', async () => {
    const { visitor } = await owner();
    const targets = [`https://${EVIL}`, `//${EVIL}`, `/\\${EVIL}`, `\\\\${EVIL}`, `/%09/${EVIL}`, `https:${EVIL}`];
    const wrong: unknown[] = [];
    for (const path of pages()) {
      for (const target of targets) {
        const query = new URLSearchParams(
          ['next', 'redirect', 'return_to', 'url', 'locale', 'continue'].map(
            (name) => [name, target] as [string, string],
          ),
        );
        const headers = { host: EVIL, 'x-forwarded-host': EVIL, forwarded: `host=${EVIL}`, referer: target };
        for (const cookie of [visitor.cookie, '']) {
          const response = await send(`${path}?${query.toString()}`, cookie, { headers });
          const { location = '/account' } = response.headers;
          const links = /(?:href|action)="(?!\/)[^"]*evil/.exec(response.bytes.toString());
          if (!/^\/account(\/[a-z-]+)?(\?|$)/.test(location) || links !== null) wrong.push([path, location, links]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('shows no name of a key, an alert, a client or an address as markup, nor does a public page', async () => {
    const names = ['<script>alert(47)</script>', `"onfocus="alert(47)`, `'><svg/onload=alert(47)>`];
    const raw = /<script>alert|"onfocus=|<svg\/onload|&#60;b/;
    const email = "x'&#60;b&#62;@mail.example";
    const made = await owner();
    const source = await database.open('admin');
    await source.query('UPDATE accounts SET email = $2 WHERE id = $1', [made.accountId, email]);
    const visitor = new Visitor(service.url, names[0]);
    visitor.cookie = made.visitor.cookie;
    const ids: string[] = [];
    for (const name of names) {
      const { key, text } = await service.access.createKey(email, name);
      await service.get('/api/v1/topics', text, { headers: { 'user-agent': name } });
      await visitor.open('/account');
      const alert = { type: 'country', key: 'JP', metric: 'any_change', threshold: '', name, action: 'add' };
      await visitor.send('/account/alerts/new', alert);
      ids.push(`/account/keys/one?id=${key.id}`);
    }
    const alerts = await source.query<{ id: string }[]>('SELECT id FROM alerts WHERE account_id = $1', [
      made.accountId,
    ]);
    expect(alerts).toHaveLength(names.length);
    ids.push(...alerts.map(({ id }) => `/account/alerts/one?id=${id}`));
    await source.query('UPDATE account_sessions SET client = $2 WHERE account_id = $1', [made.accountId, names[0]]);
    const shown: string[] = [];
    for (const path of [...pages(), ...ids, '/', '/calendar', '/markets/eurusd', '/briefs/latest']) {
      const html = (await send(path, made.visitor.cookie)).bytes.toString();
      if (raw.test(html)) shown.push(path);
    }
    expect(shown).toEqual([]);
    const sessions = await send('/account/sessions', made.visitor.cookie);
    expect(sessions.bytes.toString()).toContain('&lt;script&gt;alert(47)');
    await source.destroy();
  });
});

describe('A stolen cookie', () => {
  /** Whether the cookie opens the account. */
  const opens = async (cookie: string) => (await send('/account', cookie)).status === 200;

  it('opens nothing once the owner changes the password, ends the session or deletes the account', async () => {
    const { email, visitor } = await owner();
    const source = await database.open('admin');
    const hash = await new Passwords().hash(PASSWORD);
    await source.query(
      `INSERT INTO account_passwords (account_id, hash, changed_at) SELECT id, $2, $3 FROM accounts WHERE email = $1`,
      [email, hash, new Date(clock.wall())],
    );
    const first = visitor.cookie;
    const elsewhere = await new Visitor(service.url, 'Chrome').open('/account/sign-in');
    await elsewhere.send('/account/sign-in', { email, password: PASSWORD });
    const second = elsewhere.cookie;
    expect([await opens(first), await opens(second)]).toEqual([true, true]);

    await visitor.open('/account/sessions');
    const [, id = ''] = /name="id" value="(ses_[\w-]+)"/.exec(visitor.html) ?? [];
    await visitor.send('/account/sessions', { id });
    expect([await opens(first), await opens(second)]).toEqual([true, false]);

    await visitor.open('/account/password');
    await visitor.send('/account/password', { old: PASSWORD, password: 'another tide 48' });
    const third = visitor.cookie;
    expect([await opens(first), await opens(third)]).toEqual([false, true]);

    await visitor.open('/account/delete');
    await visitor.send('/account/delete', { password: 'another tide 48' });
    expect(await opens(third)).toBe(false);
  });

  it('opens nothing after an idle day', async () => {
    const { visitor } = await owner();
    const { cookie } = visitor;
    clock.advance(DAY_MS * 0.9);
    expect(await opens(cookie)).toBe(true);
    clock.advance(DAY_MS);
    expect(await opens(cookie)).toBe(false);
  });
});
