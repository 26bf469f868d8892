import { connect } from 'node:net';
import { p99, request, send, startLoad, statuses } from '../cluster/load.mjs';
import { memoryOf } from '../../../bench/processes.mjs';
import { until } from '../cluster/until.mjs';

const RATE = 50;
const KEYS = 30;
const ASKS = [request('/api/v1/changes?limit=5'), request('/api/v1/topics')];
/** An instance and the load balancer both give a head ten seconds; they look once a second. */
const LET_GO_MS = 13_000;
const PIPELINED = 60;
/** Times the p99 without them; on a quiet machine that is a few milliseconds, of which little can be said. */
const SLOWER = 3;
const AT_LEAST_MS = 50;

export const drill = {
  name: 'slow-clients',
  when: 'slow clients (1,000 open, one byte a second), half-open connections, 1 MB headers, pipelining',
  promise: 'others are served; limits and time-outs are named (docs/overload.md)',
  async run({ cluster, say }) {
    const it = await cluster({ instances: 1 });
    const keys = await it.keys(KEYS * 2, 'developer');
    const checks = [];
    const figures = {};
    const ways = [
      ['an instance itself', it.instances[0].url],
      ['through nginx', it.url],
    ];
    const before = memoryOf(it.instances[0].pid).resident;
    // Both at once, twice the number: each has to wait for its time-outs.
    const crowd = { slow: 1_000, silent: 200, bodies: 100 };
    const outcomes = await Promise.all(
      ways.map(([way, url], index) => {
        const own = keys.slice(index * KEYS, (index + 1) * KEYS);
        return among({ way, url, keys: own, crowd, say });
      }),
    );
    const grown = memoryOf(it.instances[0].pid).resident - before;
    for (const [index, outcome] of outcomes.entries()) {
      const [way] = ways[index];
      checks.push(...outcome.checks.map((check) => ({ ...check, what: `${way}: ${check.what}` })));
      figures[way] = outcome.figures;
    }
    figures.grownMb = grown;
    return { checks, figures };
  },
};

async function among({ way, url, keys, crowd, say }) {
  const port = Number(new URL(url).port);
  const quiet = startLoad({ url, rate: RATE, keys: keys.slice(2), asks: ASKS });
  await quiet.seconds(2);
  const limit = Math.max(AT_LEAST_MS, p99(await quiet.stop())) * SLOWER;
  const slow = Array.from({ length: crowd.slow }, () =>
    dribble(port, 'GET /api/v1/changes HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  );
  const silent = Array.from({ length: crowd.silent }, () => dribble(port, ''));
  const body = bodyHead(keys[0].text, port);
  const bodies = Array.from({ length: crowd.bodies }, () => dribble(port, body));
  const all = [...slow, ...silent, ...bodies];
  await until(10_000, 'the slow clients to be connected', () => all.every(({ connected }) => connected));
  const began = performance.now();
  const drip = setInterval(() => {
    for (const one of [...slow, ...bodies]) if (one.open) one.socket.write('x');
  }, 1_000);
  const load = startLoad({ url, rate: RATE, keys: keys.slice(2), asks: ASKS });
  const long = await send(
    url,
    request('/api/v1/changes', { 'x-long': 'x'.repeat(1024 * 1024) }),
    keys[1].text,
  );
  const answers = await pipeline(port, keys[1].text);
  const heads = [...slow, ...silent];
  const letGoMs = await until(LET_GO_MS + 30_000, 'the slow clients to be let go of', () =>
    heads.every(({ open }) => !open),
  ).then(() => performance.now() - began);
  const seen = await load.stop();
  clearInterval(drip);
  for (const { socket } of all) socket.destroy();
  say(
    `${way}: ${all.length} slow or silent clients; others: ${JSON.stringify(statuses(seen))}, p99 ${Math.round(p99(seen))} ms`,
  );
  const failed = seen.filter(({ status }) => status !== 200).length;
  const inOrder = answers.filter((status) => status === '200').length;
  return {
    checks: [
      {
        what: `of ${seen.length} requests of others failed`,
        limit: 0,
        found: failed,
        met: failed === 0 && seen.length > 0,
      },
      {
        what: 'p99 of others, ms',
        limit: Math.round(limit),
        found: Math.round(p99(seen)),
        met: p99(seen) <= limit,
      },
      {
        what: 'slow and silent clients were let go of within, ms',
        limit: LET_GO_MS,
        found: Math.round(letGoMs),
        met: letGoMs <= LET_GO_MS,
      },
      {
        what: 'silent clients that were answered something',
        limit: 0,
        found: answered(silent),
        met: answered(silent) === 0,
      },
      {
        what: 'headers of 1 MB',
        limit: '431, or cut off',
        found: long.status || long.error,
        met: long.status === 431 || long.status === 0,
      },
      { what: 'pipelined requests answered', limit: PIPELINED, found: inOrder, met: inOrder === PIPELINED },
    ],
    figures: { p99: p99(seen), requests: seen.length, letGoMs },
  };
}

const answered = (clients) => clients.filter(({ heard }) => heard > 0).length;

/** A client that sends a beginning, and then as slowly as it is told to. */
function dribble(port, beginning) {
  const one = { socket: connect(port, '127.0.0.1'), connected: false, open: true, heard: 0 };
  one.socket.on('error', () => undefined).on('data', (chunk) => (one.heard += chunk.length));
  one.socket.once('close', () => (one.open = false));
  one.socket.once('connect', () => {
    one.connected = true;
    if (beginning !== '') one.socket.write(beginning);
  });
  return one;
}

function bodyHead(key, port) {
  const head = [`POST /api/v1/mcp HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`];
  const body = [
    'Accept: application/json',
    'Content-Type: application/json',
    'Content-Length: 10000',
    '',
    '{',
  ];
  return [...head, ...body].join('\r\n');
}

/** So many requests at once on one connection. @returns {Promise<string[]>} their statuses, in order */
function pipeline(port, key) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const end = () => {
      socket.destroy();
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status));
    };
    const ask = (last) =>
      `GET /api/v1/topics?locale=en HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    socket
      .on('data', (chunk) => (received += chunk.toString('latin1')))
      .on('error', end)
      .on('close', end);
    socket.write(Array.from({ length: PIPELINED }, (_, index) => ask(index === PIPELINED - 1)).join(''));
  });
}
