// runs: in full only
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FormBrowser } from '../support/form-browser.js';
import { freePort } from '../support/free-port.mjs';
import { openMailbox, type Mailbox } from '../support/mailbox.js';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const PASSWORD = 'tide and moon 47';

let database: TestDatabase;
let mailbox: Mailbox;
let provider: OpenIdProvider;
let service: TestServer;

beforeAll(async () => {
  const port = await freePort();
  [database, mailbox] = [await createTestDatabase('figures'), await openMailbox()];
  provider = await startOpenIdProvider(`http://127.0.0.1:${String(port)}`);
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'service@tidemark.example' };
  service = await startTestServer({ database, port, environment: { ...provider.environment, ...mail } });
});
afterAll(async () => {
  await service.close();
  await provider.stop();
  await mailbox.close();
  await database.drop();
});

async function atProvider(subject: string, browser: FormBrowser): Promise<FormBrowser> {
  while (browser.url.startsWith(provider.issuer)) await browser.submit('', { login: subject, password: 'x' });
  return browser;
}

async function signIn(subject: string): Promise<FormBrowser> {
  const browser = await new FormBrowser().open(`${service.url}/account/sign-in`);
  await browser.submit('/account/sso');
  return atProvider(subject, browser);
}

async function withPassword(email: string): Promise<FormBrowser> {
  const browser = await new FormBrowser().open(`${service.url}/account/sign-up`);
  await browser.submit('/account/sign-up', { email });
  const [, token = ''] = /token=([\w-]{43})/.exec(mailbox.newest(email).text) ?? [];
  await browser.open(`${service.url}/account/confirm?token=${token}`);
  return browser.submit('/account/confirm', { password: PASSWORD });
}

describe('The owner of an account with a password', () => {
  it('is told of each link, and unlinking ends every session that the provider opened', async () => {
    const [person, email] = ['ann', 'ann@harbour.example'];
    provider.people.set(person, { email });
    const owner = await withPassword(email);
    const mailed = (text: string) =>
      until(10_000, text, () => Promise.resolve(mailbox.newest(email).text.includes(text)));
    await owner.open(`${service.url}/account/sso`);
    await owner.submit('/account/sso/link', { password: PASSWORD });
    await atProvider(person, owner);
    await mailed('was linked with Harbour on');
    const [own, elsewhere] = [await signIn(person), await signIn(person)];
    const stolen = own.cookieOf(service.url);
    await own.open(`${service.url}/account/sso`);
    await own.submit('/account/sso/unlink', { password: PASSWORD });
    await mailed('with Harbour was removed on');
    expect(own.html).toContain('not linked with Harbour');
    expect(own.cookieOf(service.url)).not.toBe(stolen);
    expect((await elsewhere.open(`${service.url}/account`)).url).toMatch(/sign-in/);
    expect((await owner.open(`${service.url}/account`)).html).toContain(email);
    const { status } = await fetch(`${service.url}/account`, { headers: { cookie: stolen }, redirect: 'manual' });
    expect(status).toBe(303);
  });
});
