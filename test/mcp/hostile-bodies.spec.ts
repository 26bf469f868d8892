// runs: in full only
import fc from 'fast-check';
import { TOOLS } from '../../src/assistants/tools/tools.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { HOSTILE_TEXTS } from '../support/hostile-texts.js';
import { exhaustively } from '../support/exhaustive.js';
import { insideOf } from '../support/inside.mjs';
import { startTestServer, type TestServer } from '../support/server.js';
import { INITIALIZE, MCP, post, rpc, toolCall } from './rpc.js';

/**
 * The full form sends 5,000 bodies, with another seed each time: `TIDEMARK_PROPERTY_RUNS=5000
 * TIDEMARK_PROPERTY_SEED=random npx jest test/mcp/hostile-bodies`.
 */
const BODIES = Number(process.env['TIDEMARK_PROPERTY_RUNS'] ?? exhaustively(500, 200));
const BATCH = 10;
/** Free calls are limited per account: with this many accounts in turn, no account reaches its limit. */
const ACCOUNTS = Math.ceil(BODIES / 40);
/** Statuses that a body may cause; none of them is an internal error. */
const STATUSES = [200, 202, 400, 404, 406, 413, 415];

const NAMES = [...TOOLS.map(({ definition }) => definition.name), 'none', '__proto__', 'constructor', ''];
const METHODS = ['tools/call', 'tools/list', 'ping', 'initialize', 'resources/read', 'x'];
const ARGUMENTS = ['limit', 'cursor', 'query', 'id', 'slug', 'country', 'since', 'from', 'days', 'locale', '__proto__'];
const HOSTILE = [...HOSTILE_TEXTS, 'chg_none', 'inflation', 'JP'];

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.constantFrom(0, -1, 1e308, 1.5, 2 ** 53, null, true) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const args = fc.dictionary(fc.constantFrom(...ARGUMENTS), value, { maxKeys: 4 });
const call = fc.tuple(fc.constantFrom(...NAMES), args).map(([name, given]) => toolCall(name, given));
const message = fc.record(
  { jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2), id: value, method: fc.constantFrom(...METHODS), params: value },
  { requiredKeys: [] },
);
const document = fc
  .tuple(fc.constantFrom('topics', 'countries', 'indicators', 'changes', 'companies', '__proto__'), value)
  .map(([kind, key]) => rpc('resources/read', { uri: `tidemark://${kind}/${JSON.stringify(key)}` }));
const nested = fc.integer({ min: 10, max: 20_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth));
const deepCall = nested.map((deep) => JSON.stringify(toolCall('latest_changes', { query: '?' })).replace('"?"', deep));
/** A member with this name is just a member, and does not change the prototype. */
const polluting = fc.constantFrom(
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"isAdmin":true}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"latest_changes","arguments":{"__proto__":{"limit":1}}}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
);
const bytes = fc
  .tuple(fc.constantFrom(INITIALIZE, rpc('ping'), toolCall('latest_brief')), fc.nat(), fc.string())
  .map(([good, at, junk]) => {
    const text = JSON.stringify(good);
    const cut = at % text.length;
    return text.slice(0, cut) + junk + text.slice(cut + (at % 3));
  });
const body = fc.oneof(
  { weight: 5, arbitrary: call.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: message.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: document.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: bytes },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: deepCall },
  { weight: 1, arbitrary: polluting },
);

jest.setTimeout(20 * 60_000);

describe('A random body to the MCP endpoint', () => {
  const keys: string[] = [];
  let database: TestDatabase;
  let service: TestServer;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    while (keys.length < ACCOUNTS) keys.push(await service.key());
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  it('gets a response without an internal error, which reveals nothing internal', async () => {
    const statuses = new Map<number, number>();
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
        const judged = await Promise.all(
          batch.map(async (posted) => {
            const key = keys[(asked += 1) % ACCOUNTS] ?? '';
            const answer = await post(service.url, posted, { key });
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            return { posted: posted.slice(0, 500), answer: answer.status, faults: faultsOf(posted, answer) };
          }),
        );
        expect(judged.filter(({ faults }) => faults.length > 0)).toEqual([]);
      }),
      { numRuns: Math.ceil(BODIES / BATCH) },
    );
    expect(Object.getPrototypeOf({}) === Object.prototype && !('isAdmin' in {})).toBe(true);
    for (const status of [200, 400]) expect(statuses.get(status) ?? 0).toBeGreaterThan(BODIES / 20);
    expect(service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    const key = await service.key();
    // The endpoint still serves correct requests.
    expect((await post(service.url, rpc('tools/list'), { key })).body.result).toBeDefined();
    expect((await service.get(MCP, key)).status).toBe(405);
  });

  function faultsOf(posted: string, { status, body: answer }: Awaited<ReturnType<typeof post>>): string[] {
    const text = JSON.stringify(answer);
    const inside = insideOf(text, posted);
    const { error, result } = answer;
    const empty = status === 202;
    return [
      ...(STATUSES.includes(status) ? [] : [`answered ${status}: ${text.slice(0, 300)}`]),
      ...(inside === null ? [] : [`gives the inside away: ${inside}`]),
      ...(empty || (error === undefined) !== (result === undefined) ? [] : ['is neither a result nor an error']),
      ...(error === undefined || Number.isInteger(error.code) ? [] : ['has an error without a code']),
    ];
  }
});
