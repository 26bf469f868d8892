// `npm test`: the suites without the mark `// runs: in full only`, on the embedded engine; loops over much take a slice
// (test/support/exhaustive.ts). With arguments, the suites that they name, whatever their mark.
// `npm run test:exhaustive`: every suite in full, on a PostgreSQL server if one responds.
// Each run proves something else:
// - the embedded engine (the newest PostgreSQL): that the service does what it promises;
// - the server (on CI the oldest PostgreSQL installed): that no promise depends on the version;
// - `npm run test:together`: that two instances behind nginx respond as one.
import '../scripts/require-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { SERVER, serverEngine } from './support/test-database.mjs';

const root = path.dirname(import.meta.dirname);
/** These suites watch processes: two at a time, before all others, which often wait for a database. */
const ALONE = ['limits', 'faults'];
/** One more than there are cores, because a suite waits for its database; each may need 700 MB. */
const WORKERS = Math.min(availableParallelism() + 1, 8);

/**
 * So many suites may run once more, alone, in a run of all: two of three runs in CI failed by one test of
 * 5,500, which passed when it ran again. What is broken fails twice; the last lines name what did not.
 */
const FEW = 3;

const args = process.argv.slice(2);
const mode = /^--(exhaustive|together)$/.test(args[0] ?? '') ? args.shift() : '--short';
const isWholeRun = args.length === 0;
const isWhole = mode === '--short' && isWholeRun;
const selects = args.some((one) => /^--(select|ignore)Projects$/.test(one));
const total = { passed: 0, failed: 0, skipped: 0 };
/** Suites that failed beside others and passed alone. */
const repeated = [];
const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-results-'));
const started = performance.now();
const paces = isWhole ? [pace()] : [];
let passed = true;

if (mode === '--short') {
  say('Suites on the embedded engine');
  every(['plans'], {}, isWhole ? 'short' : null);
} else {
  const server = await serverEngine(SERVER);
  const environment = server === null ? {} : { TIDEMARK_TEST_SERVER: SERVER };
  const engine = server === null ? 'the embedded engine' : server.name;
  say(mode === '--together' ? `Suites on two instances and ${engine}` : `Every suite in full, on ${engine}`);
  if (mode === '--together') jest([], WORKERS, environment, 'together');
  else every([], { TIDEMARK_EXHAUSTIVE: '1', ...environment });
}
rmSync(folder, { recursive: true, force: true });
const seconds = String(Math.round((performance.now() - started) / 1_000));
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped in ${seconds} s`);
if (repeated.length > 0) console.log(`Failed beside others and passed alone: ${repeated.join(', ')}`);
// For `npm run budget`.
const cpu = cpuSeconds();
if (cpu !== null) console.log(`${cpu} s of CPU`);
if (isWhole && passed && repeated.length === 0 && cpu !== null) {
  const [before, after] = [...paces, pace()];
  const units = Math.round((2 * cpu) / (before + after));
  console.log(`${units} times a fixed piece of work, which took ${before.toFixed(2)} and ${after.toFixed(2)} s`);
  writeFileSync(path.join(root, 'node_modules/.cache/test-units'), String(units));
}
process.exit(passed && total.passed > 0 ? 0 : 1);

/** @param {string[]} without projects that are left out unless the arguments select projects */
function every(without, environment, marked = null) {
  if (selects) return jest([], WORKERS, environment);
  jest(['--selectProjects', ...ALONE], 2, environment, marked);
  jest(['--ignoreProjects', ...ALONE, ...without], WORKERS, environment, marked);
}

/** @param {string | null} marked the run whose marks select suites; null: no mark does */
function jest(projects, workers, environment, marked = null) {
  const filter = marked === null ? [] : ['--filter', path.join(root, 'test/support/suites.cjs')];
  const first = results([...filter, ...projects, '--maxWorkers', String(workers), ...args], {
    ...environment,
    TIDEMARK_SUITES: marked ?? '',
  });
  const failed = first.suites.filter(({ status }) => status === 'failed').map(({ name }) => name);
  count(first, 1);
  if (first.passed || failed.length === 0 || failed.length > FEW || !isWholeRun) {
    passed = passed && first.passed;
    return;
  }
  say(`${String(failed.length)} failed; once more, alone`);
  const again = results([...projects, '--runInBand', '--runTestsByPath', ...failed], environment);
  passed = passed && again.passed;
  if (again.passed) repeated.push(...failed.map((name) => path.relative(root, name)));
  count({ ...first, suites: first.suites.filter(({ name }) => failed.includes(name)) }, -1);
  count(again, 1);
}

/** What Jest reports of one run: its suites, each with its tests. */
function results(given, environment) {
  const file = path.join(folder, 'results.json');
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/jest/bin/jest.js'), '--json', '--outputFile', file, '--passWithNoTests', ...given],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } },
  );
  const suites = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [];
  rmSync(file, { force: true });
  return { passed: status === 0, suites };
}

/** @param {1 | -1} sign */
function count({ suites }, sign) {
  for (const { status } of suites.flatMap(({ assertionResults }) => assertionResults)) {
    total[status === 'passed' || status === 'failed' ? status : 'skipped'] += sign;
  }
}

/**
 * The CPU time of the ended processes below this one, which other work on the machine hardly lengthens: members `cutime` and
 * `cstime` of proc(5), in hundredths of a second. null elsewhere than on Linux.
 */
function cpuSeconds() {
  if (!existsSync('/proc/self/stat')) return null;
  const members = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Math.round((Number(members[13]) + Number(members[14])) / 100);
}

/** Seconds of CPU of a fixed piece of work: one machine takes half as long as another, and as itself in another hour. */
function pace() {
  const { user } = process.cpuUsage();
  for (let turn = 0; turn < 40; turn += 1) {
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, name: `row ${at % 997}` }));
    const sorted = JSON.parse(JSON.stringify(rows)).sort((one, other) => one.name.localeCompare(other.name));
    if (sorted.length !== rows.length) throw new Error('Rows were lost');
  }
  return process.cpuUsage({ user, system: 0 }).user / 1e6;
}

function say(line) {
  console.log(`\n▸ ${line}\n`);
}
