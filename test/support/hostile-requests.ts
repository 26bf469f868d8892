import type { Probe } from './hostile-probes.js';

// Requests that try to be expensive, each as large as the limits of URLs (8,192 bytes), headers (16 kB) and bodies (100
// kB) allow.

export interface ExpensiveRequest extends Probe {
  /** Why it is expensive, as the title of a test. Each repetition replaces `{turn}` by another number. */
  readonly title: string;
}

const TARGET_BYTES = 8_150;
const HEADER_BYTES = 15_000;
const BODY_BYTES = 99_000;

/** As many different pieces as fit. */
function filled(bytes: number, piece: (at: number) => string, separator = ''): string {
  const pieces: string[] = [];
  for (let [at, left] = [0, bytes]; ; at += 1) {
    const next = piece(at);
    left -= next.length + separator.length;
    if (left < 0) return pieces.join(separator);
    pieces.push(next);
  }
}

const get = (title: string, target: string, headers: Readonly<Record<string, string>> = {}): ExpensiveRequest => ({
  title,
  place: 'expensive',
  method: 'GET',
  target,
  headers,
});
const query = (title: string, path: string, piece: (at: number) => string): ExpensiveRequest =>
  get(title, `${path}?${filled(TARGET_BYTES - path.length, piece, '&')}`);
const header = (title: string, name: string, piece: (at: number) => string, separator = ','): ExpensiveRequest =>
  get(title, '/api/v1/topics', { [name]: filled(HEADER_BYTES, piece, separator) });
const post = (title: string, body: string): ExpensiveRequest => ({
  title,
  place: 'expensive',
  method: 'POST',
  target: '/api/v1/mcp',
  body,
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
});

const short = (at: number): string => at.toString(36);
const rpc = (method: string, params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const call = (title: string, tool: string, args: string): ExpensiveRequest =>
  post(title, rpc('tools/call', `{"name":"${tool}","arguments":${args}}`));
/** Arguments with as many members as fit. */
const members = (member: (at: number) => string): string => `{${filled(BODY_BYTES - 200, member, ',')}}`;
const lists = (bytes = BODY_BYTES - 300): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
const objects = (bytes = BODY_BYTES - 300): string => '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6);

const NAMES: readonly ExpensiveRequest[] = [
  query('unknown parameters, 1,900 of them', '/api/v1/changes', short),
  query('unknown parameters in Japanese', '/api/v1/changes?locale=ja&x=1', (at) => `${short(at)}=1`),
  query('unknown parameters near to a known one', '/api/v1/changes', (at) => `limi${short(at)}=1`),
  query('unknown parameters that are templates', '/api/v1/changes', (at) => `$t(mcp)${short(at)}`),
  query('one template in a name, as long as fits', '/api/v1/topics', (at) => (at === 0 ? '$t('.repeat(2_700) : '')),
  query('one unknown parameter again and again', '/api/v1/changes', () => 'x'),
  query('a known parameter again and again', '/api/v1/changes', () => 'limit=1'),
  query('parameters with brackets', '/api/v1/changes', (at) => `limit[${short(at)}]=1`),
  query('empty pairs', '/api/v1/changes', () => ''),
  get('one name of 8,000 characters', `/api/v1/changes?${'limit'.repeat(1_600)}=1`),
  get('8,000 characters of percent-encoding', `/api/v1/changes?${'%E7%89%A9'.repeat(900)}=1`),
  get('broken percent-encoding', `/api/v1/changes?q=${'%ff%'.repeat(2_000)}`),
];

const VALUES: readonly ExpensiveRequest[] = [
  get('a search of 200 characters, each a word', `/api/v1/search?q={turn}${'a+'.repeat(95)}`),
  get(
    'a search of 200 Han characters',
    `/api/v1/search?q={turn}${encodeURIComponent('物价通胀国债利率失业'.repeat(19))}`,
  ),
  get(
    'a search of the commonest words',
    '/api/v1/search?q={turn}the+of+in+and+inc+ag+gmbh+co+ltd+bank+index+rate+price',
  ),
  get('a search of one letter', '/api/v1/search?q={turn}a&limit=100'),
  get('a search that grows as it is normalized', `/api/v1/search?q={turn}${encodeURIComponent('ﷺ'.repeat(10))}`),
  get(
    'a search of letters with many marks',
    `/api/v1/search?q={turn}${encodeURIComponent(`a${'\u0301'.repeat(190)}`)}`,
  ),
  get('a search for which patterns backtrack', `/api/v1/search?q={turn}${'a'.repeat(190)}!`),
  get('a search of misspelt words', '/api/v1/search?q={turn}inflatoin+unemplyoment+goverment+recieve+morgage+comodity'),
  get('a search of wildcards', `/api/v1/search?q={turn}${'%25_'.repeat(60)}`),
  get('changes of 200 characters, each a word', `/api/v1/changes?q={turn}${'a+'.repeat(95)}`),
  get('companies of misspelt words', '/api/v1/companies?q={turn}microsft+corpration+holdng+intrnational'),
  get('a cursor of 8,000 characters', `/api/v1/changes?cursor=${'A'.repeat(8_000)}`),
  get('2,700 regions', `/api/v1/macro/inflation?region=${'JP,'.repeat(2_700)}`),
  get('2,700 unknown kinds', `/api/v1/changes?kind=${filled(8_000, short, ',')}`),
  get('a limit of 8,000 digits', `/api/v1/changes?limit=${'9'.repeat(8_000)}`),
  get('a day of 8,000 characters', `/api/v1/changes?since=${'2026-01-01T'.repeat(700)}`),
  get('spaces, 8,000 of them', `/api/v1/search?q={turn}${'+'.repeat(8_000)}`),
];

const PATHS: readonly ExpensiveRequest[] = [
  get('a path of 8,000 slashes', '/'.repeat(8_000)),
  get('a path of 8,000 slashes below the API', `/api/v1/changes${'/'.repeat(8_000)}`),
  get('a path of 2,700 steps up', `/api/v1/${'../'.repeat(2_700)}`),
  get('a segment of 8,000 characters', `/api/v1/topics/${'inflation-'.repeat(800)}`),
  get('a segment of percent-encoding', `/api/v1/topics/${'%F0%9F%98%80'.repeat(650)}`),
  get('a segment near to many names', `/api/v1/companies/${'microsoft-'.repeat(6)}`),
  get('a date of 8,000 digits', `/api/v1/briefs/${'2026-'.repeat(1_600)}`),
  get('an address under /docs of 8,000 characters', `/docs/${'a/'.repeat(4_000)}`),
];

const HEADERS: readonly ExpensiveRequest[] = [
  header('media ranges in Accept, 2,500 of them', 'accept', (at) => `a/${short(at)}`),
  header('media ranges with parameters', 'accept', (at) => `a/b;x="${short(at)}";q=0.${at % 10}`),
  header('an Accept of nothing but signs', 'accept', () => ';q=;,', ''),
  header('tags in If-None-Match', 'if-none-match', (at) => `"${short(at)}"`),
  header('an If-None-Match of quotation marks', 'if-none-match', () => '"', ''),
  header('codings in Accept-Encoding', 'accept-encoding', (at) => `${short(at)};q=0.1`),
  header('languages in Accept-Language', 'accept-language', (at) => `a-${short(at)}`),
  header('hops in X-Forwarded-For', 'x-forwarded-for', (at) => `1.2.${at % 256}.1`),
  header('hops in Forwarded', 'forwarded', () => 'for="[::1]"'),
  header('cookies', 'cookie', (at) => `${short(at)}=1`, '; '),
  header('a request id of 15,000 characters', 'x-request-id', () => 'x', ''),
  header('a trace state', 'tracestate', (at) => `${short(at)}=1`),
  header('an Authorization of spaces', 'authorization', () => ' ', ''),
  header('an Authorization of 15,000 characters', 'authorization', (at) => (at === 0 ? 'Bearer tm_' : 'a'), ''),
  header('ranges', 'range', (at) => `${at}-${at}`),
  get(
    'as many headers as fit',
    '/api/v1/topics',
    Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${short(at)}`, '1'])),
  ),
];

const MESSAGES: readonly ExpensiveRequest[] = [
  call(
    'unknown arguments, 12,000 of them',
    'latest_changes',
    members((at) => `"${short(at)}":1`),
  ),
  call(
    'unknown arguments near to a known one',
    'latest_changes',
    members((at) => `"countr${short(at)}":1`),
  ),
  call(
    'unknown arguments that are templates',
    'latest_changes',
    members((at) => `"$t(mcp)$t(mcp)${short(at)}":1`),
  ),
  call('one unknown argument of 98,000 characters', 'latest_changes', `{"${'country'.repeat(14_000)}":1}`),
  call(
    'an argument named again and again',
    'latest_changes',
    members(() => '"limit":1'),
  ),
  call('a query of 98,000 characters', 'latest_changes', `{"query":"${'a '.repeat(49_000)}"}`),
  call('a query of 32,000 Han characters', 'latest_changes', `{"query":"${'价'.repeat(32_000)}"}`),
  call('a query of marks', 'latest_changes', `{"query":"${'\u0301'.repeat(48_000)}"}`),
  call('a query of 200 words', 'latest_changes', `{"query":"${'a '.repeat(100)}"}`),
  call('an unclear company', 'company', `{"query":"${'international holding bank group '.repeat(6)}"}`),
  call('a company of 98,000 characters', 'company', `{"query":"${'microsoft '.repeat(9_800)}"}`),
  call('an id of 98,000 characters', 'get_change', `{"id":"chg_${'a'.repeat(98_000)}"}`),
  call('a country of 98,000 characters', 'country_heat', `{"country":"${'JP,'.repeat(32_000)}"}`),
  call('a list of 24,000 countries', 'latest_changes', `{"country":[${filled(98_000, () => '"JP"', ',')}]}`),
  call('a cursor of 98,000 characters', 'latest_changes', `{"cursor":"${'A'.repeat(98_000)}"}`),
  call('a day of 98,000 characters', 'release_calendar', `{"from":"${'2026-01-01'.repeat(9_800)}"}`),
  call('arguments that are lists within lists', 'latest_changes', lists()),
  call('an argument of lists within lists', 'latest_changes', `{"query":${lists()}}`),
  call('an argument of objects within objects', 'latest_changes', `{"query":${objects()}}`),
  call('an argument of 49,000 numbers', 'latest_changes', `{"limit":[${filled(98_000, () => '1', ',')}]}`),
  post('a tool of 98,000 characters', rpc('tools/call', `{"name":"${'latest_changes'.repeat(7_000)}"}`)),
  post('a method of 98,000 characters', rpc('tools/list'.repeat(9_800), '{}')),
  post('an id of lists within lists', rpc('tools/list', '{}', lists())),
  post('an id of 98,000 characters', rpc('tools/list', '{}', `"${'1'.repeat(98_000)}"`)),
  post(
    'a handshake with deep capabilities',
    rpc(
      'initialize',
      `{"protocolVersion":"2025-11-25","capabilities":{"experimental":${objects()}},"clientInfo":{"name":"x","version":"1"}}`,
    ),
  ),
  post(
    'a handshake with many capabilities',
    rpc(
      'initialize',
      `{"protocolVersion":"2025-11-25","capabilities":{"experimental":${members((at) => `"${short(at)}":{}`)}},"clientInfo":{"name":"x","version":"1"}}`,
    ),
  ),
  post(
    'a handshake with wrong members',
    rpc(
      'initialize',
      members((at) => `"${short(at)}":1`),
    ),
  ),
  post('a batch of 2,000 messages', `[${filled(98_000, (at) => rpc('ping', '{}', String(at)), ',')}]`),
  post(
    'members beside the message',
    members((at) => `"${short(at)}":1`),
  ),
  post('lists within lists and no message', lists()),
  post('a number of 98,000 digits', rpc('ping', `{"a":${'9'.repeat(98_000)}}`)),
  post('a text of escapes', rpc('ping', `{"a":"${'\\u0041'.repeat(16_000)}"}`)),
  post('spaces, 98,000 of them', ' '.repeat(98_000)),
];

export const EXPENSIVE_REQUESTS: readonly ExpensiveRequest[] = [...[NAMES, VALUES, PATHS, HEADERS, MESSAGES].flat()];
