// runs: in full only
import { AccountDatabase } from '../../src/people/account/account-database.js';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FormBrowser } from '../support/form-browser.js';
import { freePort } from '../support/free-port.mjs';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ADDRESS = '203.0.113.7';

let database: TestDatabase;
let provider: OpenIdProvider;
let service: TestServer;
const clock = new RunningClock();

beforeAll(async () => {
  const port = await freePort();
  database = await createTestDatabase('figures');
  provider = await startOpenIdProvider(`http://127.0.0.1:${String(port)}`);
  const environment = { ...provider.environment, TRUSTED_PROXIES: '127.0.0.1' };
  service = await startTestServer({ database, clock, port, environment });
});
afterAll(async () => {
  await service.close();
  await provider.stop();
  await database.drop();
});
// Each test begins with rested limits.
beforeEach(() => clock.advance(24 * 3_600_000));

/** Begins a sign-in without following it to the provider. */
async function begin(browser: FormBrowser): Promise<FormBrowser> {
  await browser.open(`${service.url}/account/sign-in`);
  return browser.submit('/account/sso', {}, new RegExp(provider.issuer));
}

async function signIn(subject: string, address: string): Promise<FormBrowser> {
  provider.people.set(subject, { email: `${subject}@harbour.example` });
  const browser = new FormBrowser(address);
  await browser.open(`${service.url}/account/sign-in`);
  await browser.submit('/account/sso');
  while (browser.url.startsWith(provider.issuer)) await browser.submit('', { login: subject, password: 'x' });
  return browser;
}

describe('Sign-ins that nobody completes', () => {
  it('are bounded by address, and another address is served', async () => {
    const browser = new FormBrowser(ADDRESS);
    for (let count = 0; count < 30; count += 1) await begin(browser);
    expect(browser.url).toMatch(provider.issuer);
    await begin(browser);
    expect([browser.status, Number(browser.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await begin(new FormBrowser('203.0.113.8'))).url).toMatch(provider.issuer);
  });

  it('leave no row once they have expired', async () => {
    const source = await database.open('admin');
    const rows = () => source.query<object[]>('SELECT 1 FROM authorization_requests');
    await begin(new FormBrowser(ADDRESS));
    expect((await rows()).length).toBeGreaterThan(0);
    clock.advance(10 * 60_000);
    await service.server.app.get(AccountDatabase, { strict: false }).purge();
    expect(await rows()).toEqual([]);
  });
});

describe('Accounts by single sign-on', () => {
  it('are made as slowly as by password from one address, where people with accounts still sign in', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect((await signIn(`flood-${String(count)}`, ADDRESS)).status).toBe(200);
    }
    expect((await signIn('flood-5', ADDRESS)).status).toBe(429);
    expect((await signIn('flood-0', ADDRESS)).html).toContain('flood-0@harbour.example');
    expect((await signIn('flood-6', '203.0.113.8')).status).toBe(200);
  });
});
