// Uses the account page as people do: from the sign-up to a key, its use, and its revocation.
import { setTimeout as delay } from 'node:timers/promises';
import { findChromium, launchChromium } from './chromium.mjs';
import { examine, watch } from './examine.mjs';
import { keyboard, pointer } from './input.mjs';

const PASSWORD = 'tide and moon 47';
const KEY = /tm_[0-9A-Za-z]{36}/;
const DAY_MS = 24 * 3_600_000;
const REVOKED_WITHIN_MS = 1_000;
const WAIT_MS = 10_000;
const RUNS = [
  { name: 'with-javascript', locale: 'en', width: 1280, input: pointer },
  { name: 'without-javascript', locale: 'zh', width: 1280, input: pointer, hasScripts: false },
  { name: 'narrow', locale: 'ja', width: 320, input: pointer },
  { name: 'keyboard', locale: 'zh', width: 900, input: keyboard },
];

/**
 * @param {object} given
 * @param {string} given.url
 * @param {(email: string) => Promise<string>} given.linkTo the link in the newest mail to an address
 * @param {(email: string) => Promise<void>} given.upgrade gives the account a paid plan
 * @param {(url: string, key: string) => Promise<number>} given.countTools asks MCP for its tools with a key
 * @param {string} [given.shots] a folder for screenshots
 * @returns {Promise<{ wrong: string[], pages: number } | null>} null where there is no Chromium
 */
export async function driveAccounts(given) {
  const executable = findChromium();
  if (executable === null) return null;
  // Playwright switches off the back/forward cache, which could show a key again.
  const browser = await launchChromium(executable, { ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  const wrong = [];
  let pages = 0;
  try {
    for (const [index, run] of RUNS.entries()) {
      const person = await openPerson(browser, given, { hasScripts: true, ...run }, index);
      await follow(person).catch((error) => person.wrong.push(error.message));
      wrong.push(...person.wrong.map((line) => `${run.name} (${run.locale}): ${line}`));
      pages += person.seen.size;
      await person.context.close();
    }
  } finally {
    await browser.close();
  }
  return { wrong, pages };
}

async function openPerson(browser, given, run, index) {
  const context = await browser.newContext({
    viewport: { width: run.width, height: 900 },
    javaScriptEnabled: run.hasScripts,
    locale: run.locale,
    // Each person has an address, because the service limits the pages of an address.
    extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${index + 1}` },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const wrong = watch(page, given.url);
  const seen = new Set();
  const look = async (name) => {
    seen.add(name);
    const { hasScripts } = run;
    wrong.push(...(await examine(page, { hasScripts, shots: given.shots, name: `${run.name}-${name}` })));
  };
  const open = (path) => page.goto(`${given.url}${path}${path.includes('?') ? '&' : '?'}locale=${run.locale}`);
  const expect = (is, words) => {
    if (!is) wrong.push(words);
  };
  const email = `${run.name}@mail.example`;
  const { hasScripts } = run;
  return { ...given, ...run.input(page, wrong), context, page, wrong, seen, look, open, expect, email, hasScripts };
}

async function follow(person) {
  await signUp(person);
  await makeTargets(person);
  const key = await makeKey(person);
  await hideKey(person, key);
  await useKey(person, key);
  await lookAround(person);
  await revoke(person, key);
  await signOutAndIn(person);
}

async function signUp(person) {
  const { open, look, fill, press, expect, page, email, linkTo } = person;
  await open('/account');
  await look('sign-in');
  await press('main a[href^="/account/sign-up"]');
  await look('sign-up');
  await fill('#email', email);
  await press('form[action^="/account/sign-up"] button');
  await look('sent');
  const signedUpAt = Date.now();
  await page.goto(await linkTo(email));
  await look('confirm');
  await fill('#password', 'password12');
  await press('form[action^="/account/confirm"] button');
  await look('confirm-refused');
  expect(await page.locator('[role=alert]').isVisible(), 'a common password is not refused');
  expect((await page.locator('#email').inputValue()) === email, 'the page does not show the address');
  await fill('#password', PASSWORD);
  await press('form[action^="/account/confirm"] button');
  await look('overview-before-key');
  const told = await page.locator('p.panel').innerText();
  const [, day, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/.exec(told) ?? [];
  const waits = Date.parse(`${day}T${time}Z`) - signedUpAt;
  expect(Math.abs(waits - DAY_MS) < 120_000, `the first key is not announced for a day later: ${told}`);
  expect((await page.locator('a[href^="/account/keys/new"]').count()) === 0, 'the page offers a key too early');
}

/** Follows the first subject that a search finds, and sets an alert on it. */
async function makeTargets({ press, fill, look }) {
  await press('.account-nav a[href^="/account/follows"]');
  await look('follows-none');
  await fill('#q', 'JP');
  await press('form[role=search] button');
  await look('follows-found');
  await press('.targets form[action^="/account/follows?"] button');
  await look('follows');
  await press('.targets a[href^="/account/alerts/new"]');
  await look('alert-new');
  await press('form[action^="/account/alerts/new"] button[value=preview]');
  await look('alert-preview');
  await press('form[action^="/account/alerts/new"] button[value=add]');
  await look('alert');
  await press('.account-nav a[href^="/account/alerts"]');
  await look('alerts');
}

async function makeKey({ upgrade, email, press, fill, look, page, context, hasScripts, expect }) {
  await upgrade(email);
  await press('.account-nav a[href^="/account?"]');
  await look('overview-paid');
  await press('a.button[href^="/account/keys/new"]');
  await look('key-new');
  await fill('#name', 'laptop');
  await press('form[action^="/account/keys/new"] button');
  await look('key-made');
  const [key = ''] = KEY.exec(await page.content()) ?? [];
  expect(key !== '', 'no key is shown');
  const copies = await page.locator('button.copy').count();
  expect(copies === (hasScripts ? 4 : 0), `the key and its snippets have ${copies} copy buttons`);
  if (hasScripts) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('button.copy').first().press('Enter');
    const copied = await page.evaluate(() => globalThis.navigator.clipboard.readText());
    expect(copied === key, 'the copy button copies something else than the key');
  }
  return key;
}

/** Neither a reload, nor the way back and forth, nor the cache shows the key again. */
async function hideKey({ page, press, expect, look }, key) {
  const shows = async () => (await contentOf(page)).includes(key);
  await press('main a.button[href^="/account"]');
  await look('overview-with-key');
  expect(!(await shows()), 'the overview shows the key');
  for (const direction of ['goBack', 'goForward', 'goBack', 'reload']) {
    // Chromium shows an error page of its own for a form that it must not send again.
    await page[direction]({ timeout: WAIT_MS }).catch(() => null);
    expect(!(await shows()), `the key is shown again by ${direction}`);
  }
  expect(await page.locator('[role=alert]').isVisible(), 'the form that the reload sends again is not refused');
}

/** Chromium replaces a page that it must not show again by one of its own. */
async function contentOf(page) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const content = await page.content().catch(() => null);
    if (content !== null) return content;
    await delay(100);
  }
  throw new Error(`${page.url()} does not come to rest`);
}

async function useKey({ url, countTools, expect }, key) {
  const ask = async (path) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/${path}`, { headers });
    return { status: response.status, data: (await response.json()).data };
  };
  expect((await ask('topics')).status === 200, 'the key does not open the API');
  const { data: followed } = await ask('following');
  expect(followed?.length === 1, `GET /following has ${followed?.length} targets instead of one`);
  const { data: alerts } = await ask('alerts');
  const isSame = alerts?.length === 1 && alerts[0].target.key === followed?.[0]?.target.key;
  expect(isSame, 'GET /alerts lacks the alert that the page made');
  expect((await countTools(url, key)) > 0, 'the key does not open MCP');
}

async function lookAround({ open, look }) {
  const own = ['notifications', 'sessions', 'activity', 'password', 'delete'];
  for (const name of [...own, 'forgotten', 'sent', 'link', 'reset']) {
    await open(`/account/${name}`);
    await look(name);
  }
  await open('/account/keys/one?id=key_0000000000000000');
  await look('refused');
}

async function revoke({ open, press, look, expect, url }, key) {
  await open('/account');
  await press('td a[href^="/account/keys/one"]');
  await look('key');
  await press('form[action^="/account/keys/revoke"] button');
  const deadline = performance.now() + REVOKED_WITHIN_MS;
  const headers = { authorization: `Bearer ${key}` };
  let status = 0;
  while (status !== 401 && performance.now() < deadline) {
    await delay(50);
    status = (await fetch(`${url}/api/v1/topics`, { headers })).status;
  }
  expect(status === 401, `a second after its revocation the key is answered by ${status}`);
  await look('overview-revoked');
}

async function signOutAndIn({ press, fill, open, page, expect, email, look }) {
  await press('form[action^="/account/sign-out"] button');
  expect(new URL(page.url()).pathname === '/account/sign-in', 'the sign-out does not lead to the sign-in');
  await page.goBack({ timeout: WAIT_MS }).catch(() => null);
  expect(!(await contentOf(page)).includes(email), 'the way back shows the account after the sign-out');
  await open('/account');
  await fill('#email', email);
  await fill('#password', 'not the password');
  await press('form[action^="/account/sign-in"] button');
  await look('sign-in-refused');
  await open('/account/sign-in');
  await fill('#email', email);
  await fill('#password', PASSWORD);
  await press('form[action^="/account/sign-in"] button');
  expect(new URL(page.url()).pathname === '/account', 'the sign-in does not lead to the account');
}
