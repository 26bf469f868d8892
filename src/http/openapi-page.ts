import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject, type SwaggerCustomOptions } from '@nestjs/swagger';
import { openApiDocument } from './openapi.js';
import { ICON } from './pages.service.js';

// Errors are many and alike: each keeps to a few lines, and their headers are told where they matter.
const STYLE = `.swagger-ui .topbar,.swagger-ui .servers-title,.swagger-ui .servers{display:none}
.swagger-ui .info{margin:28px 0}
.swagger-ui tr.response:not([data-code="200"]) .highlight-code>.microlight{max-height:12rem}
.swagger-ui tr.response:not([data-code="200"]):not([data-code="429"]) .headers-wrapper{display:none}`;

const OPTIONS: SwaggerCustomOptions = {
  jsonDocumentUrl: 'docs/openapi.json',
  raw: ['json'],
  customSiteTitle: 'Tidemark API',
  customCss: STYLE,
  customfavIcon: ICON,
  swaggerOptions: {
    tryItOutEnabled: true,
    // A key must not stay in the browser after its page.
    persistAuthorization: false,
    displayRequestDuration: true,
    // Bounds and lengths, beside each parameter.
    showCommonExtensions: true,
    defaultModelsExpandDepth: 0,
    // The badge would send the document's address to a foreign host.
    validatorUrl: null,
  },
  patchDocumentOnRequest: (request, _response, document) =>
    isPage(request) ? { ...document, servers: [SAME_ORIGIN] } : document,
};

/** The page may be opened under another name of the same host, which the browser takes for another one. */
const SAME_ORIGIN = { url: '/' };

function isPage(request: unknown): boolean {
  return !(request as { readonly originalUrl: string }).originalUrl.startsWith('/docs/openapi.json');
}

/** Serves the document at /docs/openapi.json and, for people, at /docs: all from here, nothing from elsewhere. */
export function serveOpenApi(app: INestApplication, baseUrl: string): OpenAPIObject {
  const document = openApiDocument(app, baseUrl);
  SwaggerModule.setup('docs', app, document, OPTIONS);
  return document;
}
