// runs: on two instances
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange, type Exchange, sendBytes, type Sent } from '../support/exchange.js';
import { anyText } from '../support/matchers.js';
import { startTestServer, type TestServer } from '../support/server.js';

let database: TestDatabase;
let service: TestServer;
let key: string;
let revoked: string;
let suspended: string;

beforeAll(async () => {
  database = await createTestDatabase('figures');
  service = await startTestServer({ database, environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  const account = { plan: 'pro', signedUpAt: new Date(0) } as const;
  await service.access.createAccount({ email: 'revoked@test.example', ...account });
  const { key: row, text } = await service.access.createKey('revoked@test.example', 'old');
  revoked = text;
  await service.access.revokeKey(row.id);
  await service.access.createAccount({ email: 'suspended@test.example', ...account });
  suspended = (await service.access.createKey('suspended@test.example', 'own')).text;
  await service.access.setStatus('suspended@test.example', 'suspended');
});
beforeEach(async () => {
  key = await service.key();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const ask = (path: string, sent: Sent = {}): Promise<Exchange> => exchange(service.url, path, { key, ...sent });
const UNKNOWN = `tm_${'0'.repeat(36)}`;
const HUGE = 'x'.repeat(17_000);
const HTML = { accept: 'text/html' };
/** As if each request had another client: failed attempts are counted by address. */
let clients = 0;
const elsewhere = () => ({ 'x-forwarded-for': `192.0.2.${String(++clients)}` });

describe('An error', () => {
  it('contains the members of RFC 9457, its code and the request id, inside the envelope', async () => {
    const { status, headers, body } = await ask('/api/v1/none');
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      data: null,
      meta: { locale: 'en', dataVersion: null, publishedAt: null, sources: [], notices: [] },
      error: {
        type: `${service.url}/docs/errors/not_found`,
        title: 'Not found',
        status: 404,
        detail: anyText,
        code: 'not_found',
        requestId: headers['x-request-id'],
        errors: [{ parameter: 'path', message: 'There is no path `/api/v1/none`.' }],
      },
    });
  });

  it('has the address of an existing page as its type', async () => {
    const { body } = await ask('/api/v1/changes?limit=0');
    const page = await fetch(body?.error?.type ?? '');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('invalid_parameter');
  });

  it('is JSON outside the prefix too', async () => {
    for (const sent of [{}, { method: 'POST' }]) {
      const { status, body } = await exchange(service.url, '/nothing/here', sent);
      expect([status, body?.error?.code]).toEqual([404, 'not_found']);
    }
    expect((await exchange(service.url, '/', { method: 'POST' })).body?.error?.code).toBe('not_found');
  });
});

interface Case {
  readonly code: string;
  readonly status: number;
  readonly path: string;
  readonly sent?: () => Sent;
}

const CASES: readonly Case[] = [
  { code: 'uri_too_long', status: 414, path: `/api/v1/changes?country=${'x'.repeat(8_200)}` },
  { code: 'headers_too_large', status: 431, path: '/api/v1/changes', sent: () => ({ headers: { 'x-long': HUGE } }) },
  { code: 'key_in_query', status: 400, path: '/api/v1/changes?api_key=abc' },
  { code: 'missing_key', status: 401, path: '/api/v1/changes', sent: () => ({ headers: { authorization: '' } }) },
  { code: 'invalid_key', status: 401, path: '/api/v1/changes', sent: () => ({ key: UNKNOWN, headers: elsewhere() }) },
  { code: 'revoked_key', status: 401, path: '/api/v1/changes', sent: () => ({ key: revoked, headers: elsewhere() }) },
  { code: 'account_suspended', status: 403, path: '/api/v1/changes', sent: () => ({ key: suspended }) },
  { code: 'not_found', status: 404, path: '/api/v1/none' },
  { code: 'method_not_allowed', status: 405, path: '/api/v1/changes', sent: () => ({ method: 'POST' }) },
  { code: 'not_acceptable', status: 406, path: '/api/v1/changes', sent: () => ({ headers: HTML }) },
  { code: 'invalid_parameter', status: 400, path: '/api/v1/changes?limit=0' },
  { code: 'invalid_cursor', status: 400, path: '/api/v1/changes?cursor=abc' },
  { code: 'not_found', status: 404, path: '/api/v1/changes/chg_none' },
];

describe('Every error of a request', () => {
  it.each(CASES)('has its status, code and texts in three languages: $code', async (one) => {
    const details: (string | undefined)[] = [];
    for (const locale of ['en', 'zh', 'ja']) {
      const path = `${one.path}${one.path.includes('?') ? '&' : '?'}locale=${locale}`;
      const { status, headers, body } = await ask(path, one.sent?.());
      expect([status, body?.error?.code, body?.error?.status]).toEqual([one.status, one.code, one.status]);
      expect([headers['content-language'], body?.meta.locale]).toEqual([locale, locale]);
      expect(headers['www-authenticate']).toBe(one.status === 401 ? 'Bearer' : undefined);
      expect(headers['cache-control']).toBe('no-store');
      details.push(`${body?.error?.title ?? ''} ${body?.error?.detail ?? ''}`);
    }
    expect(new Set(details).size).toBe(3);
    expect(details[1]).toMatch(/[\u4e00-\u9fff]/);
    expect(details[2]).toMatch(/[\u3040-\u30ff]/);
  });

  it.each(['', '?locale=fr', '?locale=EN', '?locale=en&locale=zh', '?locale=', '?locale=%ff'])(
    'is in English if the locale is missing or invalid: %s',
    async (query) => {
      const { headers, body } = await ask(`/api/v1/none${query}`);
      expect([headers['content-language'], body?.meta.locale, body?.error?.title]).toEqual(['en', 'en', 'Not found']);
    },
  );

  it.each(['/api/v1/%ff?locale=ja', '/api/v1/changes?country=a?&locale=ja', '/api/v1/none?l%6Fcale=ja'])(
    'is in the requested locale although another part of the URL is invalid: %s',
    async (path) => {
      expect((await ask(path)).headers['content-language']).toBe('ja');
    },
  );

  it('ignores accept-language', async () => {
    const { headers } = await ask('/api/v1/none', { headers: { 'accept-language': 'ja' } });
    expect(headers['content-language']).toBe('en');
  });
});

describe('The order of checks', () => {
  const long = `country=${'x'.repeat(8_200)}`;
  const wide = { 'x-long': HUGE };

  it.each([
    ['414 before 431', `/api/v1/changes?${long}`, () => ({ headers: wide }), 'uri_too_long'],
    ['414 before a key in the query', `/api/v1/changes?api_key=1&${long}`, () => ({}), 'uri_too_long'],
    ['431 before a key in the query', '/api/v1/changes?api_key=1', () => ({ headers: wide }), 'headers_too_large'],
    ['431 before OPTIONS', '/api/v1', () => ({ method: 'OPTIONS', headers: wide }), 'headers_too_large'],
    ['a key in the query before OPTIONS', '/api/v1?api_key=1', () => ({ method: 'OPTIONS' }), 'key_in_query'],
    ['a key in the query before 401', '/api/v1/changes?api_key=1', () => ({ key: UNKNOWN }), 'key_in_query'],
    ['401 before 404', '/api/v1/none', () => ({ key: UNKNOWN, headers: elsewhere() }), 'invalid_key'],
    [
      '401 before 405 and 406',
      '/api/v1/changes',
      () => ({ key: revoked, method: 'POST', headers: { ...HTML, ...elsewhere() } }),
      'revoked_key',
    ],
    ['403 suspended before 404', '/api/v1/none', () => ({ key: suspended }), 'account_suspended'],
    ['403 suspended before 400', '/api/v1/changes?limit=0', () => ({ key: suspended }), 'account_suspended'],
    ['404 path before 405', '/api/v1/none', () => ({ method: 'POST' }), 'not_found'],
    ['404 path before 406', '/api/v1/none', () => ({ headers: HTML }), 'not_found'],
    ['404 path before 400', '/api/v1/none?limit=0', () => ({}), 'not_found'],
    ['405 before 406', '/api/v1/changes', () => ({ method: 'PUT', headers: HTML }), 'method_not_allowed'],
    ['405 before 400', '/api/v1/changes?limit=0', () => ({ method: 'DELETE' }), 'method_not_allowed'],
    ['406 before 400', '/api/v1/changes?limit=0', () => ({ headers: HTML }), 'not_acceptable'],
    ['406 before 404 of an id', '/api/v1/changes/chg_none', () => ({ headers: HTML }), 'not_acceptable'],
    ['400 before 404 of an id', '/api/v1/changes/chg_none?limit=1', () => ({}), 'invalid_parameter'],
    ['400 before 404 of a slug', '/api/v1/topics/none?limit=0', () => ({}), 'invalid_parameter'],
    ['404 of an id before 304', '/api/v1/changes/chg_none', () => ({ headers: { 'if-none-match': '*' } }), 'not_found'],
  ] as const)('puts %s', async (_title, path, sent, code) => {
    expect((await ask(path, sent())).body?.error?.code).toBe(code);
  });

  it('puts 429 after 401 and 403 and before all else', async () => {
    const free = await service.key('free');
    await ask('/api/v1/topics', { key: free });
    const limited = [
      ask('/api/v1/none', { key: free }),
      ask('/api/v1/changes', { key: free, method: 'POST' }),
      ask('/api/v1/changes', { key: free, headers: HTML }),
      ask('/api/v1/changes?limit=0', { key: free }),
    ];
    for (const { status, body } of await Promise.all(limited)) {
      expect([status, body?.error?.code]).toEqual([429, 'minute_limit_exceeded']);
    }
  });
});

describe('A path', () => {
  it.each(['/api/v1', '/api/v1/', '/api/v1/none', '/api/v1/none/more', '/api/v1/Changes', '/api/v1/%ff'])(
    'is 401 without a key and 404 with one if it is unknown: %s',
    async (path) => {
      expect((await exchange(service.url, path)).body?.error?.code).toBe('missing_key');
      expect((await ask(path)).body?.error?.code).toBe('not_found');
    },
  );

  it.each([
    '/api/v1/changes/%',
    '/api/v1/changes/%zz',
    '/api/v1/changes/%ff%fe',
    '/api/v1/changes/%00',
    '/api/v1/changes/chg_%00',
    '/api/v1/changes/%ed%a0%80',
    '/api/v1/changes/nothing!',
    `/api/v1/changes/chg_${'x'.repeat(100)}`,
    '/api/v1/changes/..%2f..%2fetc%2fpasswd',
    '/api/v1/topics/%e7%89%a9%e4%bb%b7',
    '/api/v1/topics/GDP',
    '/api/v1/coverage/none',
    '/api/v1/macro/2026-13-45',
    "/api/v1/macro/x'%3B--",
  ])('is 404 for a segment that names nothing, even when malformed: %s', async (path) => {
    const { status, body } = await ask(path);
    expect([status, body?.error?.code]).toEqual([404, 'not_found']);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'TRACE'])(
    'refuses the method %s and names the allowed ones',
    async (method) => {
      for (const path of ['/api/v1/changes', '/api/v1/macro/gdp', '/api/v1/macro/board']) {
        const { status, headers, body } = await ask(path, { method });
        expect([status, body?.error?.code]).toEqual([405, 'method_not_allowed']);
        expect(headers.allow).toBe('GET, HEAD, OPTIONS');
      }
    },
  );

  it('refuses a method with a body too, however large', async () => {
    const { status } = await ask('/api/v1/changes', { method: 'POST', payload: 'x'.repeat(300_000) });
    expect(status).toBe(405);
  });
});

describe('An Accept header', () => {
  it.each([
    undefined,
    '',
    ' , ',
    '*/*',
    'application/*',
    'application/json',
    'text/html, application/json;q=0.1',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;Charset="UTF-8"',
    '*/*;v=1;q=0.5;x=y',
    'application/json;profile="a,b;q=0"',
    'text/html;level=1, application/json;odata=verbose;q=0.2',
  ])('allows JSON by %j', async (accept) => {
    const headers = accept === undefined ? {} : { accept };
    expect((await ask('/api/v1/topics', { headers })).status).toBe(200);
  });

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'image/*',
    'text/html; charset=utf-8',
    'application/json;charset=utf-8;q=0',
    'application/json;q=0;charset=utf-8',
  ])('excludes JSON by %s', async (accept) => {
    expect((await ask('/api/v1/topics', { headers: { accept } })).status).toBe(406);
  });
});

describe('A key in the URL', () => {
  const text = `tm_${'aB3'.repeat(12)}`;

  it.each([
    'apikey=1',
    'api_key=1',
    'API_KEY=1',
    'access_token=1',
    'token=1',
    'api%5Fkey=1',
    'limit=1&api_key',
    `key=${text}`,
    `q=${text}`,
    `country=${text}`,
    text,
    `x=a${text}b`,
    `x=tm%5f${text.slice(3)}`,
  ])('is refused by its name or by its form: ?%s', async (query) => {
    for (const sent of [key, undefined]) {
      const { status, body, bytes } = await exchange(service.url, `/api/v1/changes?${query}`, {
        ...(sent && { key: sent }),
      });
      expect([status, body?.error?.code]).toEqual([400, 'key_in_query']);
      expect(bytes.toString()).not.toContain(text);
    }
  });

  it.each([`/api/v1/changes/${text}`, `/api/v1/${text}`])('is refused in a path too: %s', async (path) => {
    expect((await ask(path)).body?.error?.code).toBe('key_in_query');
  });

  it.each(['key=eurusd', 'keys=1', 'monkey=1', 'country=key'])(
    'is not suspected in other parameters: ?%s',
    async (query) => {
      expect((await ask(`/api/v1/changes?${query}`)).body?.error?.code).toBe('invalid_parameter');
    },
  );
});

describe('A malformed request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])],
    ['an unknown method', 'FETCH /api/v1/changes HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a broken header', 'GET /api/v1/changes HTTP/1.1\r\nhost: x\r\nno colon\r\n\r\n'],
    ['two lengths', 'POST /api/v1/changes HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx'],
    ['no host', 'GET /api/v1/changes HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ])('gets 400 in the shape of every error: %s', async (_what, bytes) => {
    const { status, headers, body } = await sendBytes(service.url, bytes);
    expect([status, body?.error?.code, body?.data]).toEqual([400, 'malformed_request', null]);
    expect(headers['x-request-id']).toBe(body?.error?.requestId);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-language': 'en',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('gets 431 above the parser’s limit, in the same shape', async () => {
    const head = `GET /api/v1/changes HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(70_000)}\r\n\r\n`;
    const { status, headers, body } = await sendBytes(service.url, head);
    expect([status, body?.error?.code]).toEqual([431, 'headers_too_large']);
    expect(headers).toMatchObject({ 'content-language': 'en', 'x-content-type-options': 'nosniff' });
    const toHead = await sendBytes(service.url, head.replace('GET', 'HEAD'));
    expect([toHead.status, toHead.bytes.length]).toEqual([431, 0]);
  });

  it('is not one in absolute form, which gets a normal response', async () => {
    const target = 'http://x/api/v1/topics?api_key=1';
    const { body } = await sendBytes(service.url, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(body?.error?.code).toBe('key_in_query');
  });

  it('leaves the server responding', async () => {
    expect((await ask('/api/v1/topics')).status).toBe(200);
  });
});

describe('An internal error', () => {
  it('is 500 in three languages, reveals nothing internal, and is in the log under its request id', async () => {
    const broken = await createTestDatabase('figures');
    const other = await startTestServer({ database: broken });
    const owner = await broken.open('admin');
    await owner.query('ALTER TABLE topics RENAME COLUMN ordinal TO secret_column');
    const titles: (string | undefined)[] = [];
    for (const locale of ['en', 'zh', 'ja']) {
      const { status, text, body, headers } = await other.get(`/api/v1/topics?locale=${locale}`);
      expect([status, body.error?.code]).toEqual([500, 'internal_error']);
      expect(text).not.toMatch(/ordinal|SELECT|column|topics|\.[jt]s\b|at \w+ \(/);
      const id = headers.get('x-request-id') ?? '';
      expect(other.lines.some((line) => line.includes(id) && line.includes('ordinal'))).toBe(true);
      titles.push(body.error?.title);
    }
    expect(new Set(titles).size).toBe(3);
    await other.close();
    await broken.drop();
  });
});
