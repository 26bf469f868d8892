import { McpEntrance } from '../../src/assistants/mcp-entrance.service.js';
import { McpServers } from '../../src/assistants/mcp-servers.js';
import { StoppedClock } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { MCP, META, modern, rpc, toolCall } from './rpc.js';

const CALL = toolCall('latest_changes', { limit: 2 });
const A_MINUTE_LATER = 61_000;
/** Members of two log lines that differ although the requests are equal. */
const OWN = new Set(['time', 'requestId', 'account', 'ms']);

interface Posted {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('A cached result of a message', () => {
  let database: TestDatabase;
  let service: TestServer;
  let keys: readonly [early: string, routed: string];
  let asked = 0;
  const clock = new StoppedClock('2026-11-20T00:00:01Z');

  beforeAll(async () => {
    database = await createTestDatabase('full');
    service = await startTestServer({ database, clock });
    keys = [await service.key(), await service.key()];
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** Everything that a client and an operator see of one message. */
  async function seen(message: unknown, { key, headers }: Posted = {}) {
    asked += 1;
    const id = `comparison-${String(asked)}`;
    const { bytes, ...reply } = await exchange(service.url, MCP, {
      ...(key !== undefined && { key }),
      method: 'POST',
      headers: { 'x-request-id': id, 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(message),
    });
    await service.logged([id]);
    const line = service.lines.find((one) => one.includes(`"requestId":"${id}"`)) ?? '{}';
    const noted = Object.entries(JSON.parse(line) as object).filter(([name]) => !OWN.has(name));
    const { date: _date, 'x-request-id': echoed, ...received } = reply.headers;
    const text = bytes.toString().replaceAll(id, 'ID');
    return { status: reply.status, headers: received, text, echoes: echoed === id, noted };
  }

  /** The library answers. */
  async function routed(message: unknown, posted: Posted) {
    const entrance = service.server.app.get(McpEntrance, { strict: false });
    const find = entrance.find.bind(entrance);
    entrance.find = async (request) => {
      await find(request);
      return undefined;
    };
    try {
      return await seen(message, posted);
    } finally {
      Reflect.deleteProperty(entrance, 'find');
    }
  }

  async function early(message: unknown, posted: Posted) {
    const servers = service.server.app.get(McpServers, { strict: false });
    servers.of = () => {
      throw new Error('The library has been reached');
    };
    try {
      return await seen(message, posted);
    } finally {
      Reflect.deleteProperty(servers, 'of');
    }
  }

  it.each([
    ['latest_changes', { limit: 2, locale: 'ja' }],
    ['latest_changes', { query: 'inflation' }],
    ['country_heat', {}],
    ['release_calendar', { from: '2026-06-01', to: '2026-07-31' }],
    ['latest_brief', { locale: 'zh' }],
    ['figures', { indicator: 'gdp-growth', country: 'JP' }],
    ['quotes', { kind: 'fx' }],
  ])('equals the library’s for a call of %s', async (name, args) => {
    await seen(toolCall(name, args), { key: keys[0] });
    await seen(toolCall(name, args), { key: keys[1] });
    clock.advance(A_MINUTE_LATER);
    const first = await routed(toolCall(name, args), { key: keys[1] });
    const second = await early(toolCall(name, args), { key: keys[0] });
    expect(second).toEqual(first);
    expect([first.status, first.text.includes('"isError":true')]).toEqual([200, false]);
  });

  it.each([
    ['the list of tools', rpc('tools/list'), {}],
    ['an id that is a text', { ...CALL, id: 'a"\\b' }, {}],
    ['a version after the handshake', CALL, { 'mcp-protocol-version': '2025-11-25' }],
    [
      'the revision without a handshake',
      { ...CALL, params: { ...CALL.params, _meta: META } },
      { ...modern('tools/call'), 'mcp-name': 'latest_changes' },
    ],
  ] as const)('equals the library’s for %s', async (_, message, headers) => {
    await seen(message, { key: keys[0], headers });
    await seen(message, { key: keys[1], headers });
    clock.advance(A_MINUTE_LATER);
    const first = await routed(message, { key: keys[1], headers });
    const second = await early(message, { key: keys[0], headers });
    expect(second).toEqual(first);
    expect([first.status, first.text.startsWith('{"result":')]).toEqual([200, true]);
  });

  it.each([
    ['wrong arguments', toolCall('latest_changes', { limit: 900 }), {}],
    ['an unknown tool', toolCall('no_such_tool'), {}],
    ['a batch', [CALL], {}],
    ['a header of another revision', CALL, { 'mcp-protocol-version': '1999-01-01' }],
    ['another media type', CALL, { 'content-type': 'text/plain' }],
    ['a foreign origin', CALL, { origin: 'https://other.example.com' }],
    ['an Accept without JSON', CALL, { accept: 'text/csv' }],
  ] as const)('is not sent for %s', async (_, message, headers) => {
    await seen(CALL, { key: keys[0] });
    await seen(CALL, { key: keys[1] });
    clock.advance(A_MINUTE_LATER);
    const first = await routed(message, { key: keys[1], headers });
    const second = await seen(message, { key: keys[0], headers });
    expect(second).toEqual(first);
    expect(second.text).not.toContain('"structuredContent"');
  });

  it('is sent to nobody without a valid key, and refused above the limit', async () => {
    expect((await seen(CALL)).status).toBe(401);
    const [one, other] = [await service.key('free'), await service.key('free')];
    await seen(CALL, { key: await service.key('free') });
    const first = [await routed(CALL, { key: one }), await routed(CALL, { key: one })];
    const second = [await early(CALL, { key: other }), await seen(CALL, { key: other })];
    expect(second).toEqual(first);
    expect(second.map(({ status }) => status)).toEqual([200, 429]);
  });
});
