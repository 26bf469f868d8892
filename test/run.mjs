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
const WORKERS = ['--maxWorkers', String(Math.min(availableParallelism() + 1, 8))];

const args = process.argv.slice(2);
const mode = /^--(exhaustive|together)$/.test(args[0] ?? '') ? args.shift() : '--short';
const isWhole = mode === '--short' && args.length === 0;
const selects = args.some((one) => /^--(select|ignore)Projects$/.test(one));
const total = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-results-'));
const started = performance.now();
let passed = true;

if (mode === '--short') {
  say('Suites on the embedded engine');
  every(['plans'], {}, isWhole ? 'short' : null);
} else {
  const server = await serverEngine(SERVER);
  const environment = server === null ? {} : { TIDEMARK_TEST_SERVER: SERVER };
  const engine = server === null ? 'the embedded engine' : server.name;
  say(mode === '--together' ? `Suites on two instances and ${engine}` : `Every suite in full, on ${engine}`);
  if (mode === '--together') jest([...WORKERS, ...args], environment, 'together');
  else every([], { TIDEMARK_EXHAUSTIVE: '1', ...environment });
}
rmSync(folder, { recursive: true, force: true });
const seconds = String(Math.round((performance.now() - started) / 1_000));
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped in ${seconds} s`);
// For `npm run budget`.
if (isWhole && passed) writeFileSync(path.join(root, 'node_modules/.cache/test-seconds'), seconds);
process.exit(passed && total.passed > 0 ? 0 : 1);

/** @param {string[]} without projects that are left out unless the arguments select projects */
function every(without, environment, marked = null) {
  if (selects) return jest(args, environment);
  jest(['--selectProjects', ...ALONE, '--maxWorkers', '2', ...args], environment, marked);
  jest(['--ignoreProjects', ...ALONE, ...without, ...WORKERS, ...args], environment, marked);
}

/** @param {string | null} marked the run whose marks select suites; null: no mark does */
function jest(given, environment, marked = null) {
  const filter = marked === null ? [] : ['--filter', path.join(root, 'test/support/suites.cjs')];
  const results = path.join(folder, 'results.json');
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...['--json', '--outputFile', results, '--passWithNoTests', ...filter, ...given],
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TIDEMARK_SUITES: marked ?? '', ...environment } },
  );
  passed = passed && status === 0;
  if (!existsSync(results)) return;
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  rmSync(results);
  total.passed += numPassedTests;
  total.failed += numFailedTests;
  total.skipped += numPendingTests;
}

function say(line) {
  console.log(`\n▸ ${line}\n`);
}
