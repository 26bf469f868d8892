// `npm test`: every suite on the embedded engine; loops over much take a slice (test/support/exhaustive.ts). Then, if a
// PostgreSQL server responds, the suites marked `// runs: on each engine` again on it.
// `npm run test:exhaustive`: every suite in full, on that server if it responds.
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

const server = await serverEngine(SERVER);
const engine = server === null ? 'the embedded engine' : server.name;
const onServer = server === null ? {} : { TIDEMARK_TEST_SERVER: SERVER };
if (mode === '--together') {
  say(`Suites on two instances and ${engine}`);
  marked('two-instances', onServer);
} else if (mode === '--exhaustive') {
  say(`Every suite in full, on ${engine}`);
  every([], { TIDEMARK_EXHAUSTIVE: '1', ...onServer });
} else {
  say('Suites on the embedded engine');
  every(['plans']);
  say(server === null ? `No PostgreSQL server responds at ${new URL(SERVER).host}` : `Suites on ${engine}`);
  if (server !== null) marked('each-engine', onServer);
}
rmSync(folder, { recursive: true, force: true });
const seconds = String(Math.round((performance.now() - started) / 1_000));
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped in ${seconds} s`);
// For `npm run budget`.
if (isWhole && passed) writeFileSync(path.join(root, 'node_modules/.cache/test-seconds'), seconds);
process.exit(passed && total.passed > 0 ? 0 : 1);

/** @param {string[]} without projects that are left out unless the arguments select projects */
function every(without, environment = {}) {
  if (selects) return jest(args, environment);
  jest(['--selectProjects', ...ALONE, '--maxWorkers', '2', ...args], environment);
  jest(['--ignoreProjects', ...ALONE, ...without, ...WORKERS, ...args], environment);
}

function marked(suites, environment) {
  const filter = ['--filter', path.join(root, 'test/support/suites.cjs')];
  jest([...filter, ...WORKERS, ...args], { TIDEMARK_SUITES: suites, ...environment });
}

function jest(given, environment = {}) {
  const results = path.join(folder, 'results.json');
  const { status } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/jest/bin/jest.js'),
      ...['--json', '--outputFile', results, '--passWithNoTests', ...given],
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } },
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
