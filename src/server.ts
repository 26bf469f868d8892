import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { type INestApplication, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SSO_SETTINGS, type SsoSettings } from './serve/access/keys/access.module.js';
import { KeyVerifier } from './serve/access/keys/key-verifier.js';
import { AppModule } from './app.module.js';
import { ApiError } from './domain/errors/api-error.js';
import { CLOCK, type Clock } from './domain/config/clock.js';
import { Draining } from './serve/health/draining.js';
import { health } from './serve/health/health.js';
import { Readiness } from './serve/health/readiness.js';
import { RequestPipeline } from './serve/http/pipeline/request-pipeline.js';
import { ApiAdapter } from './serve/http/api-adapter.js';
import { overloadResponse } from './serve/http/overload/overload-response.js';
import { drain } from './serve/http/overload/drain.js';
import { LoadShedder } from './serve/http/overload/load-shedder.js';
import { documentationFiles } from './serve/http/pages/documentation-files.js';
import { ApiDocument } from './serve/http/openapi/api-document.js';
import { openApiDocument } from './serve/http/openapi/document.js';
import { Pages } from './serve/http/pages/pages.service.js';
import { hardening, headersSetBy } from './serve/http/response/hardening.js';
import { ErrorResponses } from './serve/http/response/error-responses.service.js';
import { requestLog } from './serve/http/request/request-log.js';
import { RecentUsage } from './serve/limits/recent-usage.js';
import { Log, NestLog } from './serve/log/log.js';
import { ResponseWriter } from './serve/http/response/response-writer.service.js';
import { resourceMetadata, securityTxt } from './serve/http/pages/well-known.js';
import { HTTP_SETTINGS, type HttpSettings } from './serve/http/settings.js';
import { warmUp, type WarmUpBounds } from './serve/http/warm-up.js';
import { earlyChecks } from './serve/http/request/early-checks.middleware.js';
import type { Instance } from './instance.module.js';
import { McpServers } from './assistants/mcp-servers.js';
import { OBSERVERS, type Observer } from './serve/observability/observability.module.js';

/** A running server. `app.get` returns its providers. */
export interface RunningServer {
  /** The URL it listens on, without a trailing slash. */
  readonly url: string;
  readonly app: Pick<INestApplication, 'get'>;
  /**
   * Closes the server once. With a grace period, `/health/ready` and `Connection: close` first announce the shutdown
   * while the server continues to respond. Requests in progress then have FINISH_MS to finish; every module closes
   * after that.
   */
  close(graceMs?: number): Promise<void>;
}

/** The sum of the longest waits: for a slot, a connection, a statement, and the response. */
const FINISH_MS = 5_000;

/**
 * Starts the API. It is ready when this resolves, and every resource is closed when `close` resolves.
 * @param replacements replace the providers of the same tokens
 * @param warmingUp bounds the requests that it first sends to itself; null: none
 */
export async function startServer(
  instance: Instance,
  replacements: readonly Provider[] = [],
  warmingUp: WarmUpBounds | null = null,
): Promise<RunningServer> {
  const { config, baseUrl, log } = instance;
  if (config.production && baseUrl.startsWith('http:')) {
    log.warn('BASE_URL is not https: the cookie of the account page has neither Secure nor __Host-', { baseUrl });
  }
  const adapter = new ApiAdapter();
  const app = await NestFactory.create(AppModule.of(instance, replacements), adapter, {
    bodyParser: false,
    logger: new NestLog(log),
    abortOnError: false,
  });
  try {
    await assemble(app, adapter);
    await app.init();
    if (warmingUp !== null) await warmUp(app.getHttpServer() as Server, app.get(KeyVerifier), warmingUp);
    const { host, port } = config;
    const server = (await app.listen(port, host)) as Server;
    const { port: bound } = server.address() as AddressInfo;
    let closed: Promise<void> | undefined;
    const close = async (graceMs: number) => {
      app.get(Draining).begin();
      const cut = await drain(server, { graceMs, finishMs: FINISH_MS });
      if (cut > 0) app.get(Log).warn('connections were cut off while they were in use', { connections: cut });
      await app.close();
    };
    return { url: `http://${hostInUrl(host)}:${bound}`, app, close: (graceMs = 0) => (closed ??= close(graceMs)) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The middleware in order, and the responses that the adapter sends without Nest. */
async function assemble(app: INestApplication, adapter: ApiAdapter): Promise<void> {
  const [responder, problems] = [app.get(ResponseWriter), app.get(ErrorResponses)];
  const settings = app.get<HttpSettings>(HTTP_SETTINGS);
  const clock = app.get<Clock>(CLOCK);
  const { baseUrl, corsOrigins } = settings;
  const harden = hardening(baseUrl);
  const hardened = headersSetBy(harden);
  adapter.respondWith(responder, (code) => {
    const error = new ApiError(code);
    const requestId = randomUUID();
    const own = { 'x-request-id': requestId, 'content-language': 'en' };
    const { status, headers, envelope } = problems.create(error, 'en', requestId);
    return { status, body: JSON.stringify(envelope), headers: { ...hardened, ...headers, ...own } };
  });
  const surroundings = {
    loadShedder: app.get(LoadShedder),
    draining: app.get(Draining),
    now: () => new Date(clock.wall()),
    refuse: overloadResponse(problems, hardened, corsOrigins),
  };
  const keys = app.get(KeyVerifier);
  const unlessOwn =
    (observer: Observer): Observer =>
    (request, response, next) =>
      keys.presentsOwn(request.headers) ? next() : observer(request, response, next);
  adapter.admitWith(surroundings, [
    health(app.get(Readiness), hardened),
    ...[...app.get<Observer[]>(OBSERVERS), requestLog(app.get(Log), app.get(RecentUsage))].map(unlessOwn),
    app.get(RequestPipeline).middleware(hardened),
  ]);
  app.use(harden);
  app.use(earlyChecks(responder, corsOrigins));
  for (const strategy of app.get(McpServers, { strict: false }).strategies) app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  const pages = app.get(Pages);
  const document = openApiDocument(app, baseUrl);
  app.get(ApiDocument).content = document;
  const documentation = await documentationFiles(document);
  const sso = app.get<SsoSettings | null>(SSO_SETTINGS);
  pages.add([
    ...pages.builtIn(),
    ...documentation,
    ...securityTxt(settings, clock.wall()),
    ...resourceMetadata(sso?.resource ?? null, settings),
  ]);
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
