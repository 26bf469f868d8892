// runs: in full only
import type { JWTPayload } from 'jose';
import { Access } from '../../src/serve/access/accounts/access.js';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FormBrowser } from '../support/form-browser.js';
import { freePort } from '../support/free-port.mjs';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { CLIENT_SECRET, startOpenIdProvider, type OpenIdProvider, type Sign } from '../support/openid-provider.js';
import { startTestServer, type TestServer } from '../support/server.js';

const PASSWORD = 'tide and moon 47';
const CALLBACK = /\/account\/sso\/callback/;
let database: TestDatabase;
let mailbox: Mailbox;
let provider: OpenIdProvider;
let service: TestServer;
const clock = new RunningClock();

beforeAll(async () => {
  const port = await freePort();
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  provider = await startOpenIdProvider(`http://127.0.0.1:${String(port)}`);
  service = await start(port);
});
afterAll(async () => {
  await service.close();
  await provider.stop();
  await mailbox.close();
  await database.drop();
});
afterEach(async () => {
  provider.meddle = null;
  await provider.start();
});

function start(port: number, more: Readonly<Record<string, string>> = {}) {
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'service@tidemark.example', TRUSTED_PROXIES: '127.0.0.1' };
  const environment = { ...provider.environment, ...mail, ...more };
  return startTestServer({ database, clock, port, environment });
}

/** A service with other settings, at another address than the provider redirects to. */
async function withService(
  more: Readonly<Record<string, string>>,
  work: (url: string, lines: readonly string[]) => Promise<void>,
) {
  const other = await start(await freePort(), more);
  await work(other.url, other.lines).finally(() => other.close());
}

const access = () => service.server.app.get(Access, { strict: false });

let people = 0;
function newPerson(claims: { email?: string; isVerified?: boolean } = {}): string {
  const subject = `person-${String(++people)}`;
  provider.people.set(subject, { email: emailOf(subject), ...claims });
  return subject;
}
const emailOf = (subject: string) => `${subject}@harbour.example`;

/** Signs in at the provider and consents, as far as it asks for that. */
async function atProvider(subject: string, browser: FormBrowser, stopAt?: RegExp): Promise<FormBrowser> {
  while (browser.url.startsWith(provider.issuer)) {
    await browser.submit('', { login: subject, password: 'any' }, stopAt);
  }
  return browser;
}

/** Begins on the page of sign-in. @param stopAt keeps the browser from following the provider's response */
async function signIn(subject: string, browser = new FormBrowser(), stopAt?: RegExp, locale = 'en') {
  await browser.open(`${service.url}/account/sign-in?locale=${locale}`);
  await browser.submit('/account/sso', {}, stopAt);
  return atProvider(subject, browser, stopAt);
}

/** A new person's browser with the provider's response, which it does not send yet. */
const atCallback = () => signIn(newPerson(), new FormBrowser(), CALLBACK);

/** An account with a password, signed in. */
async function withPassword(email: string): Promise<FormBrowser> {
  const browser = await new FormBrowser().open(`${service.url}/account/sign-up`);
  await browser.submit('/account/sign-up', { email });
  const [, token = ''] = /token=([\w-]{43})/.exec(mailbox.newest(email).text) ?? [];
  await browser.open(`${service.url}/account/confirm?token=${token}`);
  return browser.submit('/account/confirm', { password: PASSWORD });
}

const outcome = ({ status, html }: FormBrowser) => [status, /role="alert">([^<]+)/.exec(html)?.[1] ?? null];
const EXPIRED = 'This sign-in was already completed, took too long, or began in another browser. Please start again.';
const UNVERIFIED =
  'The response from Harbour could not be verified. Please try again; if it happens again, write to the operator.';
const AWAY = 'Harbour does not respond at the moment. Please try again shortly, or sign in with your password.';

describe('Single sign-on', () => {
  it('makes a Free account for a new person, finds it again, and each time sets another cookie', async () => {
    const person = newPerson();
    const browser = await signIn(person);
    expect([browser.url, browser.html]).toEqual([
      `${service.url}/account?locale=en`,
      expect.stringContaining(emailOf(person)),
    ]);
    const first = browser.cookieOf(service.url);
    const { id, plan, locale } = await access().findAccount(emailOf(person));
    expect([plan, locale]).toEqual(['free', 'en']);
    const again = await signIn(person);
    expect((await access().findAccount(emailOf(person))).id).toBe(id);
    expect(again.cookieOf(service.url)).not.toBe(first);
    await again.open(`${service.url}/account/activity`);
    for (const entry of ['Account created', 'Single sign-on linked', 'Signed in']) {
      expect(again.html).toContain(entry);
    }
  });

  it.each(['en', 'zh', 'ja'])('keeps the language of the page in %s, and gives it to the account', async (locale) => {
    const person = newPerson();
    const browser = await signIn(person, new FormBrowser(), undefined, locale);
    expect(browser.headers.get('content-language')).toBe(locale);
    expect((await access().findAccount(emailOf(person))).locale).toBe(locale);
    for (const path of ['/account/sso', '/account/delete', '/account/password']) {
      await browser.open(`${service.url}${path}?locale=${locale}`);
      expect([path, browser.status]).toEqual([path, 200]);
      expect(browser.html).not.toMatch(/<style|<script|undefined|account\.\w/);
    }
  });

  it('allows forms to lead to the provider only on pages with such a form', async () => {
    const policyOf = async (path: string) =>
      (await new FormBrowser().open(service.url + path)).headers.get('content-security-policy');
    for (const path of ['/account/sign-in', '/account/sign-up']) {
      expect(await policyOf(path)).toContain(`form-action 'self' ${provider.issuer};`);
    }
    for (const path of ['/account/forgotten', '/account/sent']) {
      expect(await policyOf(path)).toContain("form-action 'self';");
    }
  });

  it('is nowhere without its settings', async () => {
    const plain = await startTestServer({ database, clock });
    const browser = await new FormBrowser().open(`${plain.url}/account/sign-in`);
    expect(browser.html).not.toContain('/account/sso');
    for (const path of ['/account/sso', '/account/sso/callback?state=x', '/.well-known/oauth-protected-resource']) {
      expect([path, (await browser.open(plain.url + path)).status]).toEqual([path, 404]);
    }
    await plain.close();
  });

  it('writes no secret into the log', async () => {
    const browser = await atCallback();
    const { searchParams } = new URL(browser.url);
    provider.forge((claims, sign) => sign(claims, 'other'));
    await browser.open(browser.url);
    const lines = service.lines.join('\n');
    for (const secret of [CLIENT_SECRET, searchParams.get('code'), searchParams.get('state'), 'eyJ']) {
      expect(lines).not.toContain(secret);
    }
    expect(lines).toContain('single sign-on failed');
  });
});

describe('An address with an account', () => {
  it('is no proof: the owner signs in by password and links single sign-on, which then opens the account', async () => {
    const person = newPerson();
    const owner = await withPassword(emailOf(person));
    expect(outcome(await signIn(person))).toEqual([
      400,
      'Your e-mail address already has an account. Please sign in with its password, then link single sign-on on the account page.',
    ]);
    await owner.open(`${service.url}/account/sso`);
    await owner.submit('/account/sso/link', { password: 'not the password' });
    expect(outcome(owner)).toEqual([400, 'The e-mail address or the password is wrong.']);
    await owner.submit('/account/sso/link', { password: PASSWORD });
    await atProvider(person, owner);
    expect(owner.html).toContain('has been linked with Harbour since');
    expect((await signIn(person)).html).toContain(emailOf(person));

    await owner.submit('/account/sso/unlink', { password: PASSWORD });
    expect(owner.html).toContain('not linked with Harbour');
    expect((await signIn(person)).status).toBe(400);
  });

  it('cannot be linked with an identity of another account, nor be confirmed by one', async () => {
    const [person, stranger] = [newPerson(), newPerson()];
    await signIn(stranger);
    const owner = await withPassword(emailOf(person));
    await owner.open(`${service.url}/account/sso`);
    await owner.submit('/account/sso/link', { password: PASSWORD });
    await atProvider(stranger, owner);
    expect(outcome(owner)[1]).toMatch(/does not belong to your account/);
  });
});

describe('A new person', () => {
  it.each([
    ['an address that is not verified', { isVerified: false }],
    ['no address', { email: '' }],
  ])('gets no account with %s', async (_, claims) => {
    const browser = await signIn(newPerson(claims));
    expect(outcome(browser)[1]).toMatch(/^Harbour has not confirmed an e-mail address for you/);
  });

  it('inherits what a deleted account of the address may not renew', async () => {
    const person = newPerson();
    await signIn(person);
    const { signedUpAt } = await access().findAccount(emailOf(person));
    await access().deleteAccount(emailOf(person));
    await signIn(person);
    expect((await access().findAccount(emailOf(person))).signedUpAt).toEqual(signedUpAt);
  });

  it('finds the form of the address only where sign-up is open, and no form where it is closed', async () => {
    const forms = async (url: string) => {
      const { status, html } = await new FormBrowser().open(`${url}/account/sign-up`);
      return [status, html.includes('name="email"'), html.includes('/account/sso')];
    };
    expect(await forms(service.url)).toEqual([200, true, true]);
    await withService({ SIGN_UP: 'oidc' }, async (url) => expect(await forms(url)).toEqual([200, false, true]));
    await withService({ SIGN_UP: 'closed' }, async (url) => expect(await forms(url)).toEqual([400, false, false]));
  });
});

describe('A response of the provider', () => {
  it('is accepted once', async () => {
    const browser = await atCallback();
    const { url } = browser;
    expect((await browser.open(url)).url).toBe(`${service.url}/account?locale=en`);
    expect(outcome(await browser.open(url))).toEqual([400, EXPIRED]);
  });

  it('is refused in another browser, where it ends nothing', async () => {
    const browser = await atCallback();
    const { url } = browser;
    const thief = await new FormBrowser().open(`${service.url}/account/sign-in`);
    expect(outcome(await thief.open(url))).toEqual([400, EXPIRED]);
    expect((await browser.open(url)).html).toContain('Free');
  });

  it('is refused ten minutes after the request', async () => {
    const browser = await atCallback();
    clock.advance(10 * 60_000);
    expect(outcome(await browser.open(browser.url))).toEqual([400, EXPIRED]);
  });

  it('is refused with the code of another request, because the code is bound to its verifier', async () => {
    const [one, other] = [await atCallback(), await atCallback()];
    const mixed = new URL(one.url);
    mixed.searchParams.set('code', new URL(other.url).searchParams.get('code') ?? '');
    expect(outcome(await one.open(mixed.href))).toEqual([400, UNVERIFIED]);
  });

  it.each([
    ['names another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['names no issuer', (url: URL) => url.searchParams.delete('iss')],
    ['has two codes', (url: URL) => url.searchParams.append('code', 'second')],
  ])('is refused if it %s', async (_, change) => {
    const browser = await atCallback();
    const changed = new URL(browser.url);
    change(changed);
    expect(outcome(await browser.open(changed.href))).toEqual([400, UNVERIFIED]);
  });

  it('shows a sign-in that was cancelled as such', async () => {
    const browser = await atCallback();
    const changed = new URL(browser.url);
    changed.searchParams.delete('code');
    changed.searchParams.set('error', 'access_denied');
    expect(outcome(await browser.open(changed.href))).toEqual([400, 'The sign-in with Harbour was cancelled.']);
  });
});

describe('An ID token', () => {
  const HOUR = 3_600;
  const now = () => Math.floor(Date.now() / 1_000);
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  type Forge = (claims: JWTPayload, sign: Sign) => Promise<string | undefined>;
  const FORGED: readonly (readonly [string, Forge])[] = [
    ['the signature of another key', (claims, sign) => sign(claims, 'other')],
    ['no signature', (claims) => Promise.resolve(`${encoded({ alg: 'none' })}.${encoded(claims)}.`)],
    ['another audience', (claims, sign) => sign({ ...claims, aud: 'another' })],
    ['another issuer', (claims, sign) => sign({ ...claims, iss: 'https://evil.example' })],
    ['another nonce', (claims, sign) => sign({ ...claims, nonce: 'another' })],
    ['no nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
    ['an end in the past', (claims, sign) => sign({ ...claims, iat: now() - 2 * HOUR, exp: now() - HOUR })],
    ['a beginning in the future', (claims, sign) => sign({ ...claims, iat: now() + HOUR })],
    ['no subject', (claims, sign) => sign({ ...claims, sub: undefined })],
    ['an empty subject', (claims, sign) => sign({ ...claims, sub: '' })],
    ['nothing', () => Promise.resolve(undefined)],
  ];

  it.each(FORGED)('is refused with %s', async (_, forged) => {
    const person = newPerson();
    provider.forge(forged);
    expect(outcome(await signIn(person))).toEqual([400, UNVERIFIED]);
    await expect(access().findAccount(emailOf(person))).rejects.toThrow('There is no account');
  });
});

describe('A provider that is away', () => {
  const TEXTS = { en: AWAY, zh: /暂时没有响应/, ja: /応答していません/ };

  it.each(['en', 'zh', 'ja'] as const)(
    'gets a page with a way to retry in %s, and works when it is back',
    async (locale) => {
      await withService({}, async (url, lines) => {
        await provider.stop();
        const browser = await new FormBrowser().open(`${url}/account/sign-in?locale=${locale}`);
        expect(browser.status).toBe(200);
        await browser.submit('/account/sso');
        expect([browser.status, browser.headers.get('retry-after')]).toEqual([503, '5']);
        expect(outcome(browser)[1]).toMatch(TEXTS[locale]);
        expect(lines.join()).toMatch(/The request to 127\.0\.0\.1:\d+ failed: [A-Z_]+"/);
        await provider.start();
        clock.advance(5_000);
        await browser.submit('/account/sso', {}, /never/);
        expect(browser.url).toMatch(provider.issuer);
      });
    },
  );

  it.each([
    ['responds with an error', (context: { status: number; body: unknown }) => void (context.status = 500)],
    ['responds with a page', (context: { body: unknown }) => void (context.body = '<html>busy</html>')],
    ['responds with too much', (context: { body: unknown }) => void (context.body = 'x'.repeat(2_000_000))],
    ['never responds', () => new Promise<void>(() => undefined)],
    ['stops', () => provider.stop()],
  ])('is one that %s, also in the middle of a sign-in', async (_, meddle) => {
    const browser = await atCallback();
    provider.meddle = (context) => (context.path === '/token' ? meddle(context) : undefined);
    expect(outcome(await browser.open(browser.url))).toEqual([503, AWAY]);
  });
});

describe('The owner of an account without a password', () => {
  it('deletes it after signing in again at the provider', async () => {
    const person = newPerson();
    const browser = await signIn(person);
    const before = browser.cookieOf(service.url);
    await (await browser.open(`${service.url}/account/delete`)).submit('/account/sso/confirm');
    await atProvider(person, browser);
    expect(browser.url).toBe(`${service.url}/account/delete?locale=en`);
    expect(browser.cookieOf(service.url)).not.toBe(before);
    await browser.submit('/account/delete');
    await expect(access().findAccount(emailOf(person))).rejects.toThrow('There is no account');
  });

  it('cannot delete it without that, five minutes after it, as another person, or by an earlier sign-in', async () => {
    const [person, stranger] = [newPerson(), newPerson()];
    await signIn(stranger);
    const browser = await signIn(person);
    const again = async (as: string) => {
      await browser.open(`${service.url}/account/delete`);
      await browser.submit('/account/sso/confirm');
      return atProvider(as, browser);
    };
    expect(outcome(await again(stranger))[1]).toMatch(/does not belong to your account/);
    provider.forge((claims, sign) => sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 60 }));
    expect(outcome(await again(person))).toEqual([400, UNVERIFIED]);
    provider.meddle = null;
    await again(person);
    clock.advance(5 * 60_000);
    await browser.submit('/account/delete');
    expect(outcome(browser)).toEqual([400, 'Please sign in again with Harbour first.']);
    expect((await access().findAccount(emailOf(person))).status).toBe('active');
  });

  it('signs out here, and at the provider', async () => {
    const browser = await signIn(newPerson());
    const thief = browser.cookieOf(service.url);
    await browser.submit('/account/sign-out');
    expect(browser.url).toMatch(`${provider.issuer}/session/end`);
    await browser.submit('/session/end/confirm', { logout: 'yes' });
    expect(browser.url).toMatch(`${service.url}/account/sign-in`);
    const { status } = await fetch(`${service.url}/account`, { headers: { cookie: thief }, redirect: 'manual' });
    expect(status).toBe(303);
  });
});
