// runs: in full only
import { MeasuredServer, MOST_CPU_MS } from '../support/event-loop-cost.js';
import { exchange, type Sent } from '../support/exchange.js';
import { everyNth } from '../support/exhaustive.js';

const names = (count: number, name: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${name(at)}=1`).join('&');
const list = (member: string, length = 15_000): string => member.repeat(length / member.length);
const tool = (args: unknown): Sent => ({
  method: 'POST',
  payload: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'latest_changes', arguments: args },
  }),
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
});
const members = (count: number, name: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 1]));

/** The request may differ from try to try, so that no try gets a cached response. */
type Ask = (turn: number) => { readonly path: string; readonly sent?: Sent };
const query =
  (text: string, path = '/api/v1/changes'): Ask =>
  (turn) => ({ path: `${path}?${text}&t${String(turn)}=1` });
const header =
  (name: string, value: string): Ask =>
  (turn) => ({ path: `/api/v1/topics?locale=ja`, sent: { headers: { [name]: value + String(turn) } } });
const search =
  (q: string): Ask =>
  (turn) => ({ path: `/api/v1/search?q=${encodeURIComponent(q)}${String(turn)}` });

const HOSTILE: Readonly<Record<string, Ask>> = {
  '1,900 unknown parameters': query(names(1_900, (at) => at.toString(36).padStart(3, '0'))),
  '1,900 unknown parameters in Japanese': query(`locale=ja&${names(1_900, (at) => at.toString(36))}`),
  'parameters that are templates': query(names(500, (at) => `$t(mcp.${String(at)})`)),
  '60 parameters of 100 letters': query(names(60, (at) => `${String(at)}${'coverag'.repeat(14)}`)),
  'a parameter of 8,000 letters': query('country'.repeat(1_140)),
  'one parameter 2,000 times': query(names(2_000, () => 'q')),
  'known parameters again and again': query(names(160, (at) => ['country', 'coverage', 'topic'][at % 3] ?? '')),
  'nothing but separators': query('&'.repeat(8_000)),
  'nothing but equals signs': query('='.repeat(8_000)),
  escapes: query(`q=${'%25'.repeat(2_600)}`),
  'escapes that are none': query(`q=${'%'.repeat(8_000)}`),
  'nested names': query(`a${'[a]'.repeat(2_600)}=1`),
  'a long value': query(`country=${'x'.repeat(8_000)}`),
  'a long instant': query(`since=${'9'.repeat(8_000)}`),
  'a path of 4,000 segments': (turn) => ({ path: `/api/v1${'/a'.repeat(4_000)}${String(turn)}` }),
  'a path of 8,000 letters': (turn) => ({ path: `/api/v1/topics/${'a'.repeat(8_000)}${String(turn)}` }),
  'a path of escapes': (turn) => ({ path: `/api/v1/topics/${'%2f'.repeat(2_600)}${String(turn)}` }),
  'a search of 200 letters': search('inflation '.repeat(19)),
  'a search of 200 characters': search('物价通胀'.repeat(45)),
  'a search of marks': search('a\u0301'.repeat(99)),
  'a search of 8,000 letters': search('x'.repeat(7_000)),
  'a long Accept': header('accept', `${list('a/b;c="d,e";q=0.1,')}*/*;v=`),
  'an Accept of quotation marks': header('accept', list(';a="\\"')),
  'a long Accept-Encoding': header('accept-encoding', list('br;q=0.1,gzip;q=0.2,')),
  'a long If-None-Match': header('if-none-match', list('W/"abc", ')),
  'a long X-Forwarded-For': header('x-forwarded-for', list('1.2.3.4, ')),
  'a long Cookie': header('cookie', list('a=b; ')),
  'a tool call of 12,000 unknown arguments': () => ({
    path: '/api/v1/mcp',
    sent: tool(members(12_000, (at) => at.toString(36).padStart(3, '0'))),
  }),
  'a tool call of arguments that are templates': () => ({
    path: '/api/v1/mcp',
    sent: tool(members(4_000, (at) => `$t(mcp)$t(mcp)${String(at)}`)),
  }),
  'a tool call with a name of 90,000 letters': () => ({
    path: '/api/v1/mcp',
    sent: tool({ ['country'.repeat(13_000)]: 1 }),
  }),
  'a tool call with 20,000 values for one argument': () => ({
    path: '/api/v1/mcp',
    sent: tool({ country: Array.from({ length: 20_000 }, () => 1) }),
  }),
};

describe('The event loop', () => {
  let measured: MeasuredServer;

  beforeAll(async () => {
    measured = await MeasuredServer.start();
  });
  afterAll(() => measured.close());

  it.each(everyNth(Object.entries(HOSTILE), 4))('is not blocked by a request with %s', async (_what, ask) => {
    const least = await measured.cpuMsOf(async (key, turn) => {
      const { path, sent } = ask(turn);
      const { status } = await exchange(measured.url, path, { key, ...sent });
      expect(status).toBeLessThan(500);
    });
    expect(least).toBeLessThan(MOST_CPU_MS);
  });
});
