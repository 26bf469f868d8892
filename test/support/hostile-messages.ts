import fc from 'fast-check';
import type { Probe } from './hostile-probes.js';

const MCP = '/api/v1/mcp';

/** A tool of `tools/list`, as far as calls need it. */
export interface ToolForm {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

const METHODS = [
  'tools/call',
  'tools/list',
  'ping',
  'initialize',
  'server/discover',
  'resources/list',
  'resources/read',
  'logging/setLevel',
  'subscriptions/listen',
  'notifications/initialized',
  'notifications/cancelled',
  'tasks/get',
  'rpc.discover',
];
const VERSIONS = ['2025-11-25', '2025-06-18', '2024-11-05', '2026-07-28'];
const HEADERS = [
  'accept',
  'content-type',
  'content-encoding',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'origin',
  'host',
  'x-api-key',
  'last-event-id',
  'x-request-id',
  'accept-language',
];
const PLAIN = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** An object as JSON text with arbitrary member names: `__proto__`, or a name twice. */
const object = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
const json = (value: unknown): string => JSON.stringify(value);

function message(method: string, params: string, id = '1', version = '"2.0"'): string {
  return `{"jsonrpc":${version},"id":${id},"method":${json(method)},"params":${params}}`;
}
const call = (tool: string, args: string): string =>
  message('tools/call', `{"name":${json(tool)},"arguments":${args}}`);

/** Messages with a hostile text, number or nesting in one place. */
export function mcpProbes(
  tools: readonly ToolForm[],
  cursors: readonly string[],
  text: fc.Arbitrary<string>,
): fc.Arbitrary<Probe> {
  // At most the size of a body: above 100 kB, all responses are equal.
  const short = text.map((one) => one.slice(0, 66_000));
  const scalar = fc.oneof(
    { weight: 6, arbitrary: short.map(json) },
    { weight: 1, arbitrary: fc.constantFrom('0', '-1', '1e308', '1e999', '1.5', '9007199254740993', 'null', 'true') },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(json) },
    { weight: 1, arbitrary: nested() },
  );
  const tool = fc.constantFrom(...tools);
  const argument = tool.chain(({ name, inputSchema: { properties = {} } }) =>
    fc.record({ tool: fc.constant(name), argument: fc.constantFrom('locale', ...Object.keys(properties)) }),
  );
  const posted = (place: string, body: fc.Arbitrary<string>): fc.Arbitrary<Probe> =>
    body.map((one) => ({ place: `MCP ${place}`, method: 'POST', target: MCP, headers: PLAIN, body: one }));
  const good = fc.constantFrom(
    call(tools[0]?.name ?? '', '{}'),
    message('tools/list', '{}'),
    message('initialize', initialize({})),
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: posted(
        'argument',
        fc.tuple(argument, scalar).map(([at, value]) => call(at.tool, object([[at.argument, value]]))),
      ),
    },
    {
      weight: 3,
      arbitrary: posted(
        'argument name',
        fc
          .tuple(tool, fc.array(short, { minLength: 1, maxLength: 3 }))
          .map(([{ name }, names]) => call(name, object(names.map((one) => [one, '1'])))),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        'many argument names',
        fc
          .tuple(tool, short, fc.integer({ min: 2, max: 2_000 }))
          .map(([{ name }, one, count]) =>
            call(name, object(Array.from({ length: count }, (_, at) => [`${one.slice(0, 30)}${at}`, '1']))),
          ),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        'cursor',
        fc
          .tuple(tool, fc.constantFrom(...cursors), short)
          .map(([{ name }, one, more]) => call(name, object([['cursor', json(one + more)]]))),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        'arguments',
        fc.tuple(tool, scalar).map(([{ name }, value]) => call(name, value)),
      ),
    },
    {
      weight: 2,
      arbitrary: posted(
        'tool name',
        short.map((one) => call(one, '{}')),
      ),
    },
    {
      weight: 2,
      arbitrary: posted(
        'id',
        fc.tuple(fc.constantFrom(...METHODS), scalar).map(([one, id]) => message(one, '{}', id)),
      ),
    },
    {
      weight: 2,
      arbitrary: posted(
        'method',
        short.map((one) => message(one, '{}')),
      ),
    },
    {
      weight: 2,
      arbitrary: posted(
        'params',
        fc.tuple(fc.constantFrom(...METHODS), scalar).map(([one, params]) => message(one, params)),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        'version',
        scalar.map((one) => message('ping', '{}', '1', one)),
      ),
    },
    {
      weight: 2,
      arbitrary: posted(
        'initialize',
        fc
          .tuple(fc.constantFrom('protocolVersion', 'capabilities', 'clientInfo', '_meta', 'none'), scalar)
          .map(([member, value]) => message('initialize', initialize({ [member]: value }))),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        '_meta',
        fc
          .tuple(short, scalar)
          .map(([name, value]) => message('tools/list', object([['_meta', object([[name, value]])]]))),
      ),
    },
    {
      weight: 1,
      arbitrary: posted(
        'member',
        fc.tuple(short, scalar).map(([name, value]) => object([[name, value]])),
      ),
    },
    { weight: 1, arbitrary: posted('body', fc.oneof(scalar, short, fc.constantFrom('', '[]', '[{}]', '\ufeff{}'))) },
    {
      weight: 2,
      arbitrary: posted(
        'bytes',
        fc.tuple(good, fc.nat(), short).map(([one, at, junk]) => {
          const cut = at % one.length;
          return one.slice(0, cut) + junk + one.slice(cut + (at % 3));
        }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(good, fc.constantFrom(...HEADERS), text)
        .map(([body, name, value]) => ({
          place: `MCP header ${name}`,
          method: 'POST',
          target: MCP,
          body,
          headers: { ...PLAIN, [name]: ascii(value) },
        })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'HEAD'), text)
        .map(([method, value]) => ({
          place: 'MCP method',
          method,
          target: MCP,
          headers: { 'mcp-session-id': ascii(value) },
        })),
    },
  );
}

/** The parameters of a handshake, with some of them replaced by this JSON. */
function initialize(given: Readonly<Record<string, string>>): string {
  const ordinary = {
    protocolVersion: json(VERSIONS[0]),
    capabilities: '{}',
    clientInfo: '{"name":"probe","version":"1"}',
  };
  return object(Object.entries({ ...ordinary, ...given }));
}

const ascii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 20_000);

/** Nested arrays and objects, deeper than any call stack allows. */
function nested(): fc.Arbitrary<string> {
  const depth = fc.constantFrom(2, 8, 31, 33, 100, 1_000, 12_000);
  return fc
    .tuple(depth, fc.boolean())
    .map(([levels, list]) =>
      list ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
    );
}
