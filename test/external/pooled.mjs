// `npm run test:pooled [-- SUITES]`: runs the suites of HTTP and MCP on a PostgreSQL server behind PgBouncer in transaction
// mode (`pooler.spec.ts` has its own, and what differs there). Skipped where either is missing.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../support/free-port.mjs';
import { SERVER, serverEngine } from '../support/test-database.mjs';
import { root } from './command.mjs';

const ROLES = ['api', 'account', 'import'];
/** These start processes, with one URL for all roles: a pooler keeps no role, and refuses them. */
const BY_ONE_URL =
  'tracing|processes|draining|event-loop|uncaught|notification-faults|empty-database|hostile|hostile-cost|request-target';
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

const installed = spawnSync('which', ['pgbouncer'], { env: { PATH: `${process.env.PATH}:/usr/sbin` } });
const server = await serverEngine(SERVER);
if (installed.status !== 0 || server === null) {
  const missing = server === null ? 'no PostgreSQL server responds' : 'pgbouncer is not installed';
  console.log(`skipped: ${missing}\n\n0 passed, 0 failed, 1 skipped`);
  process.exit(0);
}

// Migrations make the roles that the logins belong to.
const first = spawnSync(process.execPath, ['test/run.mjs', '--exhaustive', 'test/http/health.spec.ts'], {
  cwd: root,
  stdio: 'inherit',
});
if (first.status !== 0) process.exit(1);
await forEachRole((role) => [
  `DROP ROLE IF EXISTS tidemark_test_${role}`,
  `CREATE ROLE tidemark_test_${role} LOGIN IN ROLE tidemark_${role}`,
]);

const { hostname, port: serverPort } = new URL(SERVER);
const [port, folder] = [await freePort(), mkdtempSync(path.join(tmpdir(), 'tidemark-pooled-'))];
writeFileSync(path.join(folder, 'users.txt'), ROLES.map((role) => `"tidemark_test_${role}" ""`).join('\n'));
writeFileSync(
  path.join(folder, 'pgbouncer.ini'),
  `[databases]
* = host=${hostname} port=${serverPort || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
`,
);
chmodSync(folder, 0o755);
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const pooler = spawn(installed.stdout.toString().trim(), [path.join(folder, 'pgbouncer.ini')], {
  ...user,
  stdio: 'ignore',
});
// It may end before the suites do.
const poolerEnded = once(pooler, 'exit');
const suites = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [
    'test/run.mjs',
    '--exhaustive',
    '--testPathIgnorePatterns',
    `/(pooler|${BY_ONE_URL})\\.spec`,
    '--',
    ...(suites.length > 0 ? suites : ['test/http/', 'test/mcp/']),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TIDEMARK_TEST_POOLER: `postgres://127.0.0.1:${port}` } },
);
const [code] = await once(child, 'exit');
pooler.kill();
await poolerEnded;
rmSync(folder, { recursive: true });
// They have no password.
await forEachRole((role) => [`DROP ROLE tidemark_test_${role}`]);
process.exit(code ?? 1);

async function forEachRole(statementsOf) {
  const admin = new pg.Client({ connectionString: SERVER });
  await admin.connect();
  for (const statement of ROLES.flatMap(statementsOf)) await admin.query(statement);
  await admin.end();
}
