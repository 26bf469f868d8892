import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PageFile } from './pages.service.js';

/** Where the build puts Redoc: the same relative path from src/ and from dist/. */
const FOLDER = join(import.meta.dirname, '../../../../dist/redoc');
const BUNDLE = 'redoc.standalone.js';
const LICENCES = `${BUNDLE}.LICENSE.txt`;

/** The way back from a page of a library. */
export const HOME = '<nav class="home"><a href="/">Tidemark</a> <a href="/docs/start">Documentation</a></nav>';

const page = (version: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidemark API reference</title><style>body{margin:0}.home{font:15px system-ui,sans-serif;padding:12px 20px}.home a{color:#0b5c9c;margin-right:1rem}</style></head><body>${HOME}<main id="reference"></main><script src="/docs/${BUNDLE}?v=${version}"></script><script src="/docs/reference-init.js"></script></body></html>`;

const SETTINGS = {
  // Its search needs a worker from a blob, which the content security policy forbids. All text is in the page.
  disableSearch: true,
  downloadFileName: 'tidemark-openapi.json',
  expandResponses: '200',
  jsonSamplesExpandLevel: 4,
  nativeScrollbars: true,
  showExtensions: ['x-extensible-enum', 'x-mcp-tools'],
  theme: {
    colors: { primary: { main: '#0b62a4' }, text: { primary: '#16324a' } },
    rightPanel: { backgroundColor: '#16324a' },
    typography: {
      fontSize: '15px',
      fontFamily: 'system-ui,sans-serif',
      headings: { fontFamily: 'system-ui,sans-serif' },
      code: { fontFamily: 'ui-monospace,monospace', color: '#16324a', backgroundColor: '#f1f5f8' },
    },
  },
};

const SCRIPT = `Redoc.init('/docs/openapi.json', ${JSON.stringify(SETTINGS)}, document.getElementById('reference'));\n`;

/** The page at /docs/reference: the OpenAPI document in three columns, for readers. */
export async function readingPageFiles(): Promise<PageFile[]> {
  const [bundle, licences] = [await read(BUNDLE), await read(LICENCES)];
  const version = createHash('sha256').update(bundle).digest('hex').slice(0, 12);
  const script = 'text/javascript; charset=utf-8';
  return [
    { path: '/docs/reference', type: 'text/html; charset=utf-8', text: page(version) },
    { path: '/docs/reference-init.js', type: script, text: SCRIPT },
    {
      path: `/docs/${BUNDLE}`,
      type: script,
      text: bundle,
      // Its URL in the page contains the hash of its bytes.
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
    },
    { path: `/docs/${LICENCES}`, type: 'text/plain; charset=utf-8', text: licences },
  ];
}

const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8');
