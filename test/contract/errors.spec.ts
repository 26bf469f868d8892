import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../src/domain/errors/errors.js';
import { LOCALES } from '../../src/domain/locale/locale.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type Reply, type TestServer } from '../support/server.js';
import { operationsOf, readDocument, responseOf, type Document } from './document.js';
import { readMessages } from './messages.js';

const SOURCES = join(__dirname, '../../src');

/** Errors of the MCP endpoint only, which accepts bodies and access tokens and is not in the document. */
const BY_MCP: readonly ErrorCode[] = [
  ...(['origin_not_allowed', 'body_too_large', 'unsupported_media_type'] as const),
  ...(['invalid_token', 'insufficient_scope', 'unlinked_identity'] as const),
];

/** Errors of the load balancer only. */
const BY_BALANCER: readonly ErrorCode[] = ['address_limit_exceeded'];

describe('The error table', () => {
  let database: TestDatabase;
  let service: TestServer;
  let document: Document;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    document = await readDocument(service);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it.each(LOCALES)('has a title and a detail for each code in %s, and for no other code', (locale) => {
    const errors = readMessages(locale, 'errors');
    const codes = [...new Set(Object.keys(errors).map((key) => key.split('.')[0]))];
    expect(codes.sort()).toEqual([...ERROR_CODES].sort());
    for (const code of ERROR_CODES) {
      expect(errors[`${code}.title`]).toMatch(/[^.。]$/);
      expect(errors[`${code}.detail`]).toMatch(/[.。]$/);
    }
  });

  it('has a page for each code, which the list of pages links to, and no other page', async () => {
    const list = (await service.get('/docs/errors', null)).text;
    const linked = [...list.matchAll(/\/docs\/errors\/([a-z_]+)/g)].map(([, code]) => code);
    expect(linked).toEqual(ERROR_CODES);
    for (const code of ERROR_CODES) {
      const { status, text } = await service.get(`/docs/errors/${code}`, null);
      expect(status).toBe(200);
      expect(text).toContain(String(ERRORS[code].status));
      for (const locale of LOCALES) expect(text).toContain(readMessages(locale, 'errors')[`${code}.title`]);
    }
    expect((await service.get('/docs/errors/no_such_code', null)).status).toBe(404);
  });

  it('agrees with the responses of the OpenAPI document in both directions', () => {
    const documented = new Set<string>();
    for (const { operation } of operationsOf(document)) {
      const codes = operation['x-error-codes'] as ErrorCode[];
      for (const code of codes) {
        documented.add(code);
        const response = responseOf(document, operation, ERRORS[code].status);
        expect(response.description).toContain(`\`${code}\``);
        expect(Object.keys(response.content?.['application/json'].examples ?? {})).toContain(code);
      }
      const statuses = Object.keys(operation.responses).filter((status) => Number(status) >= 400);
      expect(statuses.map(Number)).toEqual([...new Set(codes.map((code) => ERRORS[code].status))].sort());
    }
    expect([...documented, ...BY_MCP, ...BY_BALANCER].sort()).toEqual([...ERROR_CODES].sort());
  });

  it('gives each error the headers that its response names, and limit headers exactly to errors after the rate limit', async () => {
    const changes = operationsOf(document).find(({ path }) => path === '/api/v1/changes');
    for (const [code, reply] of await provoked(service)) {
      expect(reply.body.error?.code).toBe(code);
      const response = responseOf(document, changes?.operation as never, ERRORS[code].status);
      const codes = Object.keys(response.content?.['application/json'].examples ?? {});
      const named = Object.keys(response.headers);
      expect(reply.body.error?.type).toBe(`${service.url}/docs/errors/${code}`);
      if (codes.length === 1) {
        expect({ code, lacking: named.filter((name) => !reply.headers.has(name)) }).toEqual({ code, lacking: [] });
      }
      const limited = reply.headers.has('x-ratelimit-limit-day');
      if (limited) expect(named).toContain('X-RateLimit-Limit-Day');
    }
  });

  it('has a text for each reason to refuse a parameter, and no text without a reason', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('publish/'))
      .map((file) => readFileSync(join(SOURCES, file), 'utf8'));
    const used = files.flatMap((text) =>
      [...text.matchAll(/reason: [^,;}|]*'([a-z_]+)'(?! \|)(?: : '([a-z_]+)')?/g)].flatMap(([, one, other]) =>
        other === undefined ? [one] : [one, other],
      ),
    );
    const named = files.flatMap((text) =>
      [...text.matchAll(/notFound\(\s*'\w+',\s*'([a-z_]+)'/g)].map(([, reason]) => reason),
    );
    const refused = files.flatMap((text) =>
      [...text.matchAll(/refuse\((?:'\w+'|\w+), '([a-z_]+)'/g)].map(([, reason]) => reason),
    );
    const bounds = ['value', 'length'].flatMap((what) => [`${what}_minimum`, `${what}_maximum`]);
    for (const locale of LOCALES) {
      expect(Object.keys(readMessages(locale, 'parameters')).sort()).toEqual(
        [...new Set([...used, ...named, ...refused, ...bounds])].sort(),
      );
    }
  });
});

/** One real response for each error that a single request can cause. */
async function provoked(service: TestServer): Promise<[ErrorCode, Reply][]> {
  const path = '/api/v1/changes';
  const free = await service.key('free');
  await service.get(path, free);
  const suspended = await service.access.createAccount({
    email: 'suspended@test.example',
    plan: 'pro',
    signedUpAt: new Date('2020-01-01T00:00:00Z'),
  });
  const { text: suspendedKey } = await service.access.createKey(suspended.email, 'test');
  await service.access.setStatus(suspended.email, 'suspended');
  await service.server.app.get(Heartbeat).poll();
  return [
    ['invalid_parameter', await service.get(`${path}?limit=0`)],
    ['invalid_cursor', await service.get(`${path}?cursor=abc`)],
    ['key_in_query', await service.get(`${path}?api_key=1`)],
    ['missing_key', await service.get(path, null)],
    ['invalid_key', await service.get(path, 'tm_wrong')],
    ['account_suspended', await service.get(path, suspendedKey)],
    ['not_found', await service.get('/api/v1/nothing')],
    ['method_not_allowed', await service.get(path, undefined, { method: 'DELETE' })],
    ['not_acceptable', await service.get(path, undefined, { headers: { accept: 'text/html' } })],
    ['uri_too_long', await service.get(`${path}?q=${'x'.repeat(9_000)}`)],
    ['minute_limit_exceeded', await service.get(path, free)],
    ['headers_too_large', await service.get(path, undefined, { headers: { 'x-long': 'x'.repeat(17_000) } })],
  ];
}
