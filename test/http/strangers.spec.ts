// runs: in full only
import { RequestMethod } from '@nestjs/common';
import { Passwords } from '../../src/serve/access/sign-in/passwords.js';
import { PRICES } from '../../src/serve/access/keys/prices.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { formToken } from '../../src/people/account/account-cookie.js';
import { accountPaths } from '../support/account-routes.js';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Exchange } from '../support/exchange.js';
import { countHashes, type HashCounter } from '../support/hash-counter.js';
import { unescaped } from '../support/html.js';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { cheapHashes, startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const PASSWORD = 'tide and moon 47';
const HTML = 'text/html';
const HOSTILE = 20;
/** The shape of a real token, of no link that was ever mailed. */
const INVENTED = 'A'.repeat(43);
const DAY_MS = 24 * 3_600_000;

jest.setTimeout(120_000);

let database: TestDatabase;
let mailbox: Mailbox;
let service: TestServer;
const clock = new RunningClock();

beforeAll(async () => {
  [database, mailbox] = await Promise.all([createTestDatabase('figures'), openMailbox()]);
  const environment = { TRUSTED_PROXIES: '127.0.0.1', SMTP_URL: mailbox.url };
  const ofPages = { PAGES_PER_MINUTE: '3', PAGES_PER_DAY: '5' };
  service = await startTestServer({ database, clock, environment: { ...environment, ...ofPages } });
});
afterAll(async () => {
  await service.close();
  await mailbox.close();
  await database.drop();
});
// Strangers occupy the workers that compute hashes, for as long as real hashes take.
cheapHashes.release();
let hashes: HashCounter | undefined;
afterEach(() => {
  hashes?.release();
  // Each test begins with unused limits.
  clock.advance(DAY_MS);
});

const cookie = 'x'.repeat(43);
function post(path: string, fields: Record<string, string>, address: string, value = cookie): Promise<Exchange> {
  return exchange(service.url, path, {
    method: 'POST',
    payload: new URLSearchParams({ form: formToken(value), ...fields }).toString(),
    headers: {
      cookie: `tidemark-local=${value}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: HTML,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
    },
  });
}

let owners = 0;
/** An account with a password that nobody has signed in to. */
async function owner(): Promise<string> {
  const email = `owner-${String((owners += 1))}@mail.example`;
  const { id } = await service.access.createAccount({ email, plan: 'free', signedUpAt: new Date('2026-01-01') });
  const source = await database.open('admin');
  const hash = await new Passwords().hash(PASSWORD);
  await source.query('INSERT INTO account_passwords (account_id, hash, changed_at) VALUES ($1, $2, now())', [id, hash]);
  await source.destroy();
  return email;
}
const signIn = (email: string, address: string, password = PASSWORD) =>
  post('/account/sign-in', { email, password }, address);
/** The cookie of an owner whose session this instance has seen. */
async function signedIn(address: string): Promise<{ readonly token: string }> {
  const { headers } = await signIn(await owner(), address);
  const [, token = ''] = /tidemark-local=([\w-]{43})/.exec(String(headers['set-cookie'])) ?? [];
  const shown = await exchange(service.url, '/account', {
    headers: { accept: HTML, cookie: `tidemark-local=${token}`, 'x-forwarded-for': address },
  });
  expect(shown.status).toBe(200);
  return { token };
}
/** The service responds before it mails. */
const mailedMore = (than: number) => until(10_000, 'a mail', () => Promise.resolve(mailbox.count > than));

describe('A stranger', () => {
  it('gets no hash computed for an invented token', async () => {
    hashes = countHashes();
    const { status } = await post('/account/reset', { token: INVENTED, password: PASSWORD }, '10.1.0.1');
    expect(status).toBe(400);
    expect(hashes.counts).toEqual({ hash: 0, verify: 0 });
  });

  it('delays nobody’s sign-in from twenty addresses that send every form', async () => {
    const forms = accountPaths(service, RequestMethod.POST);
    expect(forms).toContain('/account/reset');
    const people = await Promise.all(Array.from({ length: 5 }, owner));
    hashes = countHashes();
    const stranger = async (index: number) => {
      for (const [at, form] of forms.entries()) {
        const email = `stranger-${String(at)}-${String(index)}@mail.example`;
        const fields = { email, password: PASSWORD, token: INVENTED, link: 'sign_in' };
        await post(form, fields, `10.2.0.${String(index)}`);
      }
    };
    const flood = Promise.all(Array.from({ length: HOSTILE }, (_, index) => stranger(index)));
    const statuses: number[] = [];
    for (const email of [...people, ...people])
      statuses.push((await signIn(email, `10.3.${String(statuses.length)}.1`)).status);
    await flood;
    expect(statuses).toEqual(statuses.map(() => 303));
    const { sign_in: signIns } = PRICES;
    // One verification more: the dummy of unknown addresses is made once.
    expect(hashes.counts.verify).toBeLessThanOrEqual(10 + HOSTILE * signIns.address.perMinute);
    expect(hashes.counts.hash).toBeLessThanOrEqual(1);
  });

  it('may send thirty forms a minute, and takes none from an owner at the same address', async () => {
    const { token } = await signedIn('10.12.0.1');
    const send = (address: string, value: string) =>
      post('/account/confirm', { token: INVENTED, password: PASSWORD }, address, value);
    const { perMinute } = PRICES.account_form.address;
    const statuses: number[] = [];
    for (let count = 0; count < perMinute; count += 1) statuses.push((await send('10.11.0.1', cookie)).status);
    expect([...new Set(statuses)]).toEqual([400]);
    const refused = await Promise.all([send('10.11.0.1', cookie), send('10.11.0.1', 'y'.repeat(43))]);
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(Number(refused[0].headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused[0].headers['set-cookie']).toBeUndefined();
    expect(refused[0].bytes.toString()).toContain('Please try again in');
    expect((await send('10.11.0.1', token)).status).toBe(400);
    expect((await send('10.11.0.2', cookie)).status).toBe(400);
  });

  it('keeps nobody from a link for a new password by signing up with their address', async () => {
    const email = await owner();
    for (let count = 1; count <= 4; count += 1) {
      await post('/account/sign-up', { email, password: PASSWORD }, `10.4.0.${String(count)}`);
    }
    const before = mailbox.count;
    expect((await post('/account/forgotten', { email }, '10.4.1.1')).status).toBe(303);
    await mailedMore(before);
    expect(mailbox.newest().text).toContain('/account/reset?token=');
    // At most one a minute.
    await post('/account/forgotten', { email }, '10.4.1.2');
    clock.advance(60_001);
    await post('/account/forgotten', { email }, '10.4.1.3');
    await mailedMore(before + 1);
    expect(mailbox.count).toBe(before + 2);
  });

  it('keeps no right password out of a new network by ten wrong ones', async () => {
    const email = await owner();
    for (let count = 0; count < 10; count += 1) await signIn(email, '10.5.0.1', `guess number ${String(count)}`);
    expect((await signIn(email, '10.5.0.1')).status).toBe(429);
    expect((await signIn(email, '10.6.0.1')).status).toBe(303);
  });

  it('leaves the owner a link that signs in from a new network, however many guesses come from others', async () => {
    const email = await owner();
    for (let count = 0; count < 40; count += 1) {
      await signIn(email, `10.7.${String(count)}.1`, `guess number ${String(count)}`);
    }
    const refused = await signIn(email, '10.8.0.1');
    expect(refused.status).toBe(429);
    expect(refused.bytes.toString()).toContain('href="/account/forgotten');
    const before = mailbox.count;
    await post('/account/forgotten', { email, link: 'sign_in' }, '10.8.0.1');
    await mailedMore(before);
    const [, token = ''] = /\/account\/link\?token=([\w-]{43})/.exec(mailbox.newest().text) ?? [];
    const signedIn = await post('/account/link', { token }, '10.8.0.1');
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/account?locale=en']);
    // The account knows the network now, and strangers do not share its limit.
    expect((await signIn(email, '10.8.0.2')).status).toBe(303);
  });

  it('cannot set the address of the account as its password', async () => {
    const email = await owner();
    const before = mailbox.count;
    await post('/account/forgotten', { email }, '10.9.0.1');
    await mailedMore(before);
    const [, token = ''] = /token=([\w-]{43})/.exec(mailbox.newest().text) ?? [];
    const { status, bytes } = await post('/account/reset', { token, password: email }, '10.9.0.1');
    expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('Please choose another')]);
  });
});

describe('Pages with figures', () => {
  const PAGE = '/macro/gdp-growth/JP';
  const open = (address: string, path = PAGE, agent = 'Firefox') =>
    exchange(service.url, path, { headers: { accept: HTML, 'x-forwarded-for': address, 'user-agent': agent } });

  it.each(LOCALES)('above the minute’s limit lead to the API and a key, in %s', async (locale) => {
    const address = `203.0.113.${String(LOCALES.indexOf(locale))}`;
    const path = `${PAGE}?locale=${locale}`;
    for (let count = 0; count < 3; count += 1) expect((await open(address, path)).status).toBe(200);
    const refused = await open(address, path);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'content-language': locale, 'cache-control': 'no-store' });
    const seconds = Number(refused.headers['retry-after']);
    expect([seconds > 50, seconds <= 61]).toEqual([true, true]);
    const html = unescaped(refused.bytes.toString());
    expect(html).toContain('href="/docs"');
    expect(html).toContain(`href="/account?locale=${locale}"`);
    expect((await open('203.0.113.99', path)).status).toBe(200);
    // Account pages have a limit of their own.
    expect((await open(address, '/account/sign-in')).status).toBe(200);
  });

  it('have a limit for a day', async () => {
    const statuses: number[] = [];
    let last: Exchange | undefined;
    for (let count = 0; count < 7; count += 1) {
      last = await open('203.0.113.10');
      statuses.push(last.status);
      if (count % 3 === 2) clock.advance(60_001);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(last?.bytes.toString()).toContain('5 pages with figures a day');
  });

  it('are not more for a client that calls itself a search engine', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await open('127.0.0.9', PAGE, 'Mozilla/5.0 (compatible; Googlebot/2.1)')).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});
