import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Connections, DatabaseRole } from '../../src/store/connections.js';
import { asAdmin, type TestDatabase } from './database.js';
import { freePort } from './free-port.mjs';
import { Lifeline } from './lifeline.js';
import { until } from './until.js';

const PGBOUNCER = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync);
const ROLES = ['api', 'account', 'import'] as const;
/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;

/** `describe`, or a skipped suite whose name states what is missing. */
export const describeWithPooler = (name: string, suite: () => void): void =>
  PGBOUNCER === undefined ? describe.skip(`no pgbouncer: ${name}`, suite) : describe(name, suite);

/** PgBouncer in transaction mode in front of a database, with a login for each role but that of the owner. */
export interface Pooler {
  readonly connections: Connections;
  /** The login of a role, which the tests may give settings. */
  login(role: (typeof ROLES)[number]): string;
  /** New sessions take over changed settings of their logins. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPooler({ connections: direct, name }: TestDatabase): Promise<Pooler> {
  const own = `tidemark_pooled_${randomBytes(4).toString('hex')}`;
  const login = (role: DatabaseRole): string => `${own}_${role}`;
  const password = randomBytes(16).toString('hex');
  await asAdmin(async (client) => {
    for (const role of ROLES) {
      await client.query(`CREATE ROLE ${login(role)} LOGIN PASSWORD '${password}' IN ROLE tidemark_${role}`);
    }
  });
  // PgBouncer runs under another user, which may not open the socket of the embedded server.
  const lifeline = await Lifeline.to(direct);
  const { port: serverPort, connectionString } = lifeline.connections.to('admin');
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'tidemark-pooler-'))];
  const users = [...ROLES.map(login), 'console'].map((user) => `"${user}" "${password}"`);
  await writeFile(join(folder, 'users.txt'), users.join('\n'));
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${name} = host=127.0.0.1 port=${connectionString === undefined ? serverPort : new URL(connectionString).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
admin_users = console
pool_mode = transaction
default_pool_size = 6
`,
  );
  await chmod(folder, 0o755);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PGBOUNCER ?? '', [join(folder, 'pgbouncer.ini')], { ...user, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const to = (user: string, database: string) => ({ host: '127.0.0.1', port, user, password, database });
  const reconnect = async (): Promise<void> => {
    const client = new pg.Client(to('console', 'pgbouncer'));
    await client.connect();
    await client.query('RECONNECT').finally(() => client.end());
  };
  await until(20_000, 'the pooler', () =>
    reconnect().then(
      () => true,
      () => false,
    ),
  );
  return {
    connections: {
      ...direct,
      engine: 'server',
      to: (role) => (role === 'admin' ? direct.to(role) : { ...to(login(role), name), role: null }),
    },
    login,
    reconnect,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await lifeline.cut();
      await asAdmin(async (client) => {
        for (const role of ROLES) await client.query(`DROP ROLE ${login(role)}`);
      });
      await rm(folder, { recursive: true });
    },
  };
}
