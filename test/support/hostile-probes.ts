import fc from 'fast-check';
import type { Documented } from '../contract/document.js';
import { mcpProbes, type ToolForm } from './hostile-messages.js';
import { bracketed, HOSTILE_ENCODINGS, HOSTILE_GROUPS, HOSTILE_TEXTS, percentEncoded } from './hostile-texts.js';

/** One request with a hostile text in one place. */
export interface Probe {
  /** The place of the text. */
  readonly place: string;
  readonly method: string;
  /** As sent, including its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes (latin1) to send instead of all the above, with the key in place of `{key}`. */
  readonly bytes?: string;
}

/** The content of a service, so that a part of the requests names existing items. */
export interface Terrain {
  readonly operations: readonly Documented[];
  /** Segments of existing items, by documented path. */
  readonly segments: ReadonlyMap<string, readonly string[]>;
  readonly cursors: readonly string[];
  readonly tools: readonly ToolForm[];
}

const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'if-none-match',
  'if-modified-since',
  'x-request-id',
  'origin',
  'host',
  'content-type',
  'cookie',
  'x-forwarded-for',
  'forwarded',
  'traceparent',
  'range',
  'x-api-key',
  'expect',
  'user-agent',
  'referer',
  'x-http-method-override',
  'content-language',
];
const LISTED = ['accept', 'accept-encoding', 'if-none-match', 'x-forwarded-for', 'cookie'];
const METHODS = ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const OTHER_PATHS = ['/', '/docs/', '/docs/errors/', '/health/', '/api/', '/api/v1', '/api/v2/', '/.well-known/'];

const template = fc.constantFrom(...HOSTILE_GROUPS.templates).map(bracketed);
export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  // Few among the texts, and they matter wherever a name is looked up.
  { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_GROUPS.members) },
  { weight: 2, arbitrary: template },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.tuple(template, fc.constantFrom(...HOSTILE_TEXTS)).map((two) => two.join('')) },
);
const encoded = fc.oneof(
  { weight: 5, arbitrary: hostileText.map(percentEncoded) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...HOSTILE_ENCODINGS), { minLength: 1, maxLength: 3 })
      .map((some) => some.join('')),
  },
);

/** The UTF-8 bytes of a text, each as one character. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
/** Values of a header that Node's own client sends; the test sends others as bytes. */
const headerValue = (text: string): string =>
  latin1(text)
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 20_000);

const get = (place: string, target: string, headers: Readonly<Record<string, string>> = {}): Probe => ({
  place,
  method: 'GET',
  target,
  headers,
});

/** Requests over HTTP, and messages for MCP. */
export function probes(terrain: Terrain): fc.Arbitrary<Probe> {
  return fc.oneof(
    { weight: 12, arbitrary: httpProbes(terrain) },
    { weight: 2, arbitrary: byteProbes() },
    { weight: 8, arbitrary: mcpProbes(terrain.tools, terrain.cursors, hostileText) },
  );
}

function httpProbes({ operations, segments, cursors }: Terrain): fc.Arbitrary<Probe> {
  const operation = fc.constantFrom(...operations);
  const asked = operation.chain(({ path, operation: { parameters } }) => {
    const known = segments.get(path) ?? [];
    const segment = known.length === 0 ? encoded : fc.constantFrom(...known);
    const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
    const filled = segment.map((one) => path.replace(/\{\w+\}/, () => one));
    return fc.record({ path: filled, name: fc.constantFrom('locale', ...names) });
  });
  const query = (place: string, tail: (name: string) => fc.Arbitrary<string>): fc.Arbitrary<Probe> =>
    asked.chain(({ path, name }) => tail(name).map((text) => get(place, `${path}?${text}`)));
  const cursor = fc.oneof(
    fc.constantFrom(...cursors),
    fc.tuple(fc.constantFrom(...cursors), fc.nat(), encoded).map(([one, at, text]) => {
      const cut = at % (one.length + 1);
      return one.slice(0, cut) + text + one.slice(cut + (at % 3));
    }),
  );
  const cursorNamed = operations.filter(({ operation: { parameters } }) =>
    parameters.some(({ name }) => name === 'cursor'),
  );
  const paths = operations.filter(({ path }) => path.includes('{'));
  const header = fc.tuple(fc.constantFrom(...HEADERS), hostileText).map(([name, text]) => ({ name, text }));
  return fc.oneof(
    { weight: 6, arbitrary: query('value', (name) => encoded.map((text) => `${name}=${text}`)) },
    { weight: 3, arbitrary: query('name', () => encoded.map((text) => `${text}=1`)) },
    {
      weight: 1,
      arbitrary: query('repeated', (name) =>
        fc.array(encoded, { minLength: 2, maxLength: 4 }).map((all) => all.map((one) => `${name}=${one}`).join('&')),
      ),
    },
    {
      weight: 1,
      arbitrary: query('many names', () =>
        fc
          .tuple(encoded, fc.integer({ min: 2, max: 400 }))
          .map(([text, count]) => Array.from({ length: count }, (_, at) => `${text}${at}=1`).join('&')),
      ),
    },
    { weight: 1, arbitrary: query('query', () => encoded) },
    { weight: 2, arbitrary: pageProbes(segments) },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...paths), encoded).map(([{ path }, text]) =>
        get(
          'segment',
          path.replace(/\{\w+\}/, () => text),
        ),
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...OTHER_PATHS), encoded)
        .map(([path, text]) => get('path', `${path}${text}`)),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...cursorNamed), cursor)
        .map(([{ path }, text]) =>
          get(
            'cursor',
            `${path.replace(/\{\w+\}/, 'inflation')}?cursor=${text}${path.endsWith('/search') ? '&q=gdp' : ''}`,
          ),
        ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(asked, header)
        .map(([{ path }, { name, text }]) => get(`header ${name}`, path, { [name]: headerValue(text) })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(asked, fc.constantFrom(...LISTED), hostileText, fc.integer({ min: 2, max: 500 }))
        .map(([{ path }, name, text, count]) =>
          get(`header ${name}`, path, {
            [name]: Array<string>(count)
              .fill(headerValue(text.slice(0, 20)))
              .join(', '),
          }),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(asked, fc.constantFrom('Bearer ', 'Basic ', 'bearer tm_', ''), hostileText)
        .map(([{ path }, scheme, text]) =>
          get('header authorization', path, { authorization: headerValue(scheme + text) }),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(asked, fc.constantFrom(...METHODS), encoded)
        .map(([{ path, name }, method, text]) => ({ ...get('method', `${path}?${name}=${text}`), method })),
    },
  );
}

/** Pages with figures of existing series and instruments, in each language, with a hostile region or day. */
function pageProbes(segments: Terrain['segments']): fc.Arbitrary<Probe> {
  const known = (path: string): fc.Arbitrary<string> => fc.constantFrom(...(segments.get(path) ?? []), 'constructor');
  const region = fc.oneof(fc.constantFrom('JP', 'DE', 'US', 'FI', 'WLD'), encoded);
  const place = fc.oneof(
    fc.tuple(known('/api/v1/macro/{indicator}'), region).map((both) => `/macro/${both.join('/')}`),
    known('/api/v1/markets/{key}').map((key) => `/markets/${key}`),
    known('/api/v1/changes/{id}').map((id) => `/changes/${id}`),
  );
  const query = fc.oneof(
    fc.constantFrom('', 'locale=zh', 'locale=ja'),
    fc.tuple(fc.constantFrom('locale', 'asOf', 'cursor'), encoded).map((pair) => pair.join('=')),
  );
  return fc.tuple(place, query).map((both) => get('page', both.join('?')));
}

/** Requests that Node's own client does not send: odd request lines, targets and headers. */
function byteProbes(): fc.Arbitrary<Probe> {
  const text = hostileText.map((one) => latin1(one).slice(0, 9_000));
  const path = fc.constantFrom('/api/v1/changes?limit=1', '/api/v1/topics', '/api/v1/macro/board');
  const head = (line: string, more = ''): string =>
    `${line}\r\nHost: x\r\nAuthorization: Bearer {key}\r\n${more}Connection: close\r\n\r\n`;
  const form = (place: string, made: (text: string, path: string) => string): fc.Arbitrary<Probe> =>
    fc.tuple(text, path).map(([one, at]) => ({ place, method: 'GET', target: at, headers: {}, bytes: made(one, at) }));
  return fc.oneof(
    form('absolute-form authority', (one, at) => head(`GET http://${one}${at} HTTP/1.1`)),
    form('absolute-form user', (one, at) => head(`GET http://${one}@x${at} HTTP/1.1`)),
    form('absolute-form port', (one, at) => head(`GET http://x:${one}${at} HTTP/1.1`)),
    form('absolute-form scheme', (one, at) => head(`GET ${one}://x${at} HTTP/1.1`)),
    form('absolute-form, no authority', (_, at) => head(`GET http://${at} HTTP/1.1`)),
    form('request method', (one, at) => head(`${one} ${at} HTTP/1.1`)),
    form('request target', (one) => head(`GET ${one} HTTP/1.1`)),
    form('target, not encoded', (one, at) => head(`GET ${at}${one} HTTP/1.1`)),
    form('request version', (one, at) => head(`GET ${at} ${one}`)),
    form('CONNECT target', (one) => head(`CONNECT ${one} HTTP/1.1`)),
    form('asterisk-form', () => head('OPTIONS * HTTP/1.1')),
    form('header name', (one, at) => head(`GET ${at} HTTP/1.1`, `${one}: 1\r\n`)),
    form('header value, as it is', (one, at) => head(`GET ${at} HTTP/1.1`, `X-Request-Id: ${one}\r\n`)),
    form('header accept, as it is', (one, at) => head(`GET ${at} HTTP/1.1`, `Accept: ${one}\r\n`)),
    form(
      'host, as it is',
      (one, at) => `GET ${at} HTTP/1.1\r\nHost: ${one}\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n`,
    ),
    form('folded header', (one, at) => head(`GET ${at} HTTP/1.1`, `X-A: 1\r\n ${one}\r\n`)),
    form('no header', (_, at) => `GET ${at} HTTP/1.0\r\n\r\n`),
  );
}
