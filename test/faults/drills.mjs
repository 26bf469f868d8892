// `npm run drill [-- --short] [--json FILE] [name …]`: breaks a cluster and checks whether the promises hold.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, release } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT, undoAll, within } from '../../bench/workspace.mjs';
import { startCluster } from './cluster/cluster.mjs';
import { findPostgres } from './cluster/postgres.mjs';
import { storyOf } from './cluster/story.mjs';
import { watchStalls } from './stalls.mjs';

const FOLDER = path.join(import.meta.dirname, 'drills');
const TRIES = 3;
/** Above what a drill's own load delays a thread by: the machine stood still. */
const STALL_MS = 250;
/** The time limit for all drills in their short form. */
const SHORT_SECONDS = 480;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const drills = await findDrills();
if (options.list) {
  for (const { name, when } of drills) console.log(`${name.padEnd(28)} ${when}`);
  process.exit(0);
}
const unknown = positionals.filter((name) => !drills.some((drill) => drill.name === name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(', ')}. There are: ${drills.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const chosen = positionals.length > 0 ? drills.filter(({ name }) => positionals.includes(name)) : drills;
const build = spawnSync(process.execPath, [path.join(ROOT, 'scripts/build.mjs'), '--if-stale'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);

const longestStall = watchStalls();
const undo = [];
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(signal));

/** A cluster that several drills share, one after another: each leaves it as it found it. */
let kept = null;
const results = [];
for (const drill of chosen) {
  results.push(await carryOut(drill));
  // A signal ends the process after the clean-up.
  if (stopping) await new Promise(() => undefined);
}
await letGo();
const notRun = results.filter((result) => result.notRun !== undefined);
const failed = results.filter((result) => !result.met && result.notRun === undefined);
const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
const held = results.length - failed.length - notRun.length;
const names = (some) => some.map(({ name }) => name).join(', ');
// Again at the end, where a log that was cut still has it.
for (const { name, checks, figures } of failed)
  for (const { what, limit, found } of missedOf({ checks }))
    console.log(`✗ ${name}, longest stall ${figures.stallMs} ms: ${what}: ${found} (limit: ${limit})`);
const rest = [
  failed.length > 0 ? `; not: ${names(failed)}` : '',
  notRun.length > 0 ? `; not run: ${names(notRun)}` : '',
  options.short && seconds > SHORT_SECONDS ? `; ${SHORT_SECONDS} s are meant for all` : '',
];
console.log(`\n${held} of ${results.length} drills kept their promises, in ${Math.round(seconds)} s${rest.join('')}`);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify(record(await findPostgres()), null, 2)}\n`);
process.exit(failed.length > 0 ? 1 : 0);

function missedOf({ checks }) {
  return checks.filter(({ met }) => !met);
}

async function findDrills() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.drill.mjs'));
  const modules = await Promise.all(files.sort().map((file) => loaded(file)));
  // One module may contain several promises with shared code.
  return modules.flatMap(({ drill, drills: several }) => several ?? [drill]);
}

/** A drill that cannot be loaded fails as any drill, and does not stop the others. */
async function loaded(file) {
  return import(path.join(FOLDER, file)).catch((error) => {
    const run = () => Promise.reject(error);
    return { drill: { name: path.basename(file, '.drill.mjs'), when: 'not loaded', promise: '', run } };
  });
}

/**
 * A machine may stall by itself, while the effect of a fault recurs. So a drill that missed only times, or during which
 * the machine stood still, is repeated on a new cluster. All other checks must hold every time.
 */
async function carryOut(drill) {
  const began = performance.now();
  const { name, when, promise } = drill;
  console.log(`\n▸ ${name}: ${when}\n  ${promise}`);
  let outcome;
  for (let tries = 1; ; tries += 1) {
    await longestStall();
    outcome = await attempt(drill);
    const stallMs = Math.round(await longestStall());
    outcome.figures = { ...outcome.figures, tries, stallMs };
    const why = reasonToRepeat(outcome, stallMs);
    if (stopping || tries === TRIES || why === null) break;
    console.log(`  · tried again, because ${why}`);
    await letGo();
  }
  const seconds = (performance.now() - began) / 1_000;
  console.log(`  ${seconds.toFixed(1)} s`);
  const { checks, notRun } = outcome;
  const met = notRun === undefined && checks.length > 0 && checks.every((check) => check.met);
  return { name, when, promise, met, seconds, ...outcome };
}

/**
 * @returns {Promise<{ checks: Check[], figures?: object, notRun?: string }>} `notRun`: what this machine lacks for the
 * drill
 */
async function attempt(drill) {
  const say = (line) => console.log(`  · ${line}`);
  let used = null;
  const outcome = await within(
    (step) => undo.push(step),
    (own) => {
      const defer = stoppable(own);
      const cluster = async (asked) => (used = await clusterFor(defer, asked));
      return drill.run({ cluster, short: options.short, defer, say });
    },
  ).catch((error) => {
    if (!stopping) console.error(error);
    return { checks: [{ what: 'the drill ran to its end', limit: 'yes', found: error.message, met: false }] };
  });
  for (const { what, limit, found, met } of outcome.checks ?? []) {
    console.log(`  ${met ? '✓' : '✗'} ${what}: ${found} (limit: ${limit})`);
  }
  if (used !== null && outcome.checks?.some(({ met }) => !met)) storyOf(used).forEach(say);
  if (outcome.notRun !== undefined) console.log(`  – not run: ${outcome.notRun}`);
  return { checks: [], ...outcome };
}

function reasonToRepeat({ checks }, stallMs) {
  const missed = missedOf({ checks });
  if (missed.length === 0) return null;
  if (missed.every(({ timing }) => timing === true)) return 'nothing but times was missed';
  return stallMs > STALL_MS ? `the machine stood still for ${stallMs} ms` : null;
}

/** Returns the cluster kept under the name `share`, or a new one; only one runs at a time. */
async function clusterFor(defer, { share = null, ...asked } = {}) {
  if (share !== null && kept?.share === share) return kept.it;
  await letGo();
  if (share === null) return startCluster(defer, asked);
  const steps = [];
  const end = () => undoAll(steps);
  undo.push(end);
  const it = await startCluster(
    stoppable((step) => steps.push(step)),
    asked,
  );
  kept = { share, it, end };
  return it;
}

/** During the clean-up, a deferred action runs at once. */
function stoppable(defer) {
  return (step) => (stopping ? void undoAll([step]) : defer(step));
}

async function letGo() {
  const { end } = kept ?? {};
  kept = null;
  await end?.();
}

async function stop(signal) {
  if (stopping) return;
  stopping = true;
  console.error(`\n${signal}: ending what was started …`);
  await undoAll(undo);
  process.exit(130);
}

/** The facts that docs/explanation/reliability.md quotes: date, machine and command. */
function record(bin) {
  const version = (command, ...args) => {
    const { stdout = '', stderr = '' } = spawnSync(command, args, { encoding: 'utf8' });
    return /\d+(\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] ?? 'not found';
  };
  return {
    date: new Date().toISOString(),
    command: `npm run drill${process.argv.length > 2 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}`,
    versions: {
      tidemark: JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version,
      node: process.versions.node,
      postgresql: version(path.join(bin, 'postgres'), '--version'),
      redis: version('redis-server', '--version'),
      nginx: version('nginx', '-v'),
      linux: release(),
    },
    cores: availableParallelism(),
    /** Over the last 15 minutes: above a drill's own load, other programs are running. */
    load: loadavg()[2],
    short: options.short,
    drills: results,
  };
}
