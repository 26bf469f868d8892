// The rules that every page follows, for every visitor.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCHEMES = ['light', 'dark'];

/** Collects requests to foreign hosts, errors in the page and messages on the console. */
export function watch(page, url) {
  const wrong = [];
  const { origin } = new URL(url);
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) wrong.push(`asks a foreign host: ${request.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(`an error in the page: ${error.message}`));
  page.on('console', (message) => {
    // Chromium notes each refused document by itself; the refusals are part of the flow.
    const refused = /Failed to load resource: the server responded with a status of 4\d\d/;
    if (message.type() === 'error' && !refused.test(message.text())) wrong.push(`console: ${message.text()}`);
  });
  return wrong;
}

/**
 * Width, and axe in both colour schemes. Evaluates axe beside the page, because the page's policy forbids foreign scripts.
 * @param {{ hasScripts: boolean, shots?: string, name: string }} given `shots` is a folder for screenshots
 * @returns {Promise<string[]>} what is wrong with the page
 */
export async function examine(page, { hasScripts, shots, name }) {
  const wrong = [];
  const beyond = await page.evaluate(() => globalThis.document.documentElement.scrollWidth - globalThis.innerWidth);
  if (beyond > 0) wrong.push(`is ${beyond} px wider than the screen`);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    if (shots !== undefined) {
      await page.screenshot({ path: path.join(shots, `${name}-${colorScheme}.png`), fullPage: true });
    }
    if (!hasScripts) continue;
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, nodes } of violations) wrong.push(`${colorScheme}: axe ${id}: ${nodes[0]?.html}`);
  }
  return wrong.map((line) => `${name}: ${line}`);
}
