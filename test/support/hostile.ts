import fc from 'fast-check';
import type { Documented, Parameter } from '../contract/document.js';
import { HOSTILE_ENCODINGS, HOSTILE_TEXTS, percentEncoded } from './hostile-texts.js';

// Requests of good, careless and hostile clients, generated from the published document.

export interface Asked {
  readonly method: string;
  /** As sent, including its query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Text that some library interprets: templates, formats, markup, terminals, objects. */
export const TEMPLATE_SYNTAX: readonly string[] = [
  // nestjs-i18n: a nested message, one that is not a text, arguments that are not JSON, plurals.
  '$t(errors.not_found.title)',
  '$t(errors.not_found.title.length)',
  '$t(mcp)',
  '$t(a,FORGED ALERT)',
  '{}',
  '{0}',
  '{name}',
  '{parameter}',
  '{{name}}',
  '{{{name}}}',
  '{count, plural, one {x} other {y}}',
  // JavaScript's own: template literals, the patterns of `replace`, members of every object.
  '${name}',
  '$&',
  '$1',
  "$'",
  '$$',
  '$<name>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  // printf and similar formats of loggers.
  '%s',
  '%o',
  '%O',
  '%j',
  '%d',
  '%c',
  '%%',
  '%n',
  '%1$s',
  '%(name)s',
  // i18next, Ruby, EJS, Liquid, expression languages, shells.
  '$t(key, {"count": 1})',
  '{{- name, uppercase}}',
  '#{name}',
  '<%= name %>',
  '{% raw %}',
  '@{name}',
  '`id`',
  '${jndi:ldap://x}',
  '{{constructor.constructor("x")()}}',
  '$(id)',
  '!!js/function',
  '*{name}',
  '[[name]]',
  // Markdown, HTML, terminals, log lines.
  '[x](https://evil.example)',
  '![x](y)',
  '**x**',
  '# x',
  '<b>x</b>',
  '&lt;',
  '\u001b[31mred\u001b[0m',
  '\n{"level":"error"}',
  '\r\nlevel=error',
  '\u0007',
  '\u2028',
  '\u202e',
];
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['*/*', 'text/html', 'application/json;q=0', 'application/*', ';;;', 'x'.repeat(500)],
  'accept-encoding': ['br', 'gzip', 'identity', 'br;q=0, gzip;q=0', '*;q=0', 'zstd', ',,,'],
  'if-none-match': ['*', '"x"', 'W/"x"', 'x', '"'.repeat(100)],
  'accept-language': ['fr', 'zh-Hant', '*'],
  'x-request-id': ['abc', 'a b', '\u00ff\u00fe', 'x'.repeat(500), '{"a":1}'],
  'content-type': ['application/json', 'text/plain', 'x'],
  origin: ['https://evil.example', 'null'],
  'x-forwarded-for': ['1.2.3.4', 'x, y', '::1'],
  range: ['bytes=0-1'],
  cookie: ['a=b'],
  padding: ['x'.repeat(17_000)],
};
const METHODS = ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const encoded = fc.oneof(
  { weight: 4, arbitrary: text.map(percentEncoded) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom(...HOSTILE_ENCODINGS), { minLength: 1, maxLength: 3 })
      .map((raw) => raw.join('')),
  },
);

/** A value of the parameter according to its schema, if the schema is specific enough. */
function valid({ schema, example }: Parameter): fc.Arbitrary<string> {
  const { minimum, maximum } = schema;
  const known = [example, schema.default, ...(schema.enum ?? []), ...(schema.examples ?? [])]
    .filter((one) => one !== undefined)
    .map(String);
  if (known.length > 0 && minimum === undefined) return fc.constantFrom(...known);
  if (minimum !== undefined) return fc.integer({ min: minimum, max: maximum ?? minimum + 400 }).map(String);
  return fc.constantFrom('x', '2026-01-01', 'inflation');
}

/** A valid value with one mistake. */
const slipped = (value: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    value.toUpperCase(),
    value.toLowerCase(),
    `${value} `,
    ` ${value}`,
    `${value}x`,
    value.slice(1),
    '',
    `${value}\u200b`,
    value.replace('-', '\u2010'),
    `-${value}`,
    `${value}.0`,
    value.repeat(2),
    value.slice(0, -1),
  );

function value(parameter: Parameter): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: valid(parameter).map(encodeURIComponent) },
    { weight: 2, arbitrary: valid(parameter).chain(slipped).map(encodeURIComponent) },
    { weight: 2, arbitrary: encoded },
  );
}

/** Pairs of a query: some of the parameters, sometimes one twice, or an unknown one. */
function query(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = parameters.filter((one) => one.in === 'query');
  const required = known.filter((one) => one.required);
  const pair = (parameter: Parameter) => value(parameter).map((one) => `${parameter.name}=${one}`);
  const some =
    known.length === 0 ? fc.constant<string[]>([]) : fc.array(fc.constantFrom(...known).chain(pair), { maxLength: 4 });
  const odd = fc.oneof(
    { weight: 9, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.tuple(encoded, encoded).map(([name, one]) => `${name}=${one}`) },
    { weight: 1, arbitrary: encoded },
  );
  return fc
    .tuple(fc.tuple(...required.map(pair)), some.map(once), odd)
    .map(([must, may, other]) => [...must, ...may, other].filter((one) => one !== '').join('&'));
}

/** Mostly once each: the service refuses a repeated parameter before any other check. */
function once(pairs: readonly string[]): string[] {
  const names = pairs.map((pair) => pair.split('=', 1)[0]);
  return pairs.length % 4 === 3 ? [...pairs] : pairs.filter((_, at) => names.indexOf(names[at]) === at);
}

const headers = fc.oneof(
  { weight: 16, arbitrary: fc.constant<Record<string, string>>({}) },
  // A client with a cached response; frequent enough that every run has a 304.
  { weight: 1, arbitrary: fc.constant<Record<string, string>>({ 'if-none-match': '*' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...Object.keys(HEADERS))
      .chain((name) =>
        fc.constantFrom(...(HEADERS[name] ?? [''])).map((one): Record<string, string> => ({ [name]: one })),
      ),
  },
);
const method = fc.oneof(
  { weight: 15, arbitrary: fc.constant('GET') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
);

/** Mostly an existing one. */
function segment(place: Parameter, known: readonly string[]): fc.Arbitrary<string> {
  const any = { weight: 2, arbitrary: value(place) };
  return known.length === 0
    ? fc.oneof(any)
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known).map(encodeURIComponent) }, any);
}

/** @param segments identify existing items of the database, by path */
export function requests(
  operations: readonly Documented[],
  segments: (path: string) => readonly string[],
): fc.Arbitrary<Asked> {
  const ofOperation = fc.constantFrom(...operations).chain(({ path, operation }) => {
    const places = operation.parameters.filter((one) => one.in === 'path');
    const [place] = places;
    const filled =
      place === undefined
        ? fc.constant(path)
        : segment(place, segments(path)).map((one) => path.replace(/\{\w+\}/, () => one));
    return fc
      .tuple(filled, query(operation.parameters), method, headers)
      .map(([at, asked, verb, sent]): Asked => ({
        method: verb,
        target: asked === '' ? at : `${at}?${asked}`,
        headers: sent,
      }));
  });
  const ofNothing = fc
    .tuple(fc.array(encoded, { maxLength: 3 }), encoded, method, headers)
    .map(([parts, asked, verb, sent]): Asked => ({
      method: verb,
      target: `/api/v1/${parts.join('/')}?${asked}`,
      headers: sent,
    }));
  return fc.oneof({ weight: 20, arbitrary: ofOperation }, { weight: 1, arbitrary: ofNothing });
}
