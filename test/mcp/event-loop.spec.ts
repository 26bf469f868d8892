// runs: in full only
import { MeasuredServer, MOST_CPU_MS } from '../support/event-loop-cost.js';
import { everyNth } from '../support/exhaustive.js';
import { INITIALIZE, post, rpc, toolCall } from './rpc.js';

const many = (count: number, name: (at: number) => string = (at) => at.toString(36)) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 1]));
const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + '1' + close.repeat(depth);
/** The message with raw JSON in the place of one of its values. */
const around = (message: unknown, json: string): string => JSON.stringify(message).replace('"HERE"', json);
const query = (text: string) => toolCall('latest_changes', { query: text });
const handshake = (members: object) => rpc('initialize', { ...(INITIALIZE.params as object), ...members });

const HOSTILE: Readonly<Record<string, unknown>> = {
  '12,000 unknown arguments': toolCall('latest_changes', many(12_000)),
  '990 unknown arguments': toolCall('latest_changes', many(990)),
  '64 unknown arguments of 1,400 letters': toolCall(
    'latest_changes',
    many(64, (at) => `${String(at)}${'coverag'.repeat(200)}`),
  ),
  'arguments that are templates': toolCall(
    'latest_changes',
    many(64, (at) => `$t(mcp)$t(mcp)${String(at)}`),
  ),
  'a tool named by 95,000 letters': toolCall('latest_changes'.repeat(6_800)),
  'a method of 95,000 letters': rpc('tools/call'.repeat(9_500)),
  'an id of 95,000 letters': { ...rpc('ping'), id: 'x'.repeat(95_000) },
  'a query of 95,000 letters': query('a'.repeat(95_000)),
  'a query of 30,000 combining marks': query('a\u0301'.repeat(30_000)),
  'a query of 30,000 control characters': query('\u202e'.repeat(30_000)),
  'a query of 199 words': query('ab '.repeat(66)),
  'a company of 95,000 letters': toolCall('company', { slug: 'a-'.repeat(47_000) }),
  'a cursor of 95,000 letters': toolCall('latest_changes', { cursor: 'A'.repeat(95_000) }),
  'an instant of 95,000 digits': toolCall('latest_changes', { since: '9'.repeat(95_000) }),
  'a country of 40,000 commas': toolCall('latest_changes', { country: ','.repeat(40_000) }),
  'a list of 45,000 items': around(toolCall('latest_changes', { country: 'HERE' }), `[${'1,'.repeat(45_000)}1]`),
  'an id of 48,000 brackets': around({ ...rpc('ping'), id: 'HERE' }, deep('[', ']', 48_000)),
  'params of 16,000 objects in each other': around(rpc('ping', 'HERE'), deep('{"a":', '}', 16_000)),
  'arguments of 48,000 brackets': around(query('HERE'), deep('[', ']', 48_000)),
  'capabilities of 16,000 levels': around(handshake({ capabilities: 'HERE' }), deep('{"a":', '}', 16_000)),
  'a client of 95,000 letters': handshake({ clientInfo: { name: 'x'.repeat(95_000), version: '1' } }),
  'brackets that nothing closes': '['.repeat(99_000),
  'escapes of one letter': around(query('HERE'), `"${'\\u0061'.repeat(16_000)}"`),
  'a number of 95,000 digits': around(toolCall('latest_changes', { limit: 'HERE' }), '9'.repeat(95_000)),
};

describe('The event loop', () => {
  let measured: MeasuredServer;

  beforeAll(async () => {
    measured = await MeasuredServer.start();
  });
  afterAll(() => measured.close());

  it.each(everyNth(Object.entries(HOSTILE), 4))('is not blocked by a message with %s', async (_what, message) => {
    const least = await measured.cpuMsOf(async (key) => {
      const { status, body } = await post(measured.url, message, { key });
      expect(status).toBeLessThan(500);
      expect(JSON.stringify(body).length).toBeLessThan(100_000);
    });
    expect(least).toBeLessThan(MOST_CPU_MS);
  });
});
