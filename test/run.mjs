// `npm test`: every suite on the embedded engine, then those that use a database again on a PostgreSQL server
// where one is found. `npm test -- --engine embedded --selectProjects http` and the like narrow it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { embeddedEngine, makeTemplates, SERVER, serverEngine } from './support/test-database.mjs';

const root = path.dirname(import.meta.dirname);
/** What depends on the database server, and therefore can run on each kind of it. */
const ON_SERVERS = ['http', 'mcp', 'publishing', 'contract'];
/** What does without being asked for. The others do as two instances behind a load balancer: `npm run test:together`. */
const ALSO_ON_SERVERS = ['publishing', 'contract'];

const ALONE = ['limits', 'faults'];
const TOGETHER = ['--maxWorkers=3', '--passWithNoTests'];
/** What takes long and says nothing about the server, the reading of publishers' files among it: once is enough. */
const ONCE = [
  '--testPathIgnorePatterns',
  'oracle|shared|memory|starter|worldbank|ecb|eia|treasury|pinksheet|bls|estat|gleif|sec|releases|moves|ranges',
  'download|monitoring|openapi|messages|house|errors',
  '/(register|bad-rows|commands|import-files|noted-origins|routes|own|reference|figures|hot-queries)\\.spec',
];

const args = process.argv.slice(2);
const at = args.indexOf('--engine');
const only = at < 0 ? null : args.splice(at, 2)[1];

if (!run([path.join(root, 'scripts/build.mjs'), '--if-stale'])) process.exit(1);

const total = { passed: 0, failed: 0, skipped: 0 };
let passed = true;
if (only !== 'server') passed = await suites(await embeddedEngine(), args);
if (only !== 'embedded') {
  const server = await serverEngine(SERVER);
  if (server !== null) passed = (await suites(server, narrowed(args))) && passed;
  else
    say(
      `PostgreSQL server: none answers at ${new URL(SERVER).host}, so no suite ran on one (set TEST_DATABASE_URL to have them)`,
    );
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(passed && total.passed > 0 ? 0 : 1);

async function suites(engine, jestArguments) {
  if (jestArguments === null) return true;
  say(`Suites on ${engine.name}`);
  const templates = await makeTemplates(engine);
  const folder = mkdtempSync(path.join(tmpdir(), 'tidemark-results-'));
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  let passed = true;
  for (const [turn, given] of turnsOf(jestArguments).entries()) {
    const results = path.join(folder, `results-${turn}.json`);
    passed = run([jest, '--json', '--outputFile', results, ...given], templates.environment) && passed;
    count(results);
  }
  rmSync(folder, { recursive: true, force: true });
  await templates.drop();
  await engine.release();
  return passed;
}

/** What watches processes runs two at a time, by itself; all else three at a time, for they often wait for a database. */
function turnsOf(jestArguments) {
  if (jestArguments.includes('--selectProjects')) return [jestArguments];
  return [
    [...jestArguments, '--maxWorkers=2', '--passWithNoTests', '--selectProjects', ...ALONE],
    [...jestArguments, ...TOGETHER, '--ignoreProjects', ...ALONE],
  ];
}

/** The same call, for the suites that a server can change; null when none of those was asked for. */
function narrowed(jestArguments) {
  const chosen = jestArguments.indexOf('--selectProjects');
  if (chosen < 0) return [...jestArguments, ...TOGETHER, ...ONCE, '--selectProjects', ...ALSO_ON_SERVERS];
  let end = chosen + 1;
  while (
    end < jestArguments.length &&
    !jestArguments[end].startsWith('-') &&
    !/[./]/.test(jestArguments[end])
  )
    end += 1;
  const projects = jestArguments.slice(chosen + 1, end).filter((name) => ON_SERVERS.includes(name));
  if (projects.length === 0) return null;
  return [...jestArguments.slice(0, chosen), '--selectProjects', ...projects, ...jestArguments.slice(end)];
}

function count(results) {
  if (!existsSync(results)) return;
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  total.passed += numPassedTests;
  total.failed += numFailedTests;
  total.skipped += numPendingTests;
}

function run(scriptAndArguments, environment = {}) {
  const { status } = spawnSync(process.execPath, scriptAndArguments, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

function say(line) {
  console.log(`\n▸ ${line}\n`);
}
