// `npm run bench:versions -- --against FOLDER`: compares this checkout with another one, for example with the commit
// before a change. The other folder needs `npm ci`; both are built.
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { CONNECTIONS, round } from './rounds.mjs';
import { measuring, ROOT } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1.2' },
  },
});
if (options.against === undefined) {
  console.error('--against FOLDER: another checkout of the service');
  process.exit(2);
}
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'latest_changes', arguments: { limit: 10 } },
};

await measuring(async (defer) => {
  const { startRedis } = await import('./contenders.mjs');
  const redis = await startRedis(defer);
  const before = await open(defer, 'before', path.resolve(options.against), redis);
  const after = await open(defer, 'after', ROOT, redis);
  // For its first minute, a new Redis admits a quarter of what accounts may do that it may have forgotten.
  await pause(61_000);
  console.log(
    `\n${conditions([`Redis ${redis.version}`])}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections`,
  );
  const cells = questions().flatMap((one) => [before, after].map((version) => ({ ...one, ...version, rounds: [] })));
  for (const cell of cells) cell.how = await cell.prepare(cell);
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const cell of turn % 2 === 0 ? cells : cells.toReversed()) {
      const shared = { postgres: cell.stage.postgres, redis: redis.pid, countedInRedis: redis.counted };
      const result = await round({ server: cell.server, seconds, keys: cell.stage.keys, shared, ...cell.how });
      if (turn > 0) cell.rounds.push(result);
    }
    console.error(turn === 0 ? 'warmed up' : `round ${turn} of ${rounds}`);
  }
  print(cells);
});

/** A database and a server of one checkout, by that checkout's own code. */
async function open(defer, version, folder, redis) {
  const { openStage, sampleOf, startOurs } = await import(pathToFileURL(path.join(folder, 'bench/contenders.mjs')));
  const stage = await openStage(defer, { accounts: 9_600, vintages: 4 });
  const server = await startOurs(defer, stage, { redisUrl: redis.url });
  return { version, stage, server: { ...server, name: version }, sampleOf };
}

function questions() {
  let asked = 0;
  const get = (question) => ({
    expected: 200,
    ask: (key) => ({ path: question, headers: { authorization: `Bearer ${key}` } }),
  });
  const changes = '/api/v1/changes?limit=20';
  return [
    { question: 'changes?limit=20, a cache hit', prepare: () => get(changes) },
    { question: 'macro, a cache hit', prepare: () => get('/api/v1/macro/gdp-growth?region=JP') },
    {
      question: '304',
      prepare: async ({ sampleOf, server, stage }) => {
        const { headers } = await sampleOf(server, changes, stage.keys[0]);
        const ask = (key) => ({
          path: changes,
          headers: { authorization: `Bearer ${key}`, 'if-none-match': headers.etag },
        });
        return { expected: 304, ask };
      },
    },
    {
      question: 'changes?limit=20, a cache miss',
      prepare: () => ({
        expected: 200,
        // An `until` that no earlier request used and that selects the same rows.
        ask: (key) => {
          const until = new Date(Date.UTC(2027, 0, 1) + (asked += 1)).toISOString();
          return { path: `${changes}&until=${until}`, headers: { authorization: `Bearer ${key}` } };
        },
      }),
    },
    {
      question: 'a tool call',
      prepare: () => ({
        expected: 200,
        ask: (key) => ({
          method: 'POST',
          path: '/api/v1/mcp',
          body: JSON.stringify(CALL),
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        }),
      }),
    },
  ];
}

function print(cells) {
  const head = [
    'question',
    'version',
    'CPU a request, ratio to before',
    'µs node',
    'µs PostgreSQL',
    'µs Redis',
    'p99 ms',
  ];
  const rows = cells.map((cell) => {
    const baseline = cells.find((one) => one.question === cell.question && one.version === 'before');
    const microseconds = (name) => median(cell.rounds.map(({ cpu, requests }) => (cpu[name] / requests) * 1e6));
    const ratios = cell.rounds.map((one, at) => costOf(one) / costOf(baseline.rounds[at]));
    return [
      cell.question,
      cell.version,
      spread(ratios, 2),
      rounded(microseconds('server')),
      rounded(microseconds('postgres')),
      rounded(microseconds('redis')),
      rounded(median(cell.rounds.map(({ latency }) => latency.p99))),
    ];
  });
  console.log(`\n${table(head, rows)}`);
}

function costOf({ cpu, requests }) {
  return (cpu.server + cpu.postgres + cpu.redis) / requests;
}
