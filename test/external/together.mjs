// `npm run test:together`: runs the suites marked `// runs: on two instances` again, with two instances that share a Redis,
// behind nginx with the deployment's configuration, in place of each server. What holds for one process must hold for the
// service: keys, plans, counts, publications, cursors, ETags, sessions and errors. Uses a PostgreSQL server if one responds.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../support/free-port.mjs';
import { root } from './command.mjs';

const COUNTS = 'stops the clock and Redis; here they are those of all instances';
const CLOCK = 'moves the clock past limits by hand; here they follow the clock of Redis';
const DIRECT = 'sends bytes that nginx checks first, in its own way';
const ADDRESS = 'claims client addresses; nginx puts its own in their place';

/** Tests of these suites (by a part of their titles) that cannot run so, each with the reason. */
const NOT_TOGETHER = [
  { file: 'http/own-data', tests: ['sees nothing of another'], why: CLOCK },
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
  { file: 'http/pages', tests: ['respond with 404 to an unreadable path'], why: DIRECT },
];

for (const needed of ['nginx', 'redis-server']) {
  if (spawnSync('which', [needed]).status === 0) continue;
  console.log(`skipped: ${needed} is not installed\n\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}

const port = await freePort();
const redis = spawn(
  'redis-server',
  ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--databases', '4096'],
  { stdio: 'ignore' },
);
for (const { file, tests, why } of NOT_TOGETHER) console.log(`not so: ${file} (${tests.length} tests): ${why}`);
const names = NOT_TOGETHER.flatMap(({ tests }) => tests);
const args = [
  '--together',
  // Twice the processes take longer to start on a busy machine.
  '--testTimeout=240000',
  '--testNamePattern',
  `^(?!.*(${names.map(literal).join('|')}))`,
  ...process.argv.slice(2),
];
const { status } = spawnSync(process.execPath, [path.join(root, 'test/run.mjs'), ...args], {
  stdio: 'inherit',
  env: { ...process.env, TIDEMARK_TEST_INSTANCES: '2', TIDEMARK_TEST_REDIS: `redis://127.0.0.1:${port}` },
});
redis.kill();
process.exit(status ?? 1);

function literal(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
