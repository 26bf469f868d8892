// `node bench/profile.mjs [--fresh]`: shows the CPU time of our server under load, by function and by package.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CHANGES, openStage, startOurs, startRedis } from './contenders.mjs';
import { rounded, table } from './medians.mjs';
import { round } from './rounds.mjs';
import { measuring, ROOT } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    fresh: { type: 'boolean', default: false },
    store: { type: 'string', default: 'redis' },
    seconds: { type: 'string', default: '6' },
  },
});
const SHOWN = 30;

await measuring(async (defer) => {
  const redis = options.store === 'redis' ? await startRedis(defer) : null;
  const stage = await openStage(defer, { accounts: 1_200, vintages: 4 });
  const profiles = path.join(stage.folder, 'profiles');
  const execArgv = ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const server = await startOurs(defer, stage, { redisUrl: redis?.url, execArgv });
  const shared = { postgres: stage.postgres, redis: redis?.pid ?? null, countedInRedis: redis?.counted ?? (() => 0) };
  let asked = 0;
  const ask = (key) => {
    asked += 1;
    const until = `&until=${new Date(Date.UTC(2027, 0, 1) + asked).toISOString()}`;
    return { path: options.fresh ? CHANGES + until : CHANGES, headers: { authorization: `Bearer ${key}` } };
  };
  const seconds = Number(options.seconds);
  const load = { server, ask, expected: 200, keys: stage.keys, shared };
  await round({ ...load, seconds: 2 });
  const { requests, cpu } = await round({ ...load, seconds });
  await server.stop();
  const [file] = await readdir(profiles);
  const spent = selfTimes(JSON.parse(await readFile(path.join(profiles, file), 'utf8')), seconds);
  const total = [...spent.values()].reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  console.log(`\n${requests} requests, ${rounded(cpu.server, 1)} CPU s, the profiler's own among them\n`);
  const share = (milliseconds) => `${rounded((milliseconds / total) * 100, 1)} %`;
  const functions = [...spent.values()].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SHOWN);
  console.log(
    table(
      ['function', 'self', 'where'],
      functions.map(({ name, where, milliseconds }) => [name, share(milliseconds), where]),
    ),
  );
  const packages = groupBy([...spent.values()]);
  const sums = [...packages].map(([name, all]) => [name, all.reduce((sum, one) => sum + one.milliseconds, 0)]);
  sums.sort((a, b) => b[1] - a[1]);
  console.log(
    `\n${table(
      ['package or folder', 'self'],
      sums.slice(0, SHOWN).map(([name, ms]) => [name, share(ms)]),
    )}`,
  );
});

/** The top of the stack at each sample of the last seconds, without idle time; the start is excluded. */
function selfTimes({ nodes, samples, timeDeltas, startTime, endTime }, seconds) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const spent = new Map();
  let now = startTime;
  for (const [at, id] of samples.entries()) {
    now += timeDeltas[at];
    if (now < endTime - seconds * 1e6) continue;
    const { functionName, url, lineNumber } = byId.get(id);
    if (functionName === '(idle)') continue;
    const where = url === '' ? '' : `${placeOf(url)}:${lineNumber + 1}`;
    const key = `${functionName} ${where}`;
    const one = spent.get(key) ?? { name: functionName || '(anonymous)', where, milliseconds: 0 };
    one.milliseconds += timeDeltas[at] / 1_000;
    spent.set(key, one);
  }
  return spent;
}

function placeOf(url) {
  const file = url.replace(/^file:\/\//, '');
  const [, inPackage] = /.*\/node_modules\/(.*)$/.exec(file) ?? [];
  return inPackage ?? path.relative(ROOT, file).replace(/^(\.\.\/)+/, '');
}

function packageOf({ name, where }) {
  if (where === '') return name;
  if (where.startsWith('node:')) return where.replace(/:\d+$/, '');
  return where
    .split('/')
    .slice(0, where.startsWith('@') || where.startsWith('dist/') ? 2 : 1)
    .join('/');
}

function groupBy(all) {
  const groups = new Map();
  for (const one of all) groups.set(packageOf(one), [...(groups.get(packageOf(one)) ?? []), one]);
  return groups;
}
