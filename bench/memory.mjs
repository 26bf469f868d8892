// `npm run bench:memory [-- --requests 100000]`: resident memory of an instance under mixed requests, and a minute later.
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.mjs';
import { CHANGES, openStage, sampleOf, startOurs, startRedis } from './contenders.mjs';
import { conditions, rounded, table } from './medians.mjs';
import { cpuSeconds, memoryOf } from './processes.mjs';
import { measuring } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    accounts: { type: 'string', default: '1600' },
    vintages: { type: 'string', default: '4' },
    connections: { type: 'string', default: '16' },
    node: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '8' },
  },
});
const AMOUNT = Number(options.requests);
const STEPS = 10;
const LOCALES = ['en', 'zh', 'ja'];
const COUNTRIES = ['CN', 'JP', 'US', 'DE', 'FR', 'BR', 'IN', 'GB', 'KR', 'ZA'];
const WORDS = ['inflation', 'inflaton', 'growth', 'China', '物价', '失業率', 'unemployment', 'exports', 'zzyzx'];
const CODINGS = ['identity', 'gzip', 'br'];
const RESTED_MS = 60_000;

await measuring(async (defer) => {
  const redis = await startRedis(defer);
  const stage = await openStage(defer, { accounts: Number(options.accounts), vintages: Number(options.vintages) });
  const metricsPort = await freePort();
  // MALLOC_ARENA_MAX as in the image.
  const own = { METRICS_PORT: String(metricsPort), TRUSTED_PROXIES: '127.0.0.1', MALLOC_ARENA_MAX: '2' };
  Object.assign(stage.environment, own);
  const server = await startOurs(defer, stage, { redisUrl: redis?.url, execArgv: options.node });
  await pause(RESTED_MS);
  const rows = [];
  const note = async (when) => {
    const row = [when, memoryOf(server.pid).resident, ...(await metricsOf(metricsPort))];
    rows.push(row);
    console.error(row.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)).join('  '));
  };
  await note('at rest');
  const before = cpuSeconds(server.pid);
  const { peak, statuses, sent } = await sendMixed(server, stage.keys, note);
  const milliseconds = (1_000 * (cpuSeconds(server.pid) - before)) / sent.requests;
  const seconds = sent.milliseconds / 1_000;
  await pause(RESTED_MS);
  await note('a minute later');
  console.log(`\n${conditions([`Redis ${redis?.version ?? 'none'}`])}`);
  console.log(`${rounded(sent.requests)} requests in ${rounded(seconds)} s, statuses ${JSON.stringify(statuses)}`);
  console.log(`most resident: ${rounded(peak)} MB; CPU of the service a request: ${milliseconds.toFixed(3)} ms\n`);
  const head = ['MB', 'resident', 'heap used', 'heap', 'external', 'caches'];
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)));
  console.log(table(head, shown));
});

/** Megabytes of heap in use, of the whole heap, outside it, and of the cached responses by their own count. */
async function metricsOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const sum = (name) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value) / 1024 ** 2,
      0,
    );
  return [
    'nodejs_heap_size_used_bytes',
    'nodejs_heap_size_total_bytes',
    'nodejs_external_memory_bytes',
    'tidemark_response_cache_bytes',
  ].map(sum);
}

/** Sends the requests and notes the memory after each tenth of them; the time is bounded. */
async function sendMixed(server, keys, note) {
  const page = await sampleOf(server, CHANGES, keys[0]);
  const known = { tag: page.headers.etag, ids: JSON.parse(page.body).data.map(({ id }) => id) };
  const cursors = await someCursors(server, keys);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(options.connections) });
  const statuses = {};
  const watched = { peak: 0 };
  const watch = setInterval(() => {
    watched.peak = Math.max(watched.peak, memoryOf(server.pid).resident);
  }, 200);
  const until = performance.now() + Number(options.minutes) * 60_000;
  let [asked, noted] = [0, 0];
  const began = performance.now();
  const work = async () => {
    while (asked < AMOUNT && performance.now() < until) {
      asked += 1;
      const { status, cursor } = await send(agent, server.port, mixed(asked, keys, known, cursors));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (cursor !== null) cursors.push(cursor);
      if (asked >= ((noted + 1) * AMOUNT) / STEPS) await note(`after ${rounded((AMOUNT / STEPS) * (noted += 1))}`);
    }
  };
  await Promise.all(Array.from({ length: Number(options.connections) }, work));
  clearInterval(watch);
  agent.destroy();
  return { peak: watched.peak, statuses, sent: { requests: asked, milliseconds: performance.now() - began } };
}

/** One cursor for each country and each of ten limits, with which the walks begin. */
async function someCursors(server, keys) {
  const cursors = [];
  for (const [at, country] of COUNTRIES.entries()) {
    const { body } = await sampleOf(server, `${CHANGES}&country=${country}`, keys[at]);
    cursors.push([country, JSON.parse(body).meta.page.nextCursor]);
  }
  return cursors.filter(([, cursor]) => cursor !== null);
}

/** The n-th request: of twenty, seven are repeated, nine new, and four for pages or wrong. */
function mixed(number, keys, { tag, ids }, cursors) {
  const pick = (list) => list[Math.trunc(number / 20) % list.length];
  const locale = LOCALES[number % LOCALES.length];
  const moment = new Date(Date.UTC(2027, 0, 1) + number).toISOString();
  const authorization = `Bearer ${keys[number % keys.length]}`;
  const headers = { authorization, 'accept-language': locale, 'accept-encoding': CODINGS[(number % 7) % 3] };
  const get = (path, more) => ({ path, headers: { ...headers, ...more } });
  const call = (args) => ({
    ...get('/api/v1/mcp', { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: number,
      method: 'tools/call',
      params: { name: 'latest_changes', arguments: { limit: 10, locale, ...args } },
    }),
  });
  const open = (path) => ({
    path,
    headers: { 'accept-language': locale, 'x-forwarded-for': `10.${number % 200}.${number % 251}.${number % 97}` },
  });
  switch (number % 20) {
    case 0:
    case 1:
      return get(CHANGES);
    case 2:
      return get(`${CHANGES}&country=${pick(COUNTRIES)}`);
    case 3:
    case 4:
      return get(`${CHANGES}&locale=en`, { 'if-none-match': tag, 'accept-encoding': 'identity' });
    case 5:
      return call({});
    case 6:
      return get(`/api/v1/macro/gdp-growth?region=${pick(COUNTRIES)}`);
    case 7:
    case 8:
    case 9:
      return get(`${CHANGES}&until=${moment}`);
    case 10:
    case 11: {
      const [country, cursor] = cursors.length > 0 ? cursors.shift() : ['CN', null];
      const ask = cursor === null ? `&until=${moment}` : `&cursor=${cursor}`;
      return { ...get(`${CHANGES}&country=${country}${ask}`), country };
    }
    case 12:
    case 13:
      return get(`${CHANGES}&country=${pick(COUNTRIES)}&since=2020-01-01&until=${moment}`);
    case 14:
      return call({ until: moment });
    case 15:
      return get(`/api/v1/search?q=${encodeURIComponent(pick(WORDS) + (number % 400 < 200 ? '' : number))}`);
    case 16:
      return open(`/changes/${pick(ids)}`);
    case 17:
      return open(pick(['/', '/calendar', '/briefs/latest']));
    case 18:
      return get(`${CHANGES}&since=never&until=${number}`);
    default:
      return get(`/api/v1/changes/none-${number}`);
  }
}

/** @returns the status, and the country with its next cursor where the request walked a list */
function send(agent, port, { path, headers, body, country }) {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = httpRequest({ host: '127.0.0.1', agent, port, path, method, headers }, (response) => {
      const next = /[?&]cursor=([^>&]+)>; rel="next"/.exec(response.headers.link ?? '')?.[1];
      const cursor = country === undefined || next === undefined ? null : [country, decodeURIComponent(next)];
      response
        .on('end', () => resolve({ status: response.statusCode, cursor }))
        .on('error', reject)
        .resume();
    });
    sent.on('error', reject).end(body);
  });
}
