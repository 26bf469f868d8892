// `npm run bench:http [-- --quick]`: compares the service with a bare server and with hand-written ones.
import { parseArgs } from 'node:util';
import {
  CHANGES,
  MACRO,
  openStage,
  requireSameAnswers,
  sampleOf,
  startBare,
  startByHand,
  startOurs,
  startRedis,
} from './contenders.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { CONNECTIONS, round } from './rounds.mjs';
import { measuring, within } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    store: { type: 'string' },
  },
});
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 0.5 : 1.2));
const accounts = options.quick ? 320 : 1_600;
const store = options.store ?? (options.quick ? 'redis' : 'both');
const AIM = 0.7;

await measuring(async (defer) => {
  const redis = store === 'memory' ? null : await startRedis(defer);
  if (redis === null && store !== 'memory')
    console.error('redis-server is not installed: only the memory store is measured');
  const stage = await openStage(defer, { accounts, vintages: options.quick ? 2 : 4 });
  const stores = [
    ...(redis === null ? [] : [{ name: 'Redis', redisUrl: redis.url, redis }]),
    ...(store === 'redis' ? [] : [{ name: 'memory', redisUrl: null, redis: null }]),
  ];
  const { rows } = await query(stage.lease, 'SHOW server_version');
  const versions = [
    `PostgreSQL ${rows[0].server_version} (embedded)`,
    ...(redis ? [`Redis ${redis.version}`] : []),
  ];
  console.log(
    `\n${conditions(versions)}; ${rounds} rounds of ${seconds} s, ${CONNECTIONS} connections, ${accounts} keys`,
  );
  for (const one of stores) await measureStore(defer, stage, one);
});

async function query(lease, sql) {
  const { default: pg } = await import('pg');
  const client = new pg.Client(lease.connection('api'));
  await client.connect();
  const result = await client.query(sql);
  await client.end();
  return result;
}

/** Starts the contenders of one store, measures them by turns, and stops them. */
function measureStore(outer, stage, store) {
  return within(outer, async (defer) => {
    const ours = await startOurs(defer, stage, store);
    const staged = { ...stage, ours };
    const byHand = (name, answers, reading) =>
      startByHand(defer, staged, { ...store, name, answers, reading });
    const servers = {
      bare: await startBare(defer, staged),
      hand: await byHand('by hand', 'none', 'statement'),
      kept: await byHand('by hand, cached', 'kept', 'statement'),
      snapshot: await byHand('by hand, in a snapshot', 'none', 'snapshot'),
      ours,
    };
    await requireSameAnswers([ours, servers.hand, servers.kept, servers.snapshot], stage.keys[0]);
    print(store, await takeTurns(await cellsOf(servers, stage.keys[0]), staged, store));
  });
}

async function cellsOf({ bare, hand, kept, snapshot, ours }, key) {
  const get = (path, headers) => ({
    expected: headers === undefined ? 200 : 304,
    ask: (one) => ({ path, headers: { authorization: `Bearer ${one}`, ...headers } }),
  });
  // Each server's own ETag, because the cursors in the bodies differ.
  const tags = new Map();
  for (const server of [bare, hand, kept, ours])
    tags.set(server, (await sampleOf(server, CHANGES, key)).headers.etag);
  let asked = 0;
  const fresh = {
    expected: 200,
    // An `until` that no earlier request used and that selects the same rows, so that no cached response matches.
    ask: (one) => {
      asked += 1;
      const until = new Date(Date.UTC(2027, 0, 1) + asked).toISOString();
      return { path: `${CHANGES}&until=${until}`, headers: { authorization: `Bearer ${one}` } };
    },
  };
  const cells = (question, servers, how) =>
    servers.map((server) => ({ question, server, ...(typeof how === 'function' ? how(server) : how) }));
  return [
    ...cells('changes?limit=20', [bare, hand, kept, ours], get(CHANGES)),
    ...cells('macro/gdp-growth?region=JP', [bare, hand, kept, ours], get(MACRO)),
    ...cells('304 of changes?limit=20', [bare, hand, kept, ours], (server) =>
      get(CHANGES, { 'if-none-match': tags.get(server) }),
    ),
    ...cells('changes, every request a cache miss', [hand, snapshot, ours], fresh),
  ];
}

/** Measures all cells once, then all again: a disturbance of the machine affects all of them. */
async function takeTurns(cells, stage, store) {
  const shared = {
    postgres: stage.postgres,
    redis: store.redis?.pid ?? null,
    countedInRedis: store.redis?.counted ?? (() => 0),
  };
  const measured = cells.map((cell) => ({ ...cell, rounds: [] }));
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const cell of measured) {
      const warmUp = turn === 0;
      const length = warmUp ? Math.min(seconds, 0.8) : seconds;
      const result = await round({ ...cell, seconds: length, keys: stage.keys, shared });
      if (!warmUp) cell.rounds.push(result);
    }
    console.error(turn === 0 ? `${store.name}: warmed up` : `${store.name}: round ${turn} of ${rounds}`);
  }
  return measured;
}

function print(store, cells) {
  for (const question of new Set(cells.map((cell) => cell.question))) {
    const group = cells.filter((cell) => cell.question === question);
    const baseline = group.find(({ server }) => server.name === 'by hand');
    const rows = group.map(({ server, rounds: measured }) => {
      const microseconds = (name) =>
        median(measured.map(({ cpu, requests }) => (cpu[name] / requests) * 1e6));
      return [
        server.name,
        spread(perCpuSecond(measured)),
        spread(ratios(measured, baseline.rounds), 2),
        rounded(microseconds('server')),
        rounded(microseconds('postgres')),
        store.redis === null ? '–' : rounded(microseconds('redis')),
        spread(measured.map(({ requests, seconds: length }) => requests / length)),
        rounded(median(measured.map(({ latency }) => latency.p99))),
        rounded(median(measured.map(({ cpu, seconds: length }) => cpu.client / length)) * 100),
        store.redis === null
          ? '–'
          : rounded(Math.min(...measured.map(({ counted, requests }) => counted / requests)) * 100),
      ];
    });
    const head = [
      `${question}, limits in ${store.name}`,
      'requests / CPU s',
      'ratio to by hand',
      'µs node',
      'µs PostgreSQL',
      'µs Redis',
      'requests / s',
      'p99 ms',
      'client CPU %',
      'counted in Redis, least %',
    ];
    console.log(`\n${table(head, rows)}`);
    const ratio = median(ratios(group.at(-1).rounds, baseline.rounds));
    console.log(`ours ≥ ${AIM} × by hand: ${ratio >= AIM ? 'met' : 'MISSED'} (${rounded(ratio, 2)})`);
  }
}

function perCpuSecond(measured) {
  return measured.map(({ cpu, requests }) => requests / cpu.server);
}

/** Compares round by round, so that each server is compared with its neighbours in time. */
function ratios(measured, baseline) {
  const base = perCpuSecond(baseline);
  return perCpuSecond(measured).map((value, at) => value / base[at]);
}
