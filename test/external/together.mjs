// Runs the http and mcp suites again, with two instances that share a Redis, behind nginx with the deployment's
// configuration, in place of each server: what holds for one process must hold for the service. Uses a PostgreSQL
// server if one responds, because `npm test` has run the suites on the embedded engine.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../support/free-port.mjs';
import { SERVER, serverEngine } from '../support/test-database.mjs';
import { root } from './command.mjs';

const COUNTS = 'stops the clock and Redis; here they are those of all instances';
const CLOCK = 'moves the clock past limits by hand; here they follow the clock of Redis';
const DIRECT = 'sends bytes that nginx checks first, in its own way';
const ADDRESS = 'claims client addresses; nginx puts its own in their place';
const ONE = 'is about one process: its memory, ports, log or connections';
const LONG = 'imports a great deal, which takes minutes and asks nothing more of two instances';
const OWN = 'starts its processes by itself, several of them already';

/** Files and tests (by a part of their titles) that cannot run so, each with the reason. */
const NOT_TOGETHER = [
  { file: 'http/every-answer', why: CLOCK },
  { file: 'http/property', why: CLOCK },
  { file: 'http/starter-any-day', why: CLOCK },
  { file: 'http/own-data', tests: ['sees nothing of another'], why: CLOCK },
  {
    file: 'http/client',
    tests: ['waits until the minute', 'longer than allowed', 'aborted signal'],
    why: CLOCK,
  },
  { file: 'http/limits', why: COUNTS },
  { file: 'http/withheld-everywhere', why: LONG },
  { file: 'shared', why: LONG },
  { file: 'mcp/evaluation/evaluation', why: LONG },
  { file: 'http/structure', tests: ['returns Allianz with its 237 direct children'], why: LONG },
  { file: 'http/response-cache-keys', why: ONE },
  { file: 'http/cached-responses', why: COUNTS },
  { file: 'mcp/cached-messages', why: COUNTS },
  { file: 'http/balancer', why: OWN },
  { file: 'http/warm-up', why: OWN },
  { file: 'http/pages', tests: ['past 120 a minute from one address'], why: COUNTS },
  { file: 'http/connections', why: DIRECT },
  { file: 'http/request-target', why: DIRECT },
  { file: 'http/spoofing', why: ADDRESS },
  { file: 'http/account-faults', why: ONE },
  { file: 'http/account-floods', why: ADDRESS },
  { file: 'http/account-hostile', why: 'sends more from one address than nginx admits' },
  { file: 'http/page-faults', why: ONE },
  { file: 'http/recent-usage', why: 'asks one instance to write what it counted' },
  { file: 'http/database-faults', why: ONE },
  { file: 'http/health', why: ONE },
  { file: 'http/draining', why: ONE },
  { file: 'http/metrics', why: ONE },
  { file: 'http/replica', why: ONE },
  { file: 'http/shedding', why: ONE },
  { file: 'http/tracing', why: ONE },
  { file: 'http/single-sign-on', why: ADDRESS },
  { file: 'http/single-sign-on-limits', why: ADDRESS },
  { file: 'mcp/oauth', why: CLOCK },
  { file: 'http/processes', why: OWN },
  { file: 'mcp/processes', why: OWN },
  {
    file: 'http/errors',
    tests: [
      'is 404 for a segment that names nothing, even when malformed: /api/v1/changes/%',
      'is 404 for a segment that names nothing, even when malformed: /api/v1/changes/chg_%00',
      'A malformed request',
      'puts 429 after 401 and 403 and before all else',
      'refuses a method with a body too, however large',
    ],
    why: DIRECT,
  },
  {
    file: 'http/keys',
    tests: ['failed attempts', 'An instance without its database'],
    why: `${ADDRESS}; failures are counted, and keys remembered, by each instance`,
  },
  {
    file: 'http/account-try',
    tests: ['counts a wrong key against the address'],
    why: 'failures are counted by each instance',
  },
  { file: 'http/enumeration', tests: ['costs a request for each guess'], why: COUNTS },
  {
    file: 'mcp/request-pipeline',
    tests: [
      'counts each tool call as one request',
      'counts a tool call that fails on its arguments',
      'counts nothing for handshake',
      'answers 429 above the limit, with retry-after and the seconds in words',
      'limits the free calls of',
      'refuses a batch whole',
    ],
    why: COUNTS,
  },
  { file: 'mcp/request-pipeline', tests: ['refuses a Host that holds more'], why: DIRECT },
];

for (const needed of ['nginx', 'redis-server']) {
  if (spawnSync('which', [needed]).status === 0) continue;
  console.log(`skipped: ${needed} is not installed\n\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}

const port = await freePort();
const redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
  stdio: 'ignore',
});
const files = NOT_TOGETHER.filter(({ tests }) => tests === undefined);
const names = NOT_TOGETHER.flatMap(({ tests = [] }) => tests);
for (const { file, tests, why } of NOT_TOGETHER) {
  console.log(`not so: ${file}${tests === undefined ? '' : ` (${tests.length} tests)`}: ${why}`);
}
const args = [
  ...['--engine', (await serverEngine(SERVER)) === null ? 'embedded' : 'server'],
  ...['--selectProjects', 'http', 'mcp', '--maxWorkers=3'],
  // Twice the processes take longer to start on a busy machine.
  '--testTimeout=240000',
  ...(files.length === 0
    ? []
    : ['--testPathIgnorePatterns', `(${files.map(({ file }) => file).join('|')})\\.spec`]),
  ...(names.length === 0 ? [] : ['--testNamePattern', `^(?!.*(${names.map(literal).join('|')}))`]),
  ...process.argv.slice(2),
];
const { status } = spawnSync(process.execPath, [path.join(root, 'test/run.mjs'), ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    TIDEMARK_TEST_INSTANCES: '2',
    TIDEMARK_TEST_REDIS: `redis://127.0.0.1:${port}`,
  },
});
redis.kill();
process.exit(status ?? 1);

function literal(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
