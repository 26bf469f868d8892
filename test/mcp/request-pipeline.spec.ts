// runs: on two instances
import { Heartbeat } from '../../src/store/heartbeat.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { StoppedClock } from '../support/clock.js';
import { exchange } from '../support/exchange.js';
import { holding, like } from '../support/matchers.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, MCP, post, rpc, toolCall } from './rpc.js';

const CALL = toolCall('latest_changes', { limit: 1 });
const left = (reply: { headers: Readonly<Record<string, unknown>> }) =>
  Number(reply.headers['x-ratelimit-remaining-day']);

describe('The request pipeline of the MCP endpoint', () => {
  let database: TestDatabase;
  let service: TestServer;
  const clock = new StoppedClock('2026-11-21T10:00:00Z');

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({
      database,
      clock,
      environment: { MCP_ALLOWED_ORIGINS: 'https://app.example.com', CORS_ORIGINS: 'https://app.example.com' },
    });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('responds with 401 and WWW-Authenticate without a key, in JSON-RPC', async () => {
    const { status, headers, body } = await post(service.url, CALL);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'missing_key' } } });
  });

  it('refuses a wrong or revoked key', async () => {
    const email = 'revoked-mcp@test.example';
    await service.access.createAccount({ email, plan: 'pro', signedUpAt: new Date(0) });
    const { key, text } = await service.access.createKey(email, 'one');
    await service.access.revokeKey(key.id);
    await service.server.app.get(Heartbeat).poll();
    const codes = await Promise.all(
      ['tm_wrong', text].map(async (one) => (await post(service.url, CALL, { key: one })).body.error?.data?.code),
    );
    expect(codes).toEqual(['invalid_key', 'revoked_key']);
  });

  it('accepts the key as x-api-key, and in both headers only if they agree', async () => {
    const [one, other] = [await service.key(), await service.key()];
    const only = await post(service.url, CALL, { headers: { 'x-api-key': one } });
    const same = await post(service.url, CALL, { key: one, headers: { 'x-api-key': one } });
    const different = await post(service.url, CALL, { key: one, headers: { 'x-api-key': other } });
    const basic = await post(service.url, CALL, { headers: { 'x-api-key': one, authorization: 'Basic eDp5' } });
    expect([only, same, different, basic].map(({ status }) => status)).toEqual([200, 200, 401, 200]);
  });

  it('accepts x-api-key on no other route', async () => {
    const key = await service.key();
    const { status } = await exchange(service.url, '/api/v1/topics', { headers: { 'x-api-key': key } });
    expect(status).toBe(401);
  });

  it('counts each tool call as one request of the account, together with HTTP', async () => {
    const key = await service.key('pro');
    const first = await post(service.url, CALL, { key });
    const second = await service.get('/api/v1/topics', key);
    const third = await post(service.url, CALL, { key });
    expect(left(first)).toBe(4_999);
    expect(second.headers.get('x-ratelimit-remaining-day')).toBe('4998');
    expect(left(third)).toBe(4_997);
    expect(third.headers['x-ratelimit-remaining-minute']).toBe('2');
  });

  it('counts a tool call that fails on its arguments or names no tool', async () => {
    const key = await service.key('pro');
    const wrong = await post(service.url, toolCall('latest_changes', { limit: 900 }), { key });
    const unknown = await post(service.url, toolCall('no_such_tool'), { key });
    expect(wrong.body.result?.isError).toBe(true);
    expect(unknown.body.error).toBeDefined();
    expect([left(wrong), left(unknown)]).toEqual([4_999, 4_998]);
  });

  it('counts nothing for handshake, ping, lists, discovery, notifications and bodies refused unread', async () => {
    const key = await service.key('free');
    const free = [
      INITIALIZE,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      rpc('ping'),
      rpc('tools/list'),
      rpc('resources/templates/list'),
      rpc('server/discover'),
      rpc('subscriptions/listen', {}),
      [CALL],
      '{',
    ];
    const statuses: number[] = [];
    for (const message of free) {
      const reply = await post(service.url, message, { key });
      statuses.push(reply.status);
      expect(reply.headers).toMatchObject({
        'x-ratelimit-limit-minute': '1',
        'x-ratelimit-remaining-minute': '1',
        'x-ratelimit-remaining-day': '400',
      });
    }
    expect(statuses).toEqual([200, 202, 202, 200, 200, 200, expect.any(Number), 404, 400, 400]);
    const get = await exchange(service.url, MCP, { key });
    expect(get.headers['x-ratelimit-remaining-day']).toBe('400');
    const { status, headers } = await post(service.url, CALL, { key });
    expect({ status, left: headers['x-ratelimit-remaining-day'] }).toEqual({ status: 200, left: '399' });
  });

  it('answers 429 above the limit, with retry-after and the seconds in words', async () => {
    const key = await service.key('free');
    await post(service.url, CALL, { key });
    clock.advance(20_000);
    const call = toolCall('latest_changes', { locale: 'ja' });
    const { status, headers, body } = await post(service.url, { ...call, id: 'seven' }, { key });
    expect(status).toBe(429);
    expect(headers['retry-after']).toBe('41');
    expect(headers['x-ratelimit-remaining-minute']).toBe('0');
    expect(headers['content-language']).toBe('ja');
    expect(body).toMatchObject({
      id: 'seven',
      result: {
        isError: true,
        content: [{ type: 'text', text: holding('41秒後') }],
        _meta: { 'tidemark/error': { code: 'minute_limit_exceeded' } },
      },
    });
    const handshake = await post(service.url, INITIALIZE, { key });
    expect(handshake.status).toBe(200);
  });

  it.each([
    ['pro', 60],
    ['intelligence', 240],
  ] as const)('limits the free calls of %s to %d a minute and account', async (plan, allowed) => {
    const [key, other] = [await service.key(plan), await service.key(plan)];
    const statuses = [];
    for (let sent = 0; sent <= allowed; sent += 1)
      statuses.push((await post(service.url, rpc('ping'), { key })).status);
    expect(statuses).toEqual([...Array<number>(allowed).fill(200), 429]);
    const refused = await post(service.url, INITIALIZE, { key });
    expect(refused.headers['retry-after']).toBe('61');
    expect(refused.body.error?.message).toContain('61 s');
    expect((await post(service.url, CALL, { key })).status).toBe(200);
    expect((await post(service.url, rpc('ping'), { key: other })).status).toBe(200);
  });

  it('refuses a batch whole and runs no part of it', async () => {
    const key = await service.key('pro');
    const { status, body } = await post(service.url, [CALL, CALL], { key });
    expect(status).toBe(400);
    expect(body).toMatchObject({ id: null, error: { code: -32_600, data: { code: 'malformed_request' } } });
    expect(left(await post(service.url, rpc('ping'), { key }))).toBe(5_000);
  });

  it.each([
    ['no JSON', '{"jsonrpc"', 400, -32_700],
    ['no text', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1'), 400, -32_700],
    ['a number', '7', 400, -32_600],
    ['nothing', '', 400, -32_700],
  ])('refuses a body that is %s', async (_, payload, status, code) => {
    const reply = await post(service.url, payload, { key: await service.key() });
    expect({ status: reply.status, code: reply.body.error?.code }).toEqual({ status, code });
  });

  it('refuses a body above 100 kB, announced or not, and accepts one of 100 kB', async () => {
    const key = await service.key();
    const ping = JSON.stringify(rpc('ping'));
    const sized = (bytes: number) => ping + ' '.repeat(bytes - ping.length);
    const chunked = { 'transfer-encoding': 'chunked' };
    const statuses = [
      await post(service.url, sized(100_000), { key }),
      await post(service.url, sized(100_001), { key }),
      await post(service.url, sized(100_001), { key, headers: chunked }),
    ].map(({ status, body }) => `${String(status)} ${body.error?.data?.code ?? ''}`);
    expect(statuses).toEqual(['200 ', '413 body_too_large', '413 body_too_large']);
  });

  it('refuses another media type, and a compressed body', async () => {
    const key = await service.key();
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }]) {
      const { status, body } = await post(service.url, rpc('ping'), { key, headers });
      expect({ status, code: body.error?.data?.code }).toEqual({ status: 415, code: 'unsupported_media_type' });
    }
  });

  it('accepts clients that accept only JSON, and refuses those that accept neither type', async () => {
    const key = await service.key();
    const ask = (accept: string) => post(service.url, rpc('ping'), { key, headers: { accept } });
    expect((await ask('application/json')).status).toBe(200);
    expect((await ask('*/*')).status).toBe(200);
    expect((await ask('text/html')).status).toBe(406);
  });

  it('checks Origin if it is sent, and Host', async () => {
    const key = await service.key();
    const ask = (headers: Record<string, string>) => post(service.url, rpc('ping'), { key, headers });
    const port = new URL(service.url).port;
    const statuses = await Promise.all(
      [
        { origin: 'https://app.example.com' },
        { origin: service.url },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'https://app.example.com.evil.example' },
        { origin: 'http://localhost:6274' },
        { host: `localhost:${port}` },
        { host: 'evil.example' },
        { host: '10.1.2.3:3000' },
      ].map(async (headers) => (await ask(headers)).status),
    );
    expect(statuses).toEqual([200, 200, 403, 403, 403, 200, 200, 403, 200]);
  });

  it('refuses a Host that holds more than a host and a port', async () => {
    const headers = { host: '2026/07/01' };
    const { status } = await post(service.url, rpc('ping'), { key: await service.key(), headers });
    expect(status).toBe(403);
  });

  it.each(['GET', 'DELETE', 'PUT', 'HEAD'])('responds to %s with 405 and Allow', async (method) => {
    const key = await service.key();
    const { status, headers } = await exchange(service.url, MCP, { method, key });
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, OPTIONS' });
  });

  it('answers a browser’s preflight', async () => {
    const asked = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' };
    const { status, headers } = await exchange(service.url, MCP, { method: 'OPTIONS', headers: asked });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': holding('content-type'),
    });
  });

  it('responds with 401 to every method without a key', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await exchange(service.url, MCP, { method })).status).toBe(401);
    }
  });

  it('reveals nothing to an unknown method', async () => {
    const { body } = await post(service.url, rpc('secrets/list'), { key: await service.key() });
    expect(body.error).toEqual(like({ code: -32_601 }));
  });

  it('writes no key to its log', async () => {
    const key = await service.key();
    const { headers } = await post(service.url, toolCall('latest_changes', { query: key }), { key });
    await service.logged([headers['x-request-id']]);
    expect(service.lines.some((line) => line.includes('/api/v1/mcp'))).toBe(true);
    expect(service.lines.some((line) => line.includes(key.slice(3, 20)))).toBe(false);
  });
});
