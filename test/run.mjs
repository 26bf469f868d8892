// `npm test`: runs every suite on the embedded engine, then, if a PostgreSQL server responds, the suites with the first
// line `// runs: on each engine` again on that server. With `--engine server --selectProjects http`, the server runs
// the whole project. Each run proves something else:
// - the embedded engine (the newest PostgreSQL): that the service does what it promises;
// - the server (on CI the oldest PostgreSQL installed): that publishing, its tables and the plans of hot statements do not
//   depend on the version;
// - `npm run test:together`, also on the server: that two instances behind nginx respond as one, and that reading does
//   not depend on the version either. A suite of `http` or `mcp` has the first line only if that run leaves it out.
import '../scripts/require-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SERVER, serverEngine } from './support/test-database.mjs';

const root = path.dirname(import.meta.dirname);
/** These suites watch processes: two at a time, before all others, which often wait for a database. */
const ALONE = ['limits', 'faults'];

const args = process.argv.slice(2);
const at = args.indexOf('--engine');
const only = at < 0 ? null : args.splice(at, 2)[1];

const selects = args.includes('--selectProjects');
const total = { passed: 0, failed: 0, skipped: 0 };
const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-results-'));
let passed = true;

if (only !== 'server') {
  say('Suites on the embedded engine');
  if (selects) jest(args);
  else {
    jest(['--selectProjects', ...ALONE, '--maxWorkers=2', ...args]);
    jest(['--ignoreProjects', ...ALONE, '--maxWorkers=3', ...args]);
  }
}
if (only !== 'embedded') {
  const server = await serverEngine(SERVER);
  if (server === null) {
    say(
      `PostgreSQL server: none answers at ${new URL(SERVER).host}, so no suite ran on one (set TEST_DATABASE_URL to have them)`,
    );
  } else {
    say(`Suites on ${server.name}`);
    const chosen =
      only === 'server' && selects ? [] : ['--filter', path.join(root, 'test/support/on-each-engine.cjs')];
    jest([...chosen, ...(selects ? [] : ['--maxWorkers=3']), ...args], { TIDEMARK_TEST_SERVER: SERVER });
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(passed && total.passed > 0 ? 0 : 1);

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
