import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { RequestMethod, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MCP_STRATEGY } from '@rekog/mcp-nest';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { ApiError } from './errors/api-error.js';
import { health } from './health/health.js';
import { ApiAdapter } from './http/api-adapter.js';
import { busyAnswer } from './http/busy-answer.js';
import { leave } from './http/leave.js';
import { serveOpenApi } from './http/openapi-page.js';
import { Problems } from './http/problem.service.js';
import { requestLog } from './http/request-log.js';
import { NestLog } from './log/nest-log.js';
import { Responder } from './http/respond.service.js';
import { threshold } from './http/threshold.js';
import { API_PREFIX } from './answers/addresses.service.js';
import type { ToolStrategy } from './mcp/tool-strategy.js';
import { openParts, type ServerParts, type ServerSurroundings } from './server-parts.js';

export interface RunningServer {
  /** The address it listens on, without a trailing slash. */
  readonly url: string;
  readonly parts: ServerParts;
  /**
   * Once. Answers what it has begun, for `finishMs` at most, and gives everything back. With a grace it first says that it
   * is leaving, by `/health/ready` and by `Connection: close`, and goes on answering for so long.
   */
  close(graceMs?: number): Promise<void>;
}

/** As long as a statement may take, and the answer made of it. */
const FINISH_MS = 6_000;

/** Starts the API. It is ready when this resolves, and holds nothing any more when `close` does. */
export async function startServer(around: ServerSurroundings): Promise<RunningServer> {
  const parts = await openParts(around);
  try {
    const app = await assemble(parts);
    const { host, port } = around.config;
    const server = (await app.listen(port, host)) as Server;
    const { port: bound } = server.address() as AddressInfo;
    let closed: Promise<void> | undefined;
    const close = async (graceMs: number) => {
      parts.draining.begin();
      const cut = await leave(server, { graceMs, finishMs: FINISH_MS });
      if (cut > 0) parts.log.warn('connections were cut off while they were in use', { connections: cut });
      await app.close();
      await parts.close();
    };
    return {
      url: `http://${hostInUrl(host)}:${bound}`,
      parts,
      close: (graceMs = 0) => (closed ??= close(graceMs)),
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** By GET only: the route that takes every other path must not move out with them. */
const OUTSIDE_PREFIX = ['/', 'docs/errors', 'docs/errors/:code'].map((path) => ({
  path,
  method: RequestMethod.GET,
}));

const harden = helmet({
  contentSecurityPolicy: {
    directives: {
      'upgrade-insecure-requests': null,
      // The defaults allow fonts and styles of any host: ours are all here.
      'font-src': ["'self'", 'data:'],
      'style-src': ["'self'", "'unsafe-inline'"],
    },
  },
});

async function assemble(parts: ServerParts) {
  const adapter = new ApiAdapter(parts);
  const options: NestApplicationOptions = {
    bodyParser: false,
    logger: new NestLog(parts.log),
    abortOnError: false,
  };
  const app = await NestFactory.create(AppModule.of(parts), adapter, options);
  const responder = app.get(Responder);
  const problems = app.get(Problems);
  adapter.speakThrough(responder, (code) => {
    const error = new ApiError(code);
    const requestId = randomUUID();
    const own = { 'x-request-id': requestId, 'content-language': 'en' };
    return {
      status: error.status,
      body: JSON.stringify(problems.envelope(error, 'en', requestId)),
      headers: { ...headersOf(harden), ...problems.headers(error), ...own },
    };
  });
  adapter.refuseThrough(busyAnswer(problems, headersOf(harden), parts.http.corsOrigins));
  app.use(harden);
  app.use(health(parts.readiness));
  for (const observer of parts.observers) app.use(observer);
  app.use(requestLog(parts.log));
  app.use(threshold(responder, parts.http.corsOrigins, parts.now));
  app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE_PREFIX });
  app.connectMicroservice({ strategy: app.get<ToolStrategy>(MCP_STRATEGY, { strict: false }) });
  await app.startAllMicroservices();
  serveOpenApi(app, parts.http.baseUrl);
  return app;
}

/** What a middleware sets, for answers that leave without passing it. */
function headersOf(middleware: typeof harden): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name] = value),
    removeHeader: () => undefined,
  };
  const [request, answer]: unknown[] = [{}, response];
  middleware(request as IncomingMessage, answer as ServerResponse, () => undefined);
  return headers;
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
