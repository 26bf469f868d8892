// Texts that break careless code, by what they break. The tests try each of them wherever a caller, a registrant or a
// file can send text. Invisible characters are written as escapes.

import { lines, long, prompts, unicode } from './hostile-lines.js';

/** Template syntaxes: the service must never interpret a caller's text as a template. */
const templates = [
  // nestjs-i18n: nesting, with and without arguments, and a key that is no text.
  '$t(errors.not_found.title)',
  '$t(errors.not_found.title, {"a":1})',
  '$t(errors.not_found.title.length)',
  '$t(errors.internal_error.title,FORGED)',
  '$t($t(errors.not_found.title))',
  '$t()',
  '$t(',
  '$t(mcp)',
  // string-format, ICU, Fluent and Intl messages.
  '{}',
  '{0}',
  '{name}',
  '{name!upper}',
  '{0.constructor.name}',
  '{{x}}',
  '{{{x}}}',
  '{{#each x}}{{/each}}',
  '{n, plural, one {# thing} other {# things}}',
  "'{'x'}'",
  '{x, select, other {y}}',
  '{ $x }',
  '{detail}',
  // util.format and pino, whose first argument is a format; Python and C.
  '%s %d %i %f %j %o %O %c %%',
  '%(x)s',
  '%n%n%n',
  '%1$s',
  '%x%p',
  // JavaScript, Ruby, shells, Java expression languages.
  '${7*7}',
  '#{7*7}',
  '*{7*7}',
  '@{7*7}',
  '$(id)',
  '`id`',
  '${jndi:ldap://127.0.0.1/a}',
  '${process.env}',
  // HTML template engines.
  '<%= 7*7 %>',
  '<% x %>',
  '{{7*7}}',
  '{%  if 1 %}a{% endif %}',
  '[[${7*7}]]',
  '<#assign x=1>',
  '#set($x=1)',
  "{{constructor.constructor('return 1')()}}",
  '{{$on.constructor("return 1")()}}',
  '<!--#exec cmd="id" -->',
  // path-to-regexp, TypeORM, pg, ajv, nginx, cli-progress, pino-pretty and Prometheus.
  // Patterns of String.replace.
  '$&',
  "$'",
  '$`',
  '$$',
  '$<name>',
  ':id',
  ':...ids',
  '*path',
  '{/:x}',
  '$1',
  '$2::text',
  '$ref',
  '#/components/schemas/Change',
  '$host$request',
  '{bar} {percentage}',
  '{if x}a{end}',
  'x{a="b"} 1',
  '"} 1\nup 0',
];

/** Words and tokens of SQL, LIKE, tsquery and regular expressions. */
const queries = [
  "'",
  "''",
  "';DROP TABLE changes;--",
  "' OR '1'='1",
  '1) OR 1=1--',
  "' UNION SELECT version()--",
  '/*',
  '--',
  "'||pg_sleep(9)||'",
  "\\'; SELECT 1",
  '%',
  '_',
  '%%%',
  '_%_',
  '\\',
  '\\\\',
  '[a-',
  '!&|()<->:*',
  'a:*',
  '<->',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '.*',
  '(?=',
  '(?<x>',
  '[',
  '*)(uid=*',
  "' or count(//*)=1 or '",
  '{__schema{types{name}}}',
  'query($x:ID!){a}',
  '{"$gt":""}',
  '{"$where":"1"}',
  '*1\r\n$4\r\nPING\r\n',
  ']]',
];

/** Markup of pages, documents and terminals. */
const markup = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert('x')",
  '<svg/onload=a>',
  '&lt;b&gt;',
  '&#0;',
  ']]>',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///x">]>',
  '<![CDATA[x]]>',
  '<?xml ?>',
  '[click](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '**bold**',
  '# Title',
  '```',
  '> quote',
  '<https://evil.example>',
  '| a | b |\n|---|---|',
  '[x]: https://evil.example',
  '\u001b[31mred\u001b[0m',
  '\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007',
  '\u001b[2J',
  '\u009b31m',
  '\u0007',
  '\b\b\b',
  '\u007f',
  '=HYPERLINK("https://evil.example")',
  "+cmd|' /C calc'!A0",
  '@SUM(1+1)',
  '-1+1',
  '!!js/function x',
  '&a [*a]',
];

/** Fragments of JSON, and values that could be taken for another type. */
const values = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '{"a":1}',
  '[1,2]',
  '"a"',
  '\\u0000',
  '\\"',
  'null',
  'true',
  'undefined',
  '[]',
  '[object Object]',
  'NaN',
  'Infinity',
  '-Infinity',
  '0',
  '-0',
  '00',
  '0x10',
  '1e999',
  '-1e999',
  '1e-999',
  '1.5',
  '1_000',
  '１２',
  '٣',
  '²',
  '-1',
  '1,2',
  '1;2',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(40),
  '9'.repeat(400),
  '0.1e1',
  ' 1',
  '1 ',
  '+1',
  '1n',
];

/** Members that every JavaScript object has. */
const members = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'toJSON',
  'then',
  'length',
  '__proto__[x]',
  'constructor.prototype',
  'a[b][c]',
  'a[]',
  'a.b',
  '__defineGetter__',
  'arguments',
  '0',
  '-0',
];

/** Invalid or distant days and times. */
const days = [
  '0000-01-01',
  '-0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '+275760-09-13',
  '-271821-04-19',
  '1970-01-01',
  '2026-02-30',
  '2026-13-01',
  '2026-W53',
  '2026-W00',
  '2026-Q5',
  '2026-H3',
  'FY0',
  'FY99999',
  '2026-1-1',
  '2026-11-20T24:00:00Z',
  '2026-11-20T09:00:00+99:99',
  '2026-06-30T23:59:60Z',
  '2026-11-20T09:00:00.0000000001Z',
  'today',
  'tomorrow',
  '1 July',
  '2026/07/01',
  '1751328000',
  '0001-01-01T00:00:00-23:59',
  '2026-11-20t09:00:00z',
];

/** Addresses of files and hosts. */
const addresses = [
  '../../etc/passwd',
  '..%2f..',
  '..\\..\\',
  '/./',
  '//',
  '\\\\host\\share',
  'file:///etc/passwd',
  'C:\\',
  'http://127.0.0.1:6379/',
  'http://169.254.169.254/',
  '//evil.example',
  'https://evil.example@x',
  'data:,x',
  '.',
  '..',
  '...',
  '.env',
  '~root',
  'con',
  'nul.txt',
  '-rf',
  '--help',
  '--json',
  'a b',
  ' ',
];

export const HOSTILE_GROUPS = {
  templates,
  queries,
  markup,
  values,
  members,
  days,
  addresses,
  lines,
  prompts,
  unicode,
  long,
} as const;

export const HOSTILE_TEXTS: readonly string[] = Object.values(HOSTILE_GROUPS).flat();

/** Invalid percent-encodings, and encodings of bytes that are not text, as in a URL. */
export const HOSTILE_ENCODINGS: readonly string[] = [
  // Cut or broken escapes, and what a lenient reader accepts as one.
  '%',
  '%z',
  '%zz',
  '%2',
  '%%',
  '%u0041',
  '%25',
  '%2525',
  '+',
  '%2B',
  ';',
  '&&',
  '=',
  '%3D',
  '%26',
  // Bytes that are not UTF-8: overlong forms, surrogates, beyond the last code point.
  '%ff',
  '%fe%ff',
  '%80',
  '%c3',
  '%c0%80',
  '%c0%ae',
  '%e0%80%af',
  '%f0%80%80%af',
  '%ed%a0%80',
  '%f4%90%80%80',
  '%F0%9F%98',
  '%c1%bf',
  '%f8%88%80%80%80',
  // Characters that end a line, a text or a path.
  '%00',
  '%0a',
  '%0d%0a',
  '%0d%0ax-injected:%201',
  '%2f',
  '%5c',
  '%2e%2e%2f',
  '%3f',
  '%23',
  '%7f',
  '%e2%80%a8',
  // Names with brackets, and templates whose signs are escaped.
  'a%5B__proto__%5D',
  '%24t(errors.not_found.title.length)',
  '%24%74%28errors.not_found.title%29',
];

// A template between these two reveals whether an engine rendered it: then other text is between them.
const BEGIN = 'zqa';
const END = 'zqz';
export const bracketed = (template: string): string => `${BEGIN}${template}${END}`;

/** Code spans replace a backtick by an apostrophe. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{C}\s]+/gu, '')
    .replaceAll('`', "'");
const TEMPLATES = new Set(templates.map(normalized));

/** The text in place of a sent template, or null if it is the template itself or a cut part of it. */
export function expandedIn(answer: string): string | null {
  for (const [found] of unescaped(answer).matchAll(/zqa[^]{0,200}?zqz/gi)) {
    const between = found.slice(found.toLowerCase().lastIndexOf(BEGIN) + BEGIN.length, -END.length);
    const seen = [between, decoded(between)].map(normalized);
    if (!between.includes('…') && !seen.some((one) => TEMPLATES.has(one))) return between;
  }
  return null;
}

/** Without the escapes of JSON. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi, (escape) => JSON.parse(`"${escape}"`) as string);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As a browser encodes it: a lone surrogate becomes U+FFFD. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}
