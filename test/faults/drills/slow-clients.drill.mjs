import { connect } from 'node:net';
import { p99, request, send, startLoad, statuses } from '../cluster/load.mjs';
import { memoryOf } from '../../../bench/processes.mjs';
import { until } from '../cluster/until.mjs';
import { atMost, exactly, inTime, noneFailed } from './checks.mjs';

const RATE = 50;
const KEYS = 30;
const ASKS = [request('/api/v1/changes?limit=5'), request('/api/v1/topics')];
/** Instance and load balancer both allow ten seconds for a head, and check once a second. */
const LET_GO_MS = 13_000;
/** An instance allows 20 s for a whole request; the load balancer limits only the pauses. */
const BODIES_LET_GO_MS = 24_000;
const PIPELINED = 60;
/** A multiple of the p99 without them; on a quiet machine that is too few milliseconds to compare. */
const SLOWER = 3;
const AT_LEAST_MS = 50;
const MORE_MEMORY_MB = 150;

export const drill = {
  name: 'slow-clients',
  when: 'slow clients (1,000 open, one byte a second), half-open connections, 1 MB headers, pipelining',
  promise: 'others are served; limits and time-outs are named (docs/explanation/overload.md)',
  async run({ cluster, say }) {
    const it = await cluster({ instances: 1 });
    const keys = await it.keys(KEYS * 2, 'developer');
    const checks = [];
    const figures = {};
    // nginx buffers bodies and accepts them however slow they are, as long as bytes arrive.
    const ways = [
      { way: 'an instance itself', url: it.instances[0].url, boundsBodies: true },
      { way: 'through nginx', url: it.url, boundsBodies: false },
    ];
    const before = memoryOf(it.instances[0].pid).resident;
    // Both at once, with twice the number: each has to wait for its time-outs.
    const attackers = { slow: 1_000, silent: 200, bodies: 100 };
    const outcomes = await Promise.all(
      ways.map((way, index) => {
        const own = keys.slice(index * KEYS, (index + 1) * KEYS);
        return among({ ...way, keys: own, attackers, say });
      }),
    );
    const grown = memoryOf(it.instances[0].pid).resident - before;
    for (const [index, outcome] of outcomes.entries()) {
      const { way } = ways[index];
      checks.push(...outcome.checks.map((check) => ({ ...check, what: `${way}: ${check.what}` })));
      figures[way] = outcome.figures;
    }
    figures.grownMb = grown;
    checks.push(atMost('more memory of the instance, MB', MORE_MEMORY_MB, grown));
    return { checks, figures };
  },
};

async function among({ way, url, boundsBodies, keys, attackers, say }) {
  const port = Number(new URL(url).port);
  const quiet = startLoad({ url, rate: RATE, keys: keys.slice(2), asks: ASKS });
  await quiet.seconds(2);
  const limit = Math.max(AT_LEAST_MS, p99(await quiet.stop())) * SLOWER;
  const slow = Array.from({ length: attackers.slow }, () =>
    dribble(port, 'GET /api/v1/changes HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  );
  const silent = Array.from({ length: attackers.silent }, () => dribble(port, ''));
  const body = bodyHead(keys[0].text, port);
  const bodies = Array.from({ length: attackers.bodies }, () => dribble(port, body));
  const all = [...slow, ...silent, ...bodies];
  await until(10_000, 'the slow clients to be connected', () => all.every(({ connected }) => connected));
  const began = performance.now();
  const drip = setInterval(() => {
    for (const one of [...slow, ...bodies]) if (one.open) one.socket.write('x');
  }, 1_000);
  const load = startLoad({ url, rate: RATE, keys: keys.slice(2), asks: ASKS });
  const long = await send(url, request('/api/v1/changes', { 'x-long': 'x'.repeat(1024 * 1024) }), keys[1].text);
  const answers = await pipeline(port, keys[1].text);
  const heads = [...slow, ...silent];
  const letGoMs = await until(LET_GO_MS + 30_000, 'the slow clients to be disconnected', () =>
    heads.every(({ open }) => !open),
  ).then(() => performance.now() - began);
  const bodiesGone = () => !boundsBodies || bodies.every(({ open }) => !open);
  await until(BODIES_LET_GO_MS + 30_000, 'the slow bodies to be disconnected', bodiesGone);
  const bodiesMs = performance.now() - began;
  const seen = await load.stop();
  clearInterval(drip);
  for (const { socket } of all) socket.destroy();
  say(
    `${way}: ${all.length} slow or silent clients; others: ${JSON.stringify(statuses(seen))}, p99 ${Math.round(p99(seen))} ms`,
  );
  const failed = seen.filter(({ status }) => status !== 200);
  const inOrder = answers.filter((status) => status === '200').length;
  return {
    checks: [
      noneFailed(seen, failed),
      inTime('p99 of others, ms', limit, p99(seen)),
      inTime('ms until slow and silent clients were disconnected', LET_GO_MS, letGoMs),
      ...(boundsBodies ? [inTime('ms until slow bodies were disconnected', BODIES_LET_GO_MS, bodiesMs)] : []),
      atMost('silent clients that got a response', 0, answered(silent)),
      {
        what: 'headers of 1 MB',
        limit: '431, or cut off while they are sent',
        found: long.status || long.error,
        met: long.status === 431 || ['ECONNRESET', 'EPIPE'].includes(long.error),
      },
      exactly('pipelined requests answered', PIPELINED, inOrder),
    ],
    figures: { p99: p99(seen), requests: seen.length, letGoMs },
  };
}

const answered = (clients) => clients.filter(({ heard }) => heard > 0).length;

/** A client that sends a beginning, and then continues as slowly as configured. */
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
  const body = ['Accept: application/json', 'Content-Type: application/json', 'Content-Length: 10000', '', '{'];
  return [...head, ...body].join('\r\n');
}

/**
 * Sends many requests at once on one connection.
 * @returns {Promise<string[]>} their statuses, in order
 */
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
