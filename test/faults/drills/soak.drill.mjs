// A day of mixed load in half an hour: the memory of a process must not grow with the number of its responses.
import { readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { generate } from '../../../bench/generate.mjs';
import { memoryOf, treeMemoryOf } from '../../../bench/processes.mjs';
import { p50, p99, request, send, startLoad, statuses, tool } from '../cluster/load.mjs';
import { atMost, exactly, never } from './checks.mjs';
import { trend } from './trend.mjs';

/** In half an hour of the full form, as many requests as four a second make in a day. */
const RATE = { short: 60, full: 192 };
const SECONDS = { short: 14, full: 1_800 };
const EVERY = { short: 1, full: 10 };
const IMPORTS = { short: 1, full: 9 };
/**
 * Growth over the last two thirds, as a share of the median. V8 allocates from the system long before it returns
 * memory, so the heap is measured right after a collection.
 */
const GROWTH = { resident: 0.1, held: 0.05 };
/** Long enough for V8 to have collected everything at least once. */
const COLLECTED_SECONDS = 180;
const DESCRIPTORS = 5;
const INSTANCES = 3;
/**
 * A quarter of a minute is too short for a trend: pools and caches of a new process still fill. So the short form
 * checks the maximum.
 */
/** Ten for queries and one that listens, of each instance; a command, such as the import beside them, has four of a role. */
const SESSIONS = 11 * INSTANCES + 2 * 4;
const CEILINGS = { megabytes: 400, descriptors: 400, sessions: SESSIONS };

export const drill = {
  name: 'soak',
  when: '24 h of mixed load, compressed to 30 minutes',
  promise: 'memory and descriptors are flat over the last two thirds',
  run,
};

async function run({ cluster, short, say, defer }) {
  const form = short ? 'short' : 'full';
  const it = await cluster({ instances: INSTANCES });
  // Some hundred requests a second, spread over so many accounts that none reaches its limit.
  const keys = await it.keys(Math.ceil((RATE[form] * 60) / 120) * 2, 'developer');
  const { asks, refused } = await mixture(it, keys[0].text);
  const load = startLoad({ url: it.url, rate: RATE[form], keys, asks });
  const leave = hangUps(it.balancer.port, defer);
  const importing = importsNowAndThen(it, SECONDS[form] / (IMPORTS[form] + 1), IMPORTS[form]);
  const heaps = short ? null : watchHeaps(it);

  const began = performance.now();
  const samples = [];
  let light = 0;
  while (performance.now() - began < SECONDS[form] * 1_000) {
    await load.seconds(EVERY[form]);
    // The headers of hundreds of thousands of responses would fill this process's own memory.
    for (; light < load.seen.length; light += 1) load.seen[light].headers = {};
    const sample = await sampleOf(it, (performance.now() - began) / 1_000, load);
    samples.push(sample);
    if (short || samples.length % 6 === 0) say(lineOf(sample));
  }
  leave();
  const held = await heaps?.held();
  const outcomes = await importing;
  const seen = await load.stop();
  const asExpected = new Set(['200', '304', ...refused.map(String)]);
  const strange = Object.entries(statuses(seen)).filter(([status]) => !asExpected.has(status));
  say(`${seen.length} requests: ${JSON.stringify(statuses(seen))}; imports: ${outcomes.join(', ')}`);

  return {
    checks: [
      never(
        'responses that are neither data nor an expected refusal',
        strange.map((one) => one.join(': ')),
      ),
      exactly(
        'imports published meanwhile',
        Array.from({ length: IMPORTS[form] }, () => 'published').join(', '),
        outcomes.join(', '),
      ),
      ...(short ? withinCeilings(samples) : flatTrends(samples, held)),
    ],
    figures: { requests: seen.length, p50: p50(seen), p99: p99(seen), samples },
  };
}

function withinCeilings(samples) {
  const most = (of) => Math.max(...samples.map((sample) => of(sample)));
  const ofInstances = (name) => most(({ instances }) => Math.max(...instances.map((one) => one[name])));
  return [
    atMost('resident memory of an instance, MB', CEILINGS.megabytes, ofInstances('megabytes')),
    atMost('descriptors of an instance', CEILINGS.descriptors, ofInstances('descriptors')),
    atMost(
      'sessions on PostgreSQL',
      CEILINGS.sessions,
      most(({ sessions }) => sessions),
    ),
  ];
}

function flatTrends(samples, held) {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const ofInstances = (name) =>
    samples[0].instances.map((_, index) => trend(settled, (sample) => sample.instances[index][name]));
  return [
    flat('each instance’s heap after a collection', held, GROWTH.held),
    flat(`each instance's resident memory`, ofInstances('megabytes'), GROWTH.resident),
    steady(`growth of each instance's descriptors`, ofInstances('descriptors')),
    steady('growth of the sessions on PostgreSQL', [trend(settled, ({ sessions }) => sessions)]),
  ];
}

function steady(what, trends) {
  return {
    what,
    limit: `≤ ${DESCRIPTORS}`,
    found: trends.map(({ growth, median }) => `${growth.toFixed(1)} of ${median}`).join(', '),
    met: trends.every(({ growth }) => growth <= DESCRIPTORS),
  };
}

function flat(what, trends, limit) {
  return {
    what: `growth of ${what} over the last two thirds, in %`,
    limit: `≤ ${limit * 100}`,
    found: trends
      .map(({ growth, median }) => `${((growth / median) * 100).toFixed(1)} of ${median.toFixed(0)} MB`)
      .join(', '),
    met: trends.every(({ growth, median }) => growth <= limit * median),
  };
}

/** Reads the heap of each instance every second: the minimum over some minutes is what a collection left. */
function watchHeaps(it) {
  const began = performance.now();
  const spans = it.instances.map(() => []);
  let over = false;
  const watching = (async () => {
    while (!over) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const seconds = (performance.now() - began) / 1_000;
      const used = await Promise.all(it.instances.map((one) => it.metric(one, 'nodejs_heap_size_used_bytes')));
      for (const [index, bytes] of used.entries()) {
        const span = (spans[index][Math.floor(seconds / COLLECTED_SECONDS)] ??= { seconds, megabytes: Infinity });
        span.megabytes = Math.min(span.megabytes, bytes / 1e6);
      }
    }
  })();
  watching.catch(() => undefined);
  return {
    held: async () => {
      over = true;
      await watching;
      return spans.map((own) => {
        // The last window may be too short to contain a collection.
        const whole = own.slice(Math.ceil(own.length / 3), -1);
        return trend(whole, ({ megabytes }) => megabytes);
      });
    },
  };
}

/** Every route and tool, with requests that get 304 and requests that are refused. */
async function mixture(it, key) {
  const one = async (address) => JSON.parse((await send(it.url, request(address), key, { keepBody: true })).body).data;
  const changes = await one('/api/v1/changes?limit=100');
  const [change] = changes;
  const [topic] = await one('/api/v1/topics');
  const [coverage] = await one('/api/v1/coverage');
  const [signal] = changes.flatMap(({ signals }) => signals);
  const [company] = await one('/api/v1/companies?limit=1');
  const [instrument] = await one('/api/v1/markets/kind/fx');
  const brief = await one('/api/v1/briefs/latest');
  const addresses = [
    '/api/v1/changes',
    '/api/v1/changes?limit=100',
    '/api/v1/changes?q=inflation',
    '/api/v1/search?q=gdp',
    '/api/v1/search?q=物价',
    '/api/v1/macro/board',
    '/api/v1/macro/gdp-growth?region=JP',
    '/api/v1/macro/gdp-growth',
    '/api/v1/ahead',
    '/api/v1/alerts',
    '/api/v1/following',
    '/api/v1/following/changes',
    '/api/v1/markets/kind/fx',
    `/api/v1/changes/${change.id}`,
    `/api/v1/topics/${topic.slug}`,
    `/api/v1/coverage/${coverage.key}`,
    `/api/v1/briefs/${brief.date}`,
    ...(signal ? [`/api/v1/signals/${signal.id}`] : []),
    ...(company ? [`/api/v1/companies/${company.slug}`, `/api/v1/entities/${company.entityId}/structure`] : []),
    ...(instrument ? [`/api/v1/markets/${instrument.key}`] : []),
  ].map((address) => encodeURI(address));
  const locales = ['en', 'zh', 'ja'];
  const localized = addresses.map(
    (address, at) => `${address}${address.includes('?') ? '&' : '?'}locale=${locales[at % 3]}`,
  );
  const { headers } = await send(it.url, request('/api/v1/changes'), key);
  const tools = [
    tool('latest_changes'),
    tool('latest_changes', { query: 'rate' }),
    tool('get_change', { id: change.id }),
    tool('country_heat'),
    tool('release_calendar'),
    tool('company', { query: 'microsoft' }),
    tool('latest_brief'),
  ];
  // While the data version is that of the tag.
  const unchanged = request('/api/v1/changes', { 'if-none-match': headers.etag });
  const wrong = [
    request('/api/v1/changes/chg_nothing'),
    request('/api/v1/changes?limit=0'),
    request('/api/v1/nowhere'),
    request('/api/v1/changes', { accept: 'text/html' }),
    tool('latest_changes', { limit: 0 }),
    { name: 'a key that is none', make: () => request('/api/v1/changes').make('tm_nobody') },
  ];
  return {
    asks: [...localized.map((address) => request(address)), ...tools, unchanged, unchanged, ...wrong],
    // 429: too many failed attempts from one address, which a valid key never gets.
    refused: [400, 401, 404, 406, 429],
  };
}

/**
 * Clients that disconnect during their request or during the response.
 * @returns {() => void} stops them
 */
function hangUps(port, defer) {
  const begin = () => {
    for (const text of [
      'GET /api/v1/changes HTTP/1.1\r\nHost: a\r\n',
      'POST /api/v1/mcp HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n{',
    ]) {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(text);
        setTimeout(() => socket.destroy(), 50);
      });
      socket.on('error', () => undefined);
    }
  };
  const timer = setInterval(begin, 500);
  const end = () => clearInterval(timer);
  defer(end);
  return end;
}

/** @returns {Promise<string[]>} the outcome of each */
async function importsNowAndThen(it, everySeconds, count) {
  const [{ day }] = await it.postgres.query('SELECT max(vintage_day)::text AS day FROM publications');
  const folder = await mkdtemp(path.join(it.folder, 'vintages-'));
  const days = Array.from({ length: count }, (_, at) => {
    const next = new Date(`${day}T00:00:00Z`);
    next.setUTCDate(next.getUTCDate() + at + 1);
    return next.toISOString().slice(0, 10);
  });
  await generate(folder, { observations: 3_000, regions: 67, vintages: days });
  const outcomes = [];
  for (const vintage of days) {
    await new Promise((resolve) => setTimeout(resolve, everySeconds * 1_000));
    const files = path.join(folder, vintage);
    const { code, out, error } = await it.cli([
      'import',
      'worldbank',
      '--accept',
      files,
      '--vintage',
      vintage,
      '--json',
    ]);
    outcomes.push(code === 0 ? JSON.parse(out).reports[0].outcome : error.trim());
  }
  return outcomes;
}

async function sampleOf(it, seconds, load) {
  const [{ count }] = await it.postgres.query(
    `SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'tidemark%'`,
  );
  return {
    seconds: Math.round(seconds),
    requests: load.seen.length,
    instances: it.instances.map(({ pid }) => ({
      megabytes: memoryOf(pid).resident,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
    })),
    sessions: count,
    postgresMegabytes: proportionalOf(it.postgres.pid),
    redisMegabytes: memoryOf(it.redis.pid).resident,
    nginxDescriptors: readdirSync(`/proc/${it.balancer.pid}/fd`).length,
  };
}

/** Of all its processes; if one exits during the count, it counts again. */
function proportionalOf(pid) {
  for (;;) {
    try {
      return treeMemoryOf(pid).proportional;
    } catch (error) {
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    }
  }
}

function lineOf({ seconds, requests, instances, sessions, postgresMegabytes, redisMegabytes }) {
  const each = instances
    .map(({ megabytes, descriptors }) => `${megabytes.toFixed(0)} MB, ${descriptors} fd`)
    .join(' | ');
  return `${seconds} s, ${requests} answered: ${each}; ${sessions} sessions; PostgreSQL ${postgresMegabytes.toFixed(0)} MB, Redis ${redisMegabytes.toFixed(0)} MB`;
}
