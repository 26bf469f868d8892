// Public pages in a browser: in each language, both colour schemes, on a phone and on a desktop.
import { createRequire } from 'node:module';
import { findChromium, launchChromium } from './chromium.mjs';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCHEMES = ['light', 'dark'];
const WIDTHS = [320, 1280];
const LOCALES = ['en', 'zh', 'ja'];
/** Compressed: a page alone, and with everything that it loads. */
const MOST_BYTES = { document: 15_000, all: 60_000 };

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
          const found = await look(browser, `${url}${path}${path.includes('?') ? '&' : '?'}locale=${locale}`, {
            colorScheme,
            width,
          });
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
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  try {
    const page = await context.newPage();
    const { origin } = new URL(address);
    let [bytes, document] = [0, 0];
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`)) wrong.push(`asks a foreign host: ${request.url()}`);
    });
    // As sent, which is compressed.
    page.on('requestfinished', async (request) => {
      const size = (await request.sizes()).responseBodySize;
      bytes += size;
      if (request.resourceType() === 'document') document = size;
    });
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`console: ${message.text()}`);
    });
    const answer = await page.goto(address, { waitUntil: 'networkidle' });
    if (answer?.status() !== 200) return [`answers ${answer?.status()}`];
    if (document > MOST_BYTES.document) wrong.push(`has ${document} bytes`);
    if (bytes > MOST_BYTES.all) wrong.push(`loads ${bytes} bytes`);
    const beyond = await page.evaluate(() => globalThis.document.documentElement.scrollWidth - globalThis.innerWidth);
    if (beyond > 0) wrong.push(`is ${beyond} px wider than the screen`);
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    for (const { id, nodes } of violations) wrong.push(`axe ${id}: ${nodes[0]?.html}`);
    wrong.push(...(await readChart(page)));
    if ((await context.cookies()).length > 0) wrong.push('a cookie is set');
    return wrong;
  } finally {
    await context.close();
  }
}

/** A chart can be read off by keyboard and by pointer. */
async function readChart(page) {
  const slider = page.locator('figure input[type=range]');
  if ((await page.locator('figure[data-chart]').count()) === 0) return [];
  const text = () => page.locator('figure p.reading').first().textContent();
  const last = await text();
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  const before = await text();
  await page.locator('figure svg').hover({ position: { x: 80, y: 40 } });
  const first = await text();
  const isNamed = (await slider.getAttribute('aria-valuetext')) === first;
  return new Set([last, before, first]).size === 3 && isNamed ? [] : [`its chart reads ${[last, before, first]}`];
}
