import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { URLSearchParams } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { runCommand } from './command.mjs';

/**
 * Each documented operation with every parameter set to its example, so that tools attack each of them; `mark` follows
 * each value, to show sqlmap the place.
 */
export function addressesOf(document, base, mark = '') {
  return Object.entries(document.paths).map(([template, { get }]) => {
    const fill = ({ schema, example }) =>
      String(example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? '1');
    const inPath = get.parameters.filter((one) => one.in === 'path');
    const place = inPath.reduce(
      (text, one) => text.replace(`{${one.name}}`, `${encodeURIComponent(fill(one))}${mark}`),
      template,
    );
    // Together, a cursor and a status cause a refusal before the other parameters are checked.
    const asked = get.parameters.filter((one) => one.in === 'query' && !['cursor', 'status'].includes(one.name));
    const query = new URLSearchParams(asked.map((one) => [one.name, `${fill(one)}${mark}`])).toString();
    return { operation: get.operationId, url: `${base}${place}${query && `?${query}`}` };
  });
}

/** @returns {Promise<string[]>} the injections that sqlmap reports */
export async function sqlmap({ document, base, folder, level, say }) {
  const found = [];
  for (const { operation, url } of addressesOf(document, base, '*')) {
    const { output } = await runCommand('sqlmap', [
      '-u',
      url,
      '--batch',
      '--flush-session',
      '--output-dir',
      path.join(folder, 'sqlmap'),
      '--threads=4',
      `--level=${level}`,
      '--risk=2',
      '--technique=BEUSTQ',
      '--dbms=PostgreSQL',
      '--time-sec=2',
      '--ignore-code=*',
      '--disable-coloring',
      '--skip-waf',
      '--skip-heuristics',
      '--timeout=20',
    ]);
    const said = output.split('\n').filter((line) => /is vulnerable|identified the following|Payload:/.test(line));
    const done = /all tested parameters do not appear to be injectable/.test(output);
    if (said.length > 0) found.push(...said.map((line) => `${operation}: ${line.trim()}`));
    else if (!done)
      found.push(`${operation}: sqlmap did not finish: ${output.trim().split('\n').slice(-3).join(' | ')}`);
    say(`  sqlmap ${operation}: ${said.length > 0 ? 'FOUND' : done ? 'nothing' : 'not finished'}`);
  }
  return found;
}

/**
 * Without `ssrf` and `xxe`, which wait for a request to a host of wapiti's authors: no route makes an outgoing
 * request.
 */
const WAPITI_MODULES = [
  'backup',
  'blindsql',
  'cookieflags',
  'crlf',
  'csp',
  'csrf',
  'exec',
  'file',
  'htaccess',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'xss',
];

/**
 * Missing headers that wapiti reports and that are intended: a filter of old browsers, which the header switches off
 * (`0`), and HSTS, which has no meaning over plain HTTP (RFC 6797) and is sent if `BASE_URL` is https.
 */
const ABSENT_BY_DESIGN = /(X-XSS-Protection|Strict-Transport-Security) is not set/;

/** @returns {Promise<string[]>} the findings of wapiti, one line each */
export async function wapiti({ document, base, folder, seconds, say }) {
  const report = path.join(folder, 'wapiti.json');
  const starts = addressesOf(document, base).flatMap(({ url }) => ['-s', url]);
  const { output, errors } = await runCommand('wapiti', [
    '-u',
    `${base}/`,
    ...starts,
    '--scope',
    'domain',
    '-m',
    WAPITI_MODULES.join(','),
    '--flush-session',
    '--store-session',
    path.join(folder, 'wapiti'),
    '--max-scan-time',
    String(seconds),
    '--max-attack-time',
    String(seconds),
    '-d',
    '4',
    '--no-bugreport',
    '--endpoint',
    'http://127.0.0.1:9/',
    '-f',
    'json',
    '-o',
    report,
  ]);
  const { vulnerabilities, anomalies } = JSON.parse(
    await readFile(report, 'utf8').catch(async () => {
      throw new Error(
        `wapiti wrote no report: ${(await readdir(folder)).join(' ')} ${output.slice(-500)} ${errors.slice(-500)}`,
      );
    }),
  );
  const listed = [vulnerabilities, anomalies].flatMap((group) =>
    Object.entries(group).flatMap(([kind, all]) =>
      all.map(({ method, path: at, parameter, info }) => `${kind}: ${method} ${at} ${parameter ?? ''} ${info}`),
    ),
  );
  say(
    `  wapiti: ${listed.length} findings in ${WAPITI_MODULES.length} modules${listed.length > 0 ? `: ${listed.join('; ')}` : ''}`,
  );
  return listed.filter((line) => !ABSENT_BY_DESIGN.test(line));
}

export const SLOW = [
  { name: 'slow headers', args: ['-H', '-i', '2'] },
  { name: 'slow body', args: ['-B', '-i', '2', '-s', '8192', '-t', 'POST'], at: '/api/v1/mcp' },
  { name: 'ranges', args: ['-R', '-a', '1', '-b', '200'] },
  {
    name: 'slow read',
    args: ['-X', '-w', '10', '-y', '20', '-n', '1', '-z', '32', '-k', '3'],
    at: '/docs/openapi.json',
  },
];

/**
 * slowhttptest straight at the service, while another client asks an ordinary question five times a second.
 * @returns {Promise<string[]>} who was not served meanwhile
 */
export async function slow({ url, key, connections, seconds, say }) {
  const found = [];
  for (const { name, args, at = '/api/v1/changes' } of SLOW) {
    const ending = new AbortController();
    const watched = watch(`${url}/api/v1/coverage`, key, ending.signal);
    const { output } = await runCommand('slowhttptest', [
      ...args,
      '-c',
      String(connections),
      '-r',
      '200',
      '-l',
      String(seconds),
      '-p',
      '5',
      '-u',
      `${url}${at}`,
    ]);
    ending.abort();
    const { waits, failures } = await watched;
    const [state = '?'] = /service available:\s+\S+/.exec(stripVTControlCharacters(output)) ?? [];
    const worst = Math.round(Math.max(...waits));
    say(
      `  slowhttptest ${name}, ${connections} connections, ${seconds} s: ${state}; others: ${waits.length} answers, slowest ${worst} ms`,
    );
    if (failures.length > 0) found.push(`${name}: ${failures.length} others were refused: ${failures[0]}`);
    if (/NO$/.test(state)) found.push(`${name}: slowhttptest was no longer answered`);
  }
  return found;
}

async function watch(url, key, signal) {
  const [waits, failures] = [[], []];
  while (!signal.aborted) {
    const startedAt = performance.now();
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${key()}` },
      signal: AbortSignal.timeout(5_000),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error) => ({ status: 0, text: String(error) }));
    if (answer.status === 200) waits.push(performance.now() - startedAt);
    else failures.push(`${answer.status} ${answer.text.slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { waits, failures };
}
