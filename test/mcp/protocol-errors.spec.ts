import { TOOLS } from '../../src/assistants/tools/tools.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, MCP, META, modern, rpc, toolCall } from './rpc.js';

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly code: string };
}

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const withId = (id: unknown) => ({ ...rpc('ping'), id });
const handshake = (members: object) => rpc('initialize', { ...(INITIALIZE.params as object), ...members });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), 1]));
/** A message nested so deeply that a recursive library would crash. */
const DEEP = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
const posted = (message: unknown, deep = ''): string => JSON.stringify(message).replace('"DEEP"', deep);

/** Words that only a library would use. */
const NOT_OURS =
  /invalid_type|received|Invalid input|RangeError|Bad Request|Internal server error|Method not found|Unknown tool|zod|\bat \w/;

type Refused = readonly [what: string, body: unknown, status: number, code: number, says: RegExp];

const NO_MESSAGE: readonly Refused[] = [
  ['an id of 40,000 levels', posted(withId('DEEP'), DEEP), 400, -32_600, /`id`/],
  ['an id that is an object', withId({}), 400, -32_600, /`id`/],
  ['an id that is null', withId(null), 400, -32_600, /`id`/],
  ['an id that is no integer', withId(1.5), 400, -32_600, /`id`/],
  ['an id beyond what a number can tell apart', withId(1e308), 400, -32_600, /`id`/],
  ['another version of JSON-RPC', { ...rpc('ping'), jsonrpc: '1.0' }, 400, -32_600, /"2\.0"/],
  ['no version of JSON-RPC', { id: 1, method: 'ping' }, 400, -32_600, /"2\.0"/],
  ['a method that is a number', { ...rpc('ping'), method: 5 }, 400, -32_600, /`method`/],
  ['no method, as an answer has none', { jsonrpc: '2.0', id: 1, result: {} }, 400, -32_600, /`method`/],
  ['32 levels in its params', rpc('ping', { a: nested(31) }), 400, -32_600, /32 levels/],
  ['deep arguments', posted(toolCall('latest_changes', { query: 'DEEP' }), DEEP), 400, -32_600, /32 levels/],
  ['deep capabilities', posted(handshake({ capabilities: { experimental: 'DEEP' } }), DEEP), 400, -32_600, /32 levels/],
  ['12,000 arguments', toolCall('latest_changes', many(12_000)), 400, -32_600, /1000 members/],
];

const WRONG_PARAMS: readonly Refused[] = [
  ['params that are a number', rpc('ping', 5), 200, -32_602, /`params` must be an object/],
  ['params that are a list', rpc('tools/list', []), 200, -32_602, /`params` must be an object/],
  ['a _meta that is a text', rpc('tools/list', { _meta: 'x' }), 200, -32_602, /`_meta` must be an object/],
  [
    'an odd claim of a version',
    rpc('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 5 } }),
    400,
    -32_602,
    /`params`/,
  ],
  ['initialize without params', rpc('initialize'), 200, -32_602, /`protocolVersion` must be the version/],
  ['initialize with a version that is a number', handshake({ protocolVersion: 5 }), 200, -32_602, /`protocolVersion`/],
  [
    'initialize with a version that is a sentence',
    handshake({ protocolVersion: 'the newest' }),
    200,
    -32_602,
    /`protocolVersion`/,
  ],
  [
    'initialize without capabilities',
    handshake({ capabilities: null }),
    200,
    -32_602,
    /`capabilities` must be an object/,
  ],
  ['initialize without a client', handshake({ clientInfo: 'x' }), 200, -32_602, /`clientInfo` must be an object/],
  ['initialize with a client without name', handshake({ clientInfo: {} }), 200, -32_602, /`clientInfo.name`/],
  ['a tool call without a name', rpc('tools/call', {}), 200, -32_602, /`name` must be a string/],
  ['a tool call whose name is a list', rpc('tools/call', { name: ['latest_changes'] }), 200, -32_602, /`name`/],
  [
    'a tool with a slip of the pen',
    toolCall('latest_chnges'),
    200,
    -32_602,
    /no tool `latest_chnges`. Nearest: `latest_changes`, [^]*`quotes`/,
  ],
  [
    'a tool by the name of a template',
    toolCall('$t(errors.not_found.title.length)'),
    200,
    -32_602,
    /no tool `\$t\(errors/,
  ],
  ['a tool by a name that every object has', toolCall('__proto__'), 200, -32_602, /no tool `__proto__`/],
  [
    'a tool by the name of a link',
    toolCall('x` [a](https://evil.example)\n`'),
    200,
    -32_602,
    /no tool `x' \[a\]\(https:\/\/evil\.example\) '`/,
  ],
  [
    'arguments that are a list',
    rpc('tools/call', { name: 'latest_changes', arguments: [] }),
    200,
    -32_602,
    /`arguments` must be an object/,
  ],
  [
    'arguments that are a text',
    rpc('tools/call', { name: 'latest_changes', arguments: 'x' }),
    200,
    -32_602,
    /`arguments`/,
  ],
];

describe('An error of the MCP protocol', () => {
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

  const ask = async (body: unknown, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const reply = await exchange(service.url, MCP, {
      method: 'POST',
      key: await service.key(),
      headers: sent,
      payload,
    });
    const answer = (reply.body ?? {}) as unknown as { id?: unknown; error?: RpcError; result?: object };
    expect(reply.headers['transfer-encoding']).toBeUndefined();
    expect(Number(reply.headers['content-length'])).toBe(reply.bytes.length);
    expect(answer.error === undefined ? '' : reply.bytes.toString()).not.toMatch(NOT_OURS);
    return { status: reply.status, ...answer };
  };

  it.each([...NO_MESSAGE, ...WRONG_PARAMS])(
    'has our code and text for a message with %s',
    async (_, body, status, code, says) => {
      const { error, ...answer } = await ask(body);
      expect({ status: answer.status, code: error?.code }).toEqual({ status, code });
      expect(error?.message).toMatch(says);
      expect(error?.data.code).toBe(code === -32_600 ? 'malformed_request' : 'invalid_parameter');
    },
  );

  it('repeats an id that is a string or an integer, and no other', async () => {
    expect((await ask({ ...rpc('x/y'), id: 'seven' })).id).toBe('seven');
    expect((await ask({ ...rpc('x/y'), id: -7 })).id).toBe(-7);
    expect((await ask({ ...rpc('x/y'), id: [7] })).id).toBeNull();
    expect((await ask({ ...rpc('x/y'), id: 7.5 })).id).toBeNull();
  });

  it('names an unknown method, with the status that its protocol demands', async () => {
    const old = await ask(rpc('tasks/list'));
    const young = await ask(rpc('tasks/list', { _meta: META }), modern('tasks/list'));
    for (const [answer, status] of [
      [old, 200],
      [young, 404],
    ] as const) {
      expect(answer).toMatchObject({
        status,
        error: { code: -32_601, message: 'This server has no method `tasks/list`.', data: { code: 'not_found' } },
      });
    }
    const { error } = await ask(rpc(`a\`\n${'x'.repeat(500)}`));
    expect(error?.message).toMatch(/^This server has no method `a' x{50,70}…`\.$/);
  });

  it('names each argument with a NUL, which no stored text contains', async () => {
    for (const { name, input } of TOOLS.map(({ definition }) => definition)) {
      for (const argument of Object.keys(input.shape)) {
        const { result } = await ask(toolCall(name, { [argument]: 'a\0b' }));
        const [{ text }] = (result as { content: [{ text: string }] }).content;
        expect(text).toContain(`\`${argument}\` is not text`);
      }
    }
  });

  it('is in the language of the call', async () => {
    const call = (locale: string) => rpc('tools/call', { name: 'latest_brif', arguments: { locale } });
    expect((await ask(call('zh'))).error?.message).toMatch(/^没有名为`latest_brif`的工具/);
    expect((await ask(call('ja'))).error?.message).toMatch(/^ツール`latest_brif`はありません/);
  });

  it('never replaces a correct response', async () => {
    const answers = await Promise.all([
      ask(rpc('ping')),
      ask(rpc('tools/list', {})),
      ask(handshake({ capabilities: { roots: 5, experimental: nested(20) } })),
      ask(rpc('server/discover', { _meta: META }), modern('server/discover')),
      ask(rpc('tools/call', { name: 'latest_brief', arguments: null })),
      ask(rpc('tools/call', { name: 'latest_brief' })),
      ask(rpc('tools/call', { name: 'latest_brief', arguments: {}, _meta: { progressToken: 'p' } })),
      ask(rpc('ping', { _meta: { progressToken: {} } })),
    ]);
    expect(answers.map(({ status, error }) => ({ status, error }))).toEqual(
      answers.map(() => ({ status: 200, error: undefined })),
    );
    expect(TOOLS.length).toBe((answers[1].result as { tools: unknown[] }).tools.length);
  });

  it('causes no warning and no error in the log', () => {
    expect(service.lines.filter((line) => /"level":"(?:warn|error)"/.test(line))).toEqual([]);
  });
});
