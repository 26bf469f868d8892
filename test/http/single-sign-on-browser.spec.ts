// runs: in full only
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../browser/chromium.mjs';
import { RunningClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.mjs';
import { describeIf } from '../support/needs.js';
import { startOpenIdProvider, type OpenIdProvider } from '../support/openid-provider.js';
import { startTestServer, type TestServer } from '../support/server.js';

const AXE = createRequire(__filename).resolve('axe-core/axe.min.js');
const executable = findChromium();

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

describeIf(executable !== null, 'Chromium is not installed')('Single sign-on in Chromium', () => {
  let database: TestDatabase;
  let provider: OpenIdProvider;
  let service: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    const port = await freePort();
    database = await createTestDatabase('figures');
    provider = await startOpenIdProvider(`http://127.0.0.1:${String(port)}`);
    const { environment } = provider;
    service = await startTestServer({ database, clock: new RunningClock(), port, environment });
    browser = await launchChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await provider.stop();
    await database.drop();
  });

  async function openPage(options: BrowserContextOptions) {
    const page = await (await browser.newContext(options)).newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && page.url().startsWith(service.url)) errors.push(message.text());
    });
    return { page, errors };
  }

  /** Presses a button by the keyboard alone. */
  async function press(page: Page, path: string): Promise<void> {
    const focused = page.locator(`form[action^="${path}?"] button:focus`);
    for (let count = 0; (await focused.count()) === 0; count += 1) {
      if (count > 60) throw new Error(`The keyboard does not reach the button to ${path}`);
      await page.keyboard.press('Tab');
    }
    await leave(page, page.keyboard.press('Enter'));
  }

  /** Waits until the page has given way to another. */
  async function leave(page: Page, action: Promise<void>): Promise<void> {
    const before = page.url();
    await Promise.all([page.waitForURL(({ href }) => href !== before), action]);
  }

  async function atProvider(page: Page, subject: string): Promise<void> {
    while (page.url().startsWith(provider.issuer)) {
      const login = page.locator('input[name=login]');
      if ((await login.count()) > 0) {
        await login.fill(subject);
        await page.locator('input[name=password]').fill('any');
      }
      await leave(page, page.locator('[type=submit]').first().click());
    }
  }

  it.each(['en', 'zh', 'ja'])(
    'leads to the account and out again without JavaScript, at 320 px, by the keyboard: %s',
    async (locale) => {
      const subject = `browser-${locale}`;
      provider.people.set(subject, { email: `${subject}@harbour.example` });
      const { page, errors } = await openPage({ javaScriptEnabled: false, viewport: { width: 320, height: 700 } });
      await page.goto(`${service.url}/account/sign-in?locale=${locale}`);
      await press(page, '/account/sso');
      await atProvider(page, subject);
      expect(page.url()).toBe(`${service.url}/account?locale=${locale}`);
      expect(await page.content()).toContain(`${subject}@harbour.example`);

      await page.goto(`${service.url}/account/delete?locale=${locale}`);
      await press(page, '/account/sso/confirm');
      await atProvider(page, subject);
      expect(page.url()).toBe(`${service.url}/account/delete?locale=${locale}`);

      await press(page, '/account/sign-out');
      expect(page.url()).toMatch(`${provider.issuer}/session/end`);
      await leave(page, page.locator('[name=logout]').click());
      expect(page.url()).toMatch(`${service.url}/account/sign-in`);
      expect(errors).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)('has pages in which axe finds nothing, in %s', async (colorScheme) => {
    const subject = `axe-${colorScheme}`;
    provider.people.set(subject, { email: `${subject}@harbour.example` });
    // The test injects axe, which the page's own policy rightly forbids.
    const { page } = await openPage({ bypassCSP: true, colorScheme, viewport: { width: 320, height: 700 } });
    const found: string[] = [];
    const look = async () => {
      await page.addScriptTag({ path: AXE });
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      found.push(...violations.map(({ id, nodes }) => `${page.url()}: ${id} ${nodes[0]?.html ?? ''}`));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > 320) found.push(`${page.url()}: ${String(width)} px wide`);
    };
    await page.goto(`${service.url}/account/sso/callback?state=unknown`);
    await look();
    await page.goto(`${service.url}/account/sign-up?locale=ja`);
    await look();
    await page.goto(`${service.url}/account/sign-in?locale=zh`);
    await look();
    await press(page, '/account/sso');
    await atProvider(page, subject);
    for (const path of ['/account/sso?locale=ja', '/account/delete?locale=en', '/account/password?locale=zh']) {
      await page.goto(service.url + path);
      await look();
    }
    expect(found).toEqual([]);
  });
});
