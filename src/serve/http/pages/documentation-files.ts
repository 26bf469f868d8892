import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { PageFile } from './pages.service.js';

/** The way back from the page of a library. */
const HOME = '<nav class="home"><a href="/">Tidemark</a> <a href="/docs/start">Documentation</a></nav>';

// Collapses the error responses: they are many and alike.
export const FORMS_STYLE = `.home{font:15px system-ui,sans-serif;padding:12px 20px}.home a{color:#0b5c9c;margin-right:1rem}
.swagger-ui .servers-title,.swagger-ui .servers{display:none}
.swagger-ui .info{margin:28px 0}
.swagger-ui tr.response:not([data-code="200"]) .highlight-code>.microlight{max-height:12rem}
.swagger-ui tr.response:not([data-code="200"]):not([data-code="429"]) .headers-wrapper{display:none}`;

const page = (version: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidemark API</title><link rel="stylesheet" href="/docs/swagger-ui.css?v=${version}"><style>${FORMS_STYLE}</style></head><body>${HOME}<div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js?v=${version}"></script><script src="/docs/swagger-ui-init.js"></script></body></html>`;

const SETTINGS = {
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  // Its store outlives the session; ours does not.
  persistAuthorization: false,
  filter: true,
  displayRequestDuration: true,
  // Shows bounds and lengths beside each parameter.
  showCommonExtensions: true,
  defaultModelsExpandDepth: 0,
  // The validator badge would send the document's URL to a foreign host.
  validatorUrl: null,
};

/** Requests go to the page's own origin: browsers treat another name of the same host as another origin. */
const SAME_ORIGIN = `{ statePlugins: { spec: { wrapActions: {
  updateJsonSpec: (update) => (document) => update({ ...document, servers: [{ url: '/' }] }),
} } } }`;

/** Keeps the key until the tab is closed, so that a reload does not ask for it again. */
const SESSION_KEY = `{ statePlugins: { auth: { wrapActions: {
  authorize: (authorize) => (given) => {
    sessionStorage.setItem('tidemark-key', given.key.value);
    return authorize(given);
  },
  logout: (logout) => (names) => {
    sessionStorage.removeItem('tidemark-key');
    return logout(names);
  },
} } } }`;

const SCRIPT = `const ui = SwaggerUIBundle({
  ...${JSON.stringify(SETTINGS)},
  plugins: [${SAME_ORIGIN}, ${SESSION_KEY}],
  onComplete: () => {
    const key = sessionStorage.getItem('tidemark-key');
    if (key !== null) ui.preauthorizeApiKey('key', key);
  },
});\n`;

/** The files of Swagger UI that the page loads, with their licences. */
const LOADED = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
] as const;

export const DOCUMENT_PATH = '/docs/openapi.json';

/** It has examples of the stored data. */
export const documentFile = (document: OpenAPIObject): PageFile => ({
  path: DOCUMENT_PATH,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(document),
});

/** The document at /docs/openapi.json, and the page with forms at /docs, served without foreign hosts. */
export async function documentationFiles(document: OpenAPIObject): Promise<PageFile[]> {
  const require = createRequire(import.meta.url);
  const { version } = require('swagger-ui-dist/package.json') as { version: string };
  const loaded = LOADED.map(async ([name, type]) => ({
    path: `/docs/${name}`,
    type,
    text: await readFile(require.resolve(`swagger-ui-dist/${name}`), 'utf8'),
    // Their URL in the page contains the version.
    headers: { 'cache-control': 'public, max-age=31536000, immutable' },
  }));
  return [
    { path: '/docs', type: 'text/html; charset=utf-8', text: page(version) },
    { path: '/docs/swagger-ui-init.js', type: 'text/javascript; charset=utf-8', text: SCRIPT },
    documentFile(document),
    ...(await Promise.all(loaded)),
  ];
}
