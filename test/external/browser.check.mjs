import { driveDocumentation } from '../browser/documentation.mjs';

/** `SCREENSHOT=file.png` stores a screenshot of the page with a response. */
export const check = {
  name: 'browser',
  verifies:
    'The documentation pages work in Chromium: authorise, execute, 200, 400, 401, read, and nothing from elsewhere',
  needsService: true,
  async run({ service }) {
    const { url, key } = service;
    const screenshot = process.env.SCREENSHOT;
    const found = await driveDocumentation({ url, key, ...(screenshot && { screenshot }) });
    if (found === null) return { skipped: 'no Chromium found: set CHROMIUM, or install the package chromium' };
    return {
      found,
      said: '401 without a key, 200 with one, 400 to a country that is none; every operation on the page',
    };
  },
};
