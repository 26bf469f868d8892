// `npm run bench:http [-- --quick] [--directus] [--save]`: the CPU of a request, of the service and of servers by hand.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fillTables } from './by-hand/tables.mjs';
import { CHANGES, hardeningIn, openStage, sampleOf, startByHand, startOurs, startRedis } from './contenders.mjs';
import { installDirectus, startDirectus } from './directus.mjs';
import { costOf, goalRows } from './goals.mjs';
import { conditions, median, rounded, spread, table } from './medians.mjs';
import { drawBars } from './picture.mjs';
import { cpuSeconds, treeCpuSeconds } from './processes.mjs';
import { COMPARED, questionsFor } from './questions.mjs';
import { CONNECTIONS, round } from './rounds.mjs';
import { measuring, ROOT, within } from './workspace.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    directus: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const isQuick = options.quick;
const rounds = Number(options.rounds ?? (isQuick ? 1 : 5));
const accounts = isQuick ? 320 : 1_600;
/** Requests of a fresh instance, in steps: the warm-up of each contender, and its curve. */
const WARM_UP = isQuick ? [160, 160] : [1_000, 1_000, 3_000, 3_000];
/** Computed pages need more: their code is not the cached pages'. */
const WARM_COMPUTED = isQuick ? 96 : 4_000;
const QUICK_AMOUNT = 96;
const STEADY = { rate: 100, amount: isQuick ? 96 : 1_600 };
const STEADY_QUESTIONS = ['wide', 'nest', 'kept', 'until', 'call', 'directus', 'directusKept'];
const IDLE_SECONDS = isQuick ? 1 : 5;
const [BEGIN, END] = ['<!-- measured by bench:http -->', '<!-- end -->'];

await measuring(async (defer) => {
  const redis = await startRedis(defer);
  if (redis === null) throw new Error('redis-server is not installed, and the limits are counted in Redis');
  const stage = await openStage(defer, { accounts, vintages: isQuick ? 2 : 4 });
  const prepared = await prepare(defer, stage, redis);
  const program = options.directus ? await installDirectus() : null;
  if (!options.directus) console.error('Directus is left out: --directus is not given');
  const directus =
    program === null
      ? {}
      : await startDirectus(defer, program, { name: 'directus', from: prepared.connection, redisUrl: redis.url });
  const servers = { ...(await startContenders(defer, stage, redis, prepared)), ...directus };
  await requireSamePages(servers, stage.keys[0]);
  const shared = { postgres: stage.postgres, redis: redis.pid, countedInRedis: redis.counted };
  const questions = questionsFor(servers, prepared).map((one) => ({ ...one, rounds: [] }));
  const ask = (question, amount) =>
    round({ ...question, keys: stage.keys, shared, amount: isQuick ? Math.min(amount, QUICK_AMOUNT) : amount });
  const curves = await warmUp(questions, (question, amount) =>
    round({ ...question, keys: stage.keys, shared, amount }),
  );
  const idle = await idleCosts(shared);
  for (let turn = 0; turn <= rounds; turn += 1) {
    for (const question of turn % 2 === 0 ? questions : questions.toReversed()) {
      const isWarmUp = turn === 0;
      const amount = isWarmUp && question.id === 'until' ? WARM_COMPUTED : question.amount;
      const measured = await ask(question, amount);
      if (!isWarmUp) question.rounds.push(measured);
    }
    console.error(turn === 0 ? 'warmed up' : `round ${turn} of ${rounds}`);
  }
  const steady = await steadyRounds(questions, stage.keys, shared);
  await report(questions, { curves, idle, steady, redis });
});

/** The contenders' tables and our cursors, by an instance that is gone when the measured one starts. */
function prepare(outer, stage, redis) {
  return within(outer, async (defer) => {
    const ours = await startOurs(defer, stage, { redisUrl: redis.url });
    let asked = 0;
    const ask = async (target) => {
      asked += 1;
      const { status, body } = await sampleOf(ours, target, stage.keys[asked % stage.keys.length]);
      if (status !== 200) throw new Error(`${target} answered ${status}: ${body.slice(0, 300)}`);
      return JSON.parse(body);
    };
    console.error('Filling the tables of the contenders by hand …');
    const admin = stage.lease.connection('admin');
    const { connection, cursors: hundreds, count } = await fillTables(admin, 'by_hand', stage.keys, ask);
    const cursors = await everyCursor(hundreds, ask);
    const page = await sampleOf(ours, CHANGES, stage.keys[0]);
    return { connection, cursors, count, tag: page.headers.etag, hardening: hardeningIn(page) };
  });
}

/** From each cursor of a hundred, one item at a time to the next: a cursor for each change. */
async function everyCursor(hundreds, ask) {
  const cursors = [];
  const left = [...hundreds];
  const walk = async () => {
    for (let cursor = left.shift(); cursor !== undefined; cursor = left.shift()) {
      for (let step = 0; step < 99 && cursor !== null; step += 1) {
        cursors.push(cursor);
        cursor = (await ask(`/api/v1/changes?limit=1&cursor=${cursor}`)).meta.page.nextCursor;
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, walk));
  return cursors;
}

async function startContenders(defer, stage, redis, { connection, hardening }) {
  const byHand = (name, script, from) =>
    startByHand(defer, stage, { name, script, table: from, redisUrl: redis.url, connection, hardening });
  return {
    flat: await byHand('F flat16', 'fastify-server.mjs', 'flat_changes'),
    wide: await byHand('F wide', 'fastify-server.mjs', 'wide_changes'),
    nest: await byHand('naive Nest', 'nest-server.mjs', 'wide_changes'),
    ours: await startOurs(defer, stage, { redisUrl: redis.url }),
  };
}

/** @throws unless `F wide` and `naive Nest` send our bytes, except for the cursor, whose secret differs */
async function requireSamePages({ ours, wide, nest }, key) {
  for (const target of COMPARED) {
    const [expected, ...others] = await Promise.all(
      [ours, wide, nest].map(async (server) => {
        const { status, body } = await sampleOf(server, target, key);
        return `${status} ${body.replace(/"nextCursor":"[^"]*"/, '')}`;
      }),
    );
    for (const other of others) {
      if (other === expected) continue;
      const at = [...expected].findIndex((character, index) => character !== other[index]);
      const near = (text) => text.slice(Math.max(0, at - 200), at + 200);
      throw new Error(`${target} is answered otherwise by hand:\n${near(other)}\n${near(expected)}`);
    }
  }
}

/** @returns by question: the rounds of a fresh instance's first requests */
async function warmUp(questions, ask) {
  const curves = new Map();
  for (const question of questions.filter(({ isPage }) => isPage)) {
    const steps = [];
    for (const amount of WARM_UP) steps.push(await ask(question, amount));
    curves.set(question.id, steps);
    console.error(`${question.name}: ${WARM_UP.reduce((sum, amount) => sum + amount)} requests of warm-up`);
  }
  return curves;
}

/** What PostgreSQL and Redis use a second while nobody asks: heartbeats, usage, statistics. */
async function idleCosts({ postgres, redis }) {
  const before = [treeCpuSeconds(postgres), cpuSeconds(redis)];
  await pause(IDLE_SECONDS * 1_000);
  return [treeCpuSeconds(postgres) - before[0], cpuSeconds(redis) - before[1]].map(
    (seconds) => (seconds / IDLE_SECONDS) * 1_000,
  );
}

async function steadyRounds(questions, keys, shared) {
  const steady = [];
  for (const question of questions.filter(({ id }) => STEADY_QUESTIONS.includes(id))) {
    const { latency } = await round({ ...question, ...STEADY, keys, shared });
    steady.push([question.name, latency.p50, latency.p99, latency.max]);
  }
  return steady;
}

async function report(questions, { curves, idle, steady, redis }) {
  const commit = execFileSync('git', ['-C', ROOT, 'describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const said = conditions([`Redis ${redis.version}`, `commit ${commit}`]);
  const goals = table(['goal', 'aim', 'measured', ''], goalRows(questions, curves));
  const costs = table(
    ['ms of CPU a request', 'server', 'PostgreSQL', 'Redis', 'sum', '÷ F wide', 'requests / s', 'p99 ms'],
    questions.map((question) => costRow(question, questions)),
  );
  let until = 0;
  const steps = WARM_UP.map((amount) => `to ${rounded((until += amount))}`);
  const warm = table(
    ['a fresh instance, ms of CPU a request', ...steps],
    [...curves].map(([id, measured]) => [
      questions.find((one) => one.id === id).name,
      ...measured.map((one) => rounded(costOf(one).sum, 2)),
    ]),
  );
  const fixed = table([`${STEADY.rate} requests / s`, 'p50 ms', 'p99 ms', 'most ms'], steady);
  const how = `${said}; ${rounds} rounds, ${CONNECTIONS} connections, ${rounded(accounts)} keys. While nobody asked, PostgreSQL used ${rounded(idle[0], 1)} ms of CPU a second and Redis ${rounded(idle[1], 1)}.`;
  const text = [goals, '![CPU a request](results.svg)', how, costs, warm, fixed].join('\n\n');
  console.log(`\n${text}`);
  if (!options.save) return;
  const shown = questions.map(({ name, rounds: measured }) => ({
    name,
    costs: ['server', 'postgres', 'redis'].map((part) => median(measured.map((one) => costOf(one)[part]))),
  }));
  await drawBars(path.join(import.meta.dirname, 'results.svg'), {
    title: 'CPU a request, in milliseconds',
    note: `Medians of ${rounds} rounds; ${said}`,
    rows: shown,
  });
  await replaceResults(text);
}

function costRow({ name, rounds: measured }, questions) {
  const base = questions.find(({ id }) => id === 'wide').rounds;
  const costs = measured.map(costOf);
  const middle = (part, digits = 3) => rounded(median(costs.map((cost) => cost[part])), digits);
  const ratios = costs.map(({ sum }, at) => sum / costOf(base[at]).sum);
  return [
    name,
    middle('server'),
    middle('postgres'),
    middle('redis'),
    middle('sum'),
    spread(ratios, 2),
    rounded(median(measured.map(({ requests, seconds }) => requests / seconds))),
    rounded(median(measured.map(({ latency }) => latency.p99))),
  ];
}

/** Writes the tables between the two marks of the README. */
async function replaceResults(text) {
  const file = path.join(import.meta.dirname, 'README.md');
  const readme = await readFile(file, 'utf8');
  const [before, after] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${file} lacks the marks of its tables`);
  await writeFile(file, `${readme.slice(0, before + BEGIN.length)}\n\n${text}\n\n${readme.slice(after)}`);
}
