import { Access } from '../../src/serve/access/accounts/access.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { freePort } from '../support/free-port.mjs';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const PASSWORD = 'tide and moon 47';
const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let mailbox: Mailbox;
let service: TestServer;
const clock = new StoppedClock('2026-09-01T12:00:00Z');

beforeAll(async () => {
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  const environment = { SMTP_URL: mailbox.url, MAIL_FROM: 'service@tidemark.example' };
  service = await startTestServer({ database, clock, environment });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
  await database.drop();
});
// Each test begins with reset limits.
beforeEach(() => clock.advance(10 * DAY_MS));

/** The operator's commands, by the test's clock. */
const access = () => service.server.app.get(Access, { strict: false });

let people = 0;
const newEmail = () => `visitor-${String(++people)}@mail.example`;
const tokenIn = (text: string): string => /token=([\w-]{43})/.exec(text)?.[1] ?? '';

async function signUp(email = newEmail(), locale = 'en') {
  const visitor = await new Visitor(service.url).open(`/account/sign-up?locale=${locale}`);
  await visitor.send(`/account/sign-up?locale=${locale}`, { email });
  const token = tokenIn(mailbox.newest(email).text);
  await visitor.open(`/account/confirm?token=${token}&locale=${locale}`);
  expect(visitor.html).toContain(`value="${email}"`);
  const before = visitor.cookie;
  await visitor.send(`/account/confirm?locale=${locale}`, { token, password: PASSWORD });
  return { email, visitor, before };
}

async function owner() {
  const { email, visitor } = await signUp();
  await access().setPlan(email, 'developer');
  await visitor.open('/account');
  return { email, visitor };
}

describe('The account page', () => {
  it('leads from the sign-up to a key that it shows once, which opens the API until its revocation', async () => {
    const { email, visitor } = await signUp();
    expect(visitor.html).toContain('You can create your first key from 2026-09-12 12:00 UTC.');
    await visitor.open('/account/keys/new');
    await visitor.send('/account/keys/new', { name: 'laptop' });
    expect([visitor.status, visitor.html]).toEqual([400, expect.stringContaining('from 2026-09-12T12:00')]);

    clock.advance(DAY_MS * 0.9999);
    await visitor.open('/account');
    clock.advance(DAY_MS);
    const again = await new Visitor(service.url).open('/account/sign-in');
    await again.send('/account/sign-in', { email, password: PASSWORD });
    await again.open('/account/keys/new');
    await again.send('/account/keys/new', { name: 'laptop' });
    const [key = ''] = /tm_[0-9A-Za-z]{36}/.exec(again.html) ?? [];
    expect([again.status, key]).toEqual([200, expect.stringMatching(/^tm_/)]);
    // Only a page that shows a secret once runs a script: the copy button.
    const [, script = ''] = /<script src="([^"]+)" defer>/.exec(again.html) ?? [];
    expect(again.headers['content-security-policy']).toContain("script-src 'self'");
    expect((await fetch(service.url + script)).headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(script).not.toContain(key);
    expect((await service.get('/api/v1/topics', key)).status).toBe(200);
    await again.open('/account');
    expect(again.html).toContain('laptop');
    expect(again.html).not.toContain(key);

    const [, id = ''] = /id=(key_[\w-]+)/.exec(again.html) ?? [];
    await again.open(`/account/keys/one?id=${id}`);
    await again.send('/account/keys/revoke', { id });
    await service.server.app.get(Heartbeat).poll();
    expect((await service.get('/api/v1/topics', key)).body.error?.code).toBe('revoked_key');
    expect(service.lines.join('\n')).not.toContain(key);
  });

  it('creates one key for a form that is submitted twice, as by a reload', async () => {
    const { email, visitor } = await owner();
    await visitor.open('/account/keys/new');
    const [, id = ''] = /name="new_key_id" value="(key_[\w-]+)"/.exec(visitor.html) ?? [];
    for (const status of [200, 400]) {
      await visitor.send('/account/keys/new', { name: 'laptop', new_key_id: id });
      expect([visitor.status, /tm_[0-9A-Za-z]{36}/.test(visitor.html)]).toEqual([status, status === 200]);
    }
    await visitor.open(`/account/keys/one?id=${id}`);
    const [, next = ''] = /name="new_key_id" value="(key_[\w-]+)"/.exec(visitor.html) ?? [];
    for (const status of [200, 400]) {
      await visitor.send('/account/keys/rotate', { id, new_key_id: next });
      expect(visitor.status).toBe(status);
    }
    expect((await access().listKeys(email)).map((key) => key.id).sort()).toEqual([id, next].sort());
  });

  it.each(['en', 'zh', 'ja'])('shows each of its pages in %s without a missing text', async (locale) => {
    const { visitor } = await signUp(newEmail(), locale);
    const paths = ['', '/keys/new', '/sessions', '/activity', '/password', '/delete', '/sign-in', '/sign-up'];
    for (const path of [...paths, '/forgotten', '/sent', '/reset', '/link']) {
      await visitor.open(`/account${path}?locale=${locale}`);
      expect([path, visitor.status, visitor.headers['content-language']]).toEqual([path, 200, locale]);
      expect(visitor.html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script|undefined/);
    }
  });

  it('forbids caches, frames and access from other sites', async () => {
    const { headers } = await new Visitor(service.url).open('/account/sign-in');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers['etag']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['set-cookie']?.[0]).toMatch(
      /^tidemark-local=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
  });

  it('redirects a visitor to the sign-in, and never to a target from a parameter or the Host header', async () => {
    for (const path of ['/account', '/account/keys/new', '/account/sessions?next=https://evil.example']) {
      const { status, headers } = await exchange(service.url, path, { headers: { host: 'evil.example' } });
      expect([status, headers.location]).toEqual([303, '/account/sign-in?locale=en']);
    }
  });
});

describe('A form of the account page', () => {
  const FOREIGN = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];

  it.each(FOREIGN)('is refused if another site sends it, also for sign-in and sign-out: %j', async (headers) => {
    const { visitor } = await owner();
    for (const path of ['/account/sign-out', '/account/sign-in', '/account/keys/new', '/account/delete']) {
      await visitor.open('/account');
      await visitor.send(path, { name: 'x', password: PASSWORD }, headers);
      expect([path, visitor.status]).toEqual([path, 403]);
    }
    expect((await visitor.open('/account')).status).toBe(200);
  });

  it('is refused without the token of its own session', async () => {
    const [{ visitor }, { visitor: other }] = [await owner(), await owner()];
    const [, stolen = ''] = /name="form" value="([^"]+)"/.exec(other.html) ?? [];
    for (const form of ['', 'x', stolen]) {
      await visitor.open('/account');
      await visitor.send('/account/sign-out', { form });
      expect(visitor.status).toBe(403);
    }
  });

  it('is refused in another media type, or if it is too large', async () => {
    const { visitor } = await owner();
    await visitor.send('/account/keys/new', { name: 'x'.repeat(11_000) });
    expect(visitor.status).toBe(413);
    const headers = { cookie: visitor.cookie, 'content-type': 'application/json' };
    const json = await exchange(service.url, '/account/keys/new', { method: 'POST', payload: '{}', headers });
    expect(json.status).toBe(415);
  });

  it('cannot change the keys and sessions of another account', async () => {
    const [{ email }, { visitor }] = [await owner(), await owner()];
    const { key } = await access().createKey(email, 'mine');
    for (const path of ['/account/keys/revoke', '/account/keys/rotate']) {
      await visitor.open('/account');
      await visitor.send(path, { id: key.id });
      expect(visitor.status).toBe(400);
    }
    const [stored] = await access().listKeys(email);
    expect(stored?.revokedAt).toBeNull();
  });

  it('never shows a name as markup', async () => {
    const { visitor } = await owner();
    for (const name of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', ...HOSTILE_TEXTS.slice(0, 8)]) {
      await visitor.open('/account/keys/new');
      await visitor.send('/account/keys/new', { name: name.slice(0, 100) });
      expect(visitor.html).not.toMatch(/<script>alert|<img src=x/);
    }
    expect((await visitor.open('/account')).html).not.toMatch(/<script>alert|<img src=x/);
    expect(visitor.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe('A session', () => {
  it('has another cookie than the visitor had, and a cookie that an attacker set opens nothing', async () => {
    const { email, visitor, before } = await signUp();
    expect(visitor.cookie).not.toBe(before);
    const victim = await new Visitor(service.url).open('/account/sign-in');
    const fixed = victim.cookie;
    await victim.send('/account/sign-in', { email, password: PASSWORD });
    expect([victim.status, victim.cookie === fixed]).toEqual([200, false]);
    const attacker = new Visitor(service.url);
    attacker.cookie = fixed;
    expect((await attacker.open('/account')).status).toBe(303);
  });

  it('opens nothing after the sign-out, even with a stolen cookie', async () => {
    const { visitor } = await owner();
    const thief = new Visitor(service.url);
    thief.cookie = visitor.cookie;
    expect((await thief.open('/account')).status).toBe(200);
    await visitor.send('/account/sign-out');
    expect((await thief.open('/account')).status).toBe(303);
  });

  it('has no effect on the API and MCP', async () => {
    const { visitor } = await owner();
    for (const path of ['/api/v1/topics', '/api/v1/following', '/api/v1/mcp']) {
      const { status } = await exchange(service.url, path, { headers: { cookie: visitor.cookie } });
      expect([path, status]).toEqual([path, 401]);
    }
  });
});

describe('A request about an e-mail address', () => {
  const outcome = (visitor: Visitor) => [visitor.status, visitor.html.replace(/value="[^"]*"/g, '')];

  it('has the same response whether or not the address has an account', async () => {
    const { email } = await signUp();
    for (const [path, page] of [
      ['/account/sign-up', '/account/sign-up'],
      ['/account/forgotten', '/account/forgotten'],
      ['/account/sign-in', '/account/sign-in'],
    ] as const) {
      const told = [];
      for (const address of [email, newEmail()]) {
        const visitor = await new Visitor(service.url).open(page);
        told.push(outcome(await visitor.send(path, { email: address, password: 'some other password' })));
      }
      expect(told[0]).toEqual(told[1]);
    }
  });

  it('shows after the confirmation that the operator has created the account meanwhile', async () => {
    const email = newEmail();
    const visitor = await new Visitor(service.url).open('/account/sign-up');
    await visitor.send('/account/sign-up', { email });
    const token = tokenIn(mailbox.newest(email).text);
    await access().createAccount({ email, plan: 'pro', signedUpAt: new Date(clock.wall()) });
    await visitor.open(`/account/confirm?token=${token}`);
    await visitor.send('/account/confirm', { token, password: PASSWORD });
    expect(visitor.status).toBe(400);
    expect(visitor.html).toContain('This address already has an account.');
    await visitor.open('/account/sign-in');
    await visitor.send('/account/sign-in', { email, password: PASSWORD });
    expect(visitor.status).toBe(400);
  });

  it('reveals nothing of a forgotten password without a mail server, and asks a sign-up to be sent again', async () => {
    const { email } = await signUp();
    const environment = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'service@tidemark.example' };
    const mailless = await startTestServer({ database, clock, environment });
    const told = [];
    for (const address of [email, newEmail()]) {
      const visitor = await new Visitor(mailless.url).open('/account/forgotten');
      told.push(outcome(await visitor.send('/account/forgotten', { email: address })));
    }
    expect(told[0]).toEqual([200, expect.any(String)]);
    expect(told[0]).toEqual(told[1]);
    await until(10_000, 'the failure in the log', () =>
      Promise.resolve(mailless.lines.some((line) => line.includes('ECONNREFUSED'))),
    );
    const visitor = await new Visitor(mailless.url).open('/account/sign-up');
    const sentBefore = mailless.lines.length;
    const answer = await visitor.send('/account/sign-up', { email: newEmail() });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.html).toContain('We cannot send e-mails at the moment.');
    expect(mailless.lines.slice(sentBefore).join('\n')).toContain('ECONNREFUSED');
    await mailless.close();
  });
});

describe('An account', () => {
  it('can be deleted with its password; its cookie and keys then open nothing', async () => {
    const { email, visitor } = await owner();
    const { text } = await access().createKey(email, 'one');
    await visitor.open('/account/delete');
    await visitor.send('/account/delete', { password: 'not the password' });
    expect(visitor.status).toBe(400);
    await visitor.send('/account/delete', { password: PASSWORD });
    expect((await visitor.open('/account')).status).toBe(303);
    await service.server.app.get(Heartbeat).poll();
    expect((await service.get('/api/v1/topics', text)).status).toBe(401);
  });

  it('can be deleted while other forms of its owner arrive, which then lead to the sign-in', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { visitor } = await owner();
      await visitor.open('/account/delete');
      const others = ['/account/delete', '/account/keys/new'].map((path) => {
        const other = new Visitor(service.url);
        [other.cookie, other.html] = [visitor.cookie, visitor.html];
        return other.send(path, { password: PASSWORD, name: 'one', expiry: 'never' });
      });
      const sent = await Promise.all([visitor.send('/account/delete', { password: PASSWORD }), ...others]);
      for (const { status } of sent) expect(status).toBeLessThan(500);
      expect((await visitor.open('/account')).status).toBe(303);
    }
  });

  it('keeps no expired row', async () => {
    const { email } = await owner();
    const source = await database.open('admin');
    const left = async () => {
      const rows = await source.query<{ count: number }[]>(
        `SELECT (SELECT count(*) FROM account_sessions) + (SELECT count(*) FROM former_accounts) AS count`,
      );
      return rows[0]?.count;
    };
    await access().deleteAccount(email);
    expect(await left()).toBeGreaterThan(0);
    clock.advance(401 * DAY_MS);
    await service.server.app.get(AccountDatabase, { strict: false }).purge();
    expect(await left()).toBe(0);
  });

  it('gets a new password by mail, in its owner’s language', async () => {
    const { email } = await signUp(newEmail(), 'ja');
    const visitor = await new Visitor(service.url).open('/account/forgotten');
    await visitor.send('/account/forgotten', { email });
    await until(10_000, 'the mail', () =>
      Promise.resolve(mailbox.newest(email).text.includes('新しいパスワードを設定してください')),
    );
    const token = tokenIn(mailbox.newest(email).text);
    await visitor.open(`/account/reset?token=${token}`);
    await visitor.send('/account/reset', { token, password: 'a very new password' });
    expect(visitor.html).toContain(email);
  });
});
