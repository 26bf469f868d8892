// Public pages in a browser: in each language, both colour schemes, on a phone and on a desktop.
import { findChromium, launchChromium } from './chromium.mjs';
import { examine, watch } from './examine.mjs';

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
      for (const width of WIDTHS) {
        const locale = LOCALES[index % LOCALES.length];
        const found = await look(browser, `${url}${path}${path.includes('?') ? '&' : '?'}locale=${locale}`, width);
        wrong.push(...found.map((line) => `${path} (${locale}, ${width} px): ${line}`));
      }
    }
  } finally {
    await browser.close();
  }
  return wrong;
}

async function look(browser, address, width) {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  try {
    const page = await context.newPage();
    const wrong = watch(page, address);
    let [bytes, document] = [0, 0];
    // As sent, which is compressed.
    page.on('requestfinished', async (request) => {
      const size = (await request.sizes()).responseBodySize;
      bytes += size;
      if (request.resourceType() === 'document') document = size;
    });
    const answer = await page.goto(address, { waitUntil: 'networkidle' });
    if (answer?.status() !== 200) return [`answers ${answer?.status()}`];
    if (document > MOST_BYTES.document) wrong.push(`has ${document} bytes`);
    if (bytes > MOST_BYTES.all) wrong.push(`loads ${bytes} bytes`);
    wrong.push(...(await examine(page, { hasScripts: true, name: 'the page' })), ...(await readChart(page)));
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
