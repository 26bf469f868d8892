// Uses the documentation pages as a person does: enters a key, sends requests, reads responses.
import { findChromium, launchChromium } from './chromium.mjs';

const WAIT_MS = 30_000;

/**
 * @param {{ url: string, key: string, screenshot?: string }} given the screenshot shows the page after the successful
 * call
 * @returns {Promise<string[] | null>} the faults; null without Chromium
 */
export async function driveDocumentation({ url, key, screenshot }) {
  const executable = findChromium();
  if (executable === null) return null;
  const browser = await launchChromium(executable);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 1600 } });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const wrong = watch(page, url);
    await page.goto(`${url}/docs`);
    await page.locator('#operations-Changes-listChanges').waitFor();

    const refused = await execute(page, 'Changes-listChanges');
    expect(wrong, 'without a key', refused, 401, 'missing_key');
    await authorise(page, key);
    const answered = await execute(page, 'Changes-listChanges', { limit: '2' });
    expect(wrong, 'with a key', answered, 200, '"nextCursor"');
    if (screenshot !== undefined) await page.screenshot({ path: screenshot });
    const named = await execute(page, 'Search-searchByWords', { q: 'inflation' });
    expect(wrong, 'words to find', named, 200, '"score"');
    const bad = await execute(page, 'Changes-listChanges', { limit: '2', country: 'ZZ' });
    expect(wrong, 'a country that is none', bad, 400, 'invalid_parameter');
    const kept = await page.evaluate(() => JSON.stringify(globalThis.localStorage));
    if (kept.includes(key)) wrong.push('the key stays in the browser after its session');
    await page.reload();
    await page.locator('#operations-Changes-listChanges').waitFor();
    const again = await execute(page, 'Changes-listChanges', { limit: '2' });
    expect(wrong, 'with the key of the session, after a reload', again, 200, '"nextCursor"');
    const { paths } = await (await context.request.get(`${url}/docs/openapi.json`)).json();
    const [shown, all] = [await page.locator('.opblock').count(), Object.keys(paths).length];
    if (shown !== all) wrong.push(`the page has ${shown} of ${all} operations`);
    if ((await context.cookies()).length > 0) wrong.push('a cookie is set');
    return wrong;
  } finally {
    await browser.close();
  }
}

/** Collects errors of the page and requests to other origins. */
function watch(page, url) {
  const wrong = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(`${origin}/`) && !target.startsWith('data:') && !target.startsWith('blob:')) {
      wrong.push(`asks a foreign host: ${target}`);
    }
  });
  page.on('pageerror', (error) => wrong.push(`an error in the page: ${error.message}`));
  page.on('console', (message) => {
    // Chromium reports each failed call itself; this test causes 401 and 400 on purpose.
    const asked = /Failed to load resource: the server responded with a status of 40[01]/;
    if (message.type() === 'error' && !asked.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  return wrong;
}

async function authorise(page, key) {
  await page.locator('.auth-wrapper .btn.authorize').first().click();
  await page.locator('.auth-container input').fill(key);
  await page.locator('.auth-container .btn.authorize').click();
  await page.locator('.auth-container .btn-done').click();
}

/** Opens an operation, fills in the values, presses Execute and reads the response. */
async function execute(page, operation, values = {}) {
  const block = page.locator(`#operations-${operation}`);
  const button = block.locator('.btn.execute');
  if (!(await button.isVisible())) await block.locator('.opblock-summary-control').click();
  await button.waitFor();
  for (const [name, value] of Object.entries(values)) {
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes('/api/v1/') && one.request().method() === 'GET'),
    button.click(),
  ]);
  const shown = block.locator('.live-responses-table tr.response .response-col_status').first();
  await shown.filter({ hasText: String(response.status()) }).waitFor();
  return {
    status: response.status(),
    body: await block.locator('.live-responses-table tr.response .highlight-code').first().innerText(),
  };
}

function expect(wrong, what, { status, body }, wanted, words) {
  if (status !== wanted) wrong.push(`${what}: ${status} instead of ${wanted}`);
  else if (!body.includes(words)) wrong.push(`${what}: the page does not show ${words}`);
}
