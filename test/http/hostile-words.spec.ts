// runs: in full only
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { ArgumentsHost, INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiError } from '../../src/domain/errors/api-error.js';
import { ApiErrorFilter } from '../../src/serve/http/response/error.filter.js';
import type { ApiRequest } from '../../src/serve/http/request/api-request.js';
import { ErrorResponses } from '../../src/serve/http/response/error-responses.service.js';
import { ResponseWriter } from '../../src/serve/http/response/response-writer.service.js';
import { LocaleModule } from '../../src/domain/locale/locale.module.js';
import { Texts } from '../../src/domain/locale/texts.service.js';
import { Log } from '../../src/serve/log/log.js';
import { McpErrorFilter } from '../../src/assistants/mcp-error.filter.js';
import { TextRenderer } from '../../src/assistants/text/text-renderer.service.js';
import { RequestContext } from '../../src/serve/responses/request-context.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { TEMPLATE_SYNTAX } from '../support/hostile.js';
import { startTestServer, type TestServer } from '../support/server.js';

describe('A text that some library interprets as an instruction', () => {
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const unworded = TEMPLATE_SYNTAX.filter((text) => !/\p{C}|\p{Zl}/u.test(text));

  it.each(unworded)('appears unchanged as the name of a parameter: %s', async (text) => {
    for (const locale of ['en', 'zh', 'ja']) {
      const { status, body } = await service.get(`/api/v1/topics?${encodeURIComponent(text)}=1&locale=${locale}`);
      const [fault] = body.error?.errors ?? [];
      expect([status, fault?.parameter]).toEqual([400, text]);
      expect(fault?.message).toContain(`\`${text}\``);
    }
  });

  it.each(TEMPLATE_SYNTAX)('is an ordinary value: %j', async (text) => {
    const value = encodeURIComponent(text);
    expect((await service.get(`/api/v1/topics/${value}`)).body.error?.code).toBe('not_found');
    expect((await service.get(`/api/v1/changes?country=${value}`)).body.error?.code).toBe('invalid_parameter');
    expect((await service.get(`/api/v1/search?q=${value}x`)).status).toBe(200);
  });

  it('writes no line at error level', async () => {
    const before = service.lines.length;
    const query = TEMPLATE_SYNTAX.slice(0, 40).map((text) => `${encodeURIComponent(text)}=1`);
    const { headers } = await service.get(`/api/v1/topics?${query.join('&')}`);
    await service.logged([headers.get('x-request-id')]);
    expect(service.lines.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('An error that cannot be put into words', () => {
  const lines: string[] = [];
  const log = new Log(
    'info',
    false,
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    }),
  );
  /** No text has this key, so formatting it throws. */
  const unwordable = new ApiError('not_found', { detail: 'no_such_text' });
  let module: INestApplicationContext;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    module = await NestFactory.createApplicationContext(LocaleModule, { logger: false });
    const settings = {
      baseUrl: 'http://x.example',
      trustedProxies: [],
      corsOrigins: [],
      mcpOrigins: [],
      securityContact: null,
      publicPages: true,
    };
    const httpSettings = { ...settings, cacheBytes: 0 };
    const errorResponses = new ErrorResponses(module.get(Texts), httpSettings, log);
    const filters = {
      '/http': new ApiErrorFilter(new ResponseWriter(errorResponses, log, httpSettings), log),
      '/mcp': new McpErrorFilter(errorResponses, new TextRenderer(module.get(Texts), errorResponses), log),
    };
    server = createServer((request, response) => {
      const context = new RequestContext('"id", \\u0022$&', new Date(), '/', () => ({}));
      const asked = Object.assign(request, { context }) as unknown as ApiRequest;
      const http = { getRequest: () => asked, getResponse: () => response };
      const host = { switchToHttp: () => http } as unknown as ArgumentsHost;
      void filters[request.url as keyof typeof filters].catch(unwordable, host);
    }).listen(0);
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(async () => {
    server.close();
    await module.close();
  });

  it('is internal_error, with its own request id, and in the log', async () => {
    const { status, headers, body } = await exchange(url, '/http');
    expect([status, body?.error?.code, body?.error?.requestId]).toEqual([500, 'internal_error', '"id", \\u0022$&']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(lines.join('')).toContain("No text 'errors.not_found.no_such_text'");
  });

  it('is internal_error of JSON-RPC on the MCP endpoint', async () => {
    const { status, bytes } = await exchange(url, '/mcp');
    const { error } = JSON.parse(bytes.toString()) as { error: { code: number; data: { code: string } } };
    expect([status, error.data.code]).toEqual([500, 'internal_error']);
  });
});
