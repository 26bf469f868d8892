import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ICON } from './page-layout.js';
import type { PageFile } from './pages.service.js';

// Collapses the error responses: they are many and alike.
const STYLE = `.swagger-ui .servers-title,.swagger-ui .servers{display:none}
.swagger-ui .info{margin:28px 0}
.swagger-ui tr.response:not([data-code="200"]) .highlight-code>.microlight{max-height:12rem}
.swagger-ui tr.response:not([data-code="200"]):not([data-code="429"]) .headers-wrapper{display:none}`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tidemark API</title><link rel="icon" href="${ICON}"><link rel="stylesheet" href="/docs/swagger-ui.css"><style>${STYLE}</style></head><body><div id="swagger-ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/swagger-ui-init.js"></script></body></html>`;

const SETTINGS = {
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  tryItOutEnabled: true,
  // The browser must not store the key beyond the page.
  persistAuthorization: false,
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

const SCRIPT = `SwaggerUIBundle({ ...${JSON.stringify(SETTINGS)}, plugins: [${SAME_ORIGIN}] });\n`;

/** The files of Swagger UI that the page loads, with their licences. */
const LOADED = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-bundle.js.LICENSE.txt', 'text/plain; charset=utf-8'],
] as const;

/** The document at /docs/openapi.json and the page at /docs, served without foreign hosts. */
export async function documentationFiles(document: OpenAPIObject): Promise<PageFile[]> {
  const { resolve } = createRequire(import.meta.url);
  const loaded = LOADED.map(async ([name, type]) => ({
    path: `/docs/${name}`,
    type,
    text: await readFile(resolve(`swagger-ui-dist/${name}`), 'utf8'),
  }));
  return [
    { path: '/docs', type: 'text/html; charset=utf-8', text: PAGE },
    { path: '/docs/swagger-ui-init.js', type: 'text/javascript; charset=utf-8', text: SCRIPT },
    { path: '/docs/openapi.json', type: 'application/json; charset=utf-8', text: JSON.stringify(document) },
    ...(await Promise.all(loaded)),
  ];
}
