// Public pages in a browser: in each language, both colour schemes, on a phone and on a desktop.
import { createRequire } from 'node:module';
import { findChromium, launchChromium } from './chromium.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCHEMES = ['light', 'dark'];
const WIDTHS = [320, 1280];
const LOCALES = ['en', 'zh', 'ja'];
/** A page with everything that it loads. */
const MOST_BYTES = 60_000;

/**
 * @param {{ url: string, paths: string[] }} given
 * @returns {Promise<string[] | null>} the faults; null without Chromium
 */
export async function drivePages({ url, paths }) {
  const executable = findChromium();
  if (executable === null) return null;
  const browser = await launchChromium(executable);
  const wrong = [];
  try {
    for (const [index, path] of paths.entries()) {
      for (const colorScheme of SCHEMES) {
        for (const width of WIDTHS) {
          const locale = LOCALES[index % LOCALES.length];
          const found = await look(browser, `${url}${path}?locale=${locale}`, { colorScheme, width });
          wrong.push(...found.map((line) => `${path} (${locale}, ${colorScheme}, ${width} px): ${line}`));
        }
      }
    }
  } finally {
    await browser.close();
  }
  return wrong;
}

async function look(browser, address, { colorScheme, width }) {
  const wrong = [];
  // The test injects axe, which the page's own policy rightly forbids.
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    bypassCSP: true,
  });
  try {
    const page = await context.newPage();
    const { origin } = new URL(address);
    let bytes = 0;
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) wrong.push(`asks a foreign host: ${request.url()}`);
    });
    page.on('response', async (response) => {
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
    });
    const answer = await page.goto(address, { waitUntil: 'networkidle' });
    if (answer?.status() !== 200) return [`answers ${answer?.status()}`];
    if (bytes > MOST_BYTES) wrong.push(`loads ${bytes} bytes`);
    const beyond = await page.evaluate(
      () => globalThis.document.documentElement.scrollWidth - globalThis.innerWidth,
    );
    if (beyond > 0) wrong.push(`is ${beyond} px wider than the screen`);
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, nodes } of violations) wrong.push(`axe ${id}: ${nodes[0]?.html}`);
    if ((await context.cookies()).length > 0) wrong.push('a cookie is set');
    return wrong;
  } finally {
    await context.close();
  }
}
