import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { ApiError } from './errors/api-error.js';
import { ApiAdapter } from './http/api-adapter.js';
import { openApiDocument } from './http/openapi.js';
import { Problems } from './http/problem.service.js';
import { requestLog } from './http/request-log.js';
import { Responder } from './http/respond.service.js';
import { threshold } from './http/threshold.js';
import { API_PREFIX } from './answers/addresses.service.js';
import { openParts, type ServerParts, type ServerSurroundings } from './server-parts.js';

export interface RunningServer {
  /** The address it listens on, without a trailing slash. */
  readonly url: string;
  readonly parts: ServerParts;
  close(): Promise<void>;
}

/** Starts the API. It is ready when this resolves, and holds nothing any more when `close` does. */
export async function startServer(around: ServerSurroundings): Promise<RunningServer> {
  const parts = await openParts(around);
  try {
    const app = await assemble(parts);
    const { host, port } = around.config;
    const server = (await app.listen(port, host)) as Server;
    const { port: bound } = server.address() as AddressInfo;
    return {
      url: `http://${hostInUrl(host)}:${bound}`,
      parts,
      close: async () => {
        const closed = app.close();
        server.closeIdleConnections();
        await closed;
        await parts.close();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

const NEST: NestApplicationOptions = { bodyParser: false, logger: ['error', 'warn'], abortOnError: false };

async function assemble(parts: ServerParts) {
  const adapter = new ApiAdapter();
  const app = await NestFactory.create(AppModule.of(parts), adapter, NEST);
  const responder = app.get(Responder);
  const problems = app.get(Problems);
  adapter.speakThrough(responder, (code) => {
    const error = new ApiError(code);
    const body = JSON.stringify(problems.envelope(error, 'en', randomUUID()));
    return { status: error.status, body, headers: problems.headers(error) };
  });
  app.use(requestLog(parts.log));
  app.use(threshold(responder, parts.http.corsOrigins, parts.now));
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: true, directives: { 'upgrade-insecure-requests': null } },
    }),
  );
  app.setGlobalPrefix(API_PREFIX, { exclude: ['/', 'docs/errors', 'docs/errors/:code'] });
  const document = openApiDocument(app, parts.http.baseUrl);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'docs/openapi.json',
    customSiteTitle: 'Tidemark API',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true, displayRequestDuration: true },
  });
  return app;
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
