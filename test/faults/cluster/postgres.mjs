// A PostgreSQL of the cluster, 15 or newer, run by an unprivileged user.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { built, ROOT } from '../../../bench/workspace.mjs';
import { freePort } from '../../support/free-port.mjs';
import { Way } from './delay.mjs';
import { Family } from './program.mjs';
import { Ended, until } from './until.mjs';

const LOGINS = { admin: 'postgres', import: 'tidemark_publisher', api: 'tidemark_web', account: 'tidemark_accounts' };
const DATABASE = 'tidemark';
/** Templates that were unused for this long are deleted. */
const TEMPLATE_IDLE_MS = 24 * 3_600_000;
/** The template's files, which every cluster copies, should be small. */
const SMALL_LOG = ['min_wal_size=32MB', 'max_wal_size=64MB'];
const STARTER = path.join(ROOT, 'data/starter');

/** The folder of the server's programs: from `pg_config`, Debian's folders, or the embedded server's npm package. */
export async function findPostgres() {
  const folders = [];
  try {
    folders.push(execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    // `pg_config` is part of the development files only.
  }
  const debian = '/usr/lib/postgresql';
  if (existsSync(debian)) {
    const majors = readdirSync(debian).sort((one, other) => Number(other) - Number(one));
    folders.push(...majors.map((major) => path.join(debian, major, 'bin')));
  }
  const usable = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(path.join(folder, name))));
  if (usable !== undefined) return usable;
  const { findBinaries } = await import('@tidemark/embedded-postgres/binaries');
  const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-engine-'));
  return path.dirname((await findBinaries({ folder, user: serverUser() })).postgres);
}

/** PostgreSQL refuses to run as root; other users run it themselves. */
function serverUser() {
  if (process.getuid() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([login]) => login === name) ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" here');
}

export class Postgres extends Family {
  /** @type {Way | null} */
  way = null;

  constructor(name, { bin, data, port, settings = [] }) {
    super(name, () => ({
      file: path.join(bin, 'postgres'),
      // A killed process loses nothing without fsync, which protects against power cuts.
      args: [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        '',
        '-h',
        '127.0.0.1',
        ...['fsync=off', 'max_connections=120', ...settings].flatMap((setting) => ['-c', setting]),
      ],
      environment: {},
      folder: data,
      user: serverUser(),
    }));
    this.bin = bin;
    this.data = data;
    this.port = port;
  }

  /** The URL for a role, `admin`, `import`, `api` or `account`: direct, or as the service connects. */
  url(role, port = this.port) {
    return `postgres://${LOGINS[role]}@127.0.0.1:${port}/${DATABASE}`;
  }

  urlForService(role) {
    return this.url(role, this.way?.port ?? this.port);
  }

  async start() {
    super.start();
    await until(30_000, `${this.name}: ${this.output().slice(-500)}`, () => this.answers());
  }

  async answers() {
    if (!this.running) throw new Ended(`${this.name} ended: ${this.output().slice(-1_000)}`);
    return (await this.query('SELECT 1', [], 'postgres')).length === 1;
  }

  /**
   * Runs SQL as superuser, on a new connection.
   * @returns {Promise<Record<string, any>[]>}
   */
  async query(sql, values = [], database = DATABASE) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database,
      connectionTimeoutMillis: 2_000,
      application_name: 'harness',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Fast shutdown: sessions end, and no data is lost. */
  stop(signal = 'SIGINT') {
    return super.stop(signal);
  }

  delay(ms) {
    return this.#reached().delay(ms);
  }

  cut() {
    return this.#reached().cut();
  }

  mend() {
    return this.#reached().mend();
  }

  pauseReplay() {
    return this.query('SELECT pg_wal_replay_pause()');
  }

  resumeReplay() {
    return this.query('SELECT pg_wal_replay_resume()');
  }

  #reached() {
    if (this.way === null) throw new Error(`${this.name} is not among the cluster's "delayable"`);
    return this.way;
  }
}

/** A migrated server with content, copied from a template that all clusters of the same code share. */
export async function startPostgres(defer, { folder, content, delayable }) {
  const bin = await findPostgres();
  const template = await templateOf(defer, bin, content);
  const data = path.join(folder, 'postgres');
  await copyAsServer(template, data);
  const server = new Postgres('postgres', { bin, data, port: await freePort() });
  defer(() => server.end());
  await server.start();
  if (delayable) server.way = await Way.to(server.port, defer);
  return server;
}

/** A streaming replica of the first server. */
export async function startReplica(defer, primary, { name, folder, delayable }) {
  const data = path.join(folder, name);
  await makeForServer(data);
  const backup = path.join(primary.bin, 'pg_basebackup');
  if (!existsSync(backup)) throw new Error('A replica needs pg_basebackup: install PostgreSQL 15 or newer');
  const from = `host=127.0.0.1 port=${primary.port} user=postgres`;
  execFileSync(backup, ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', from], {
    ...serverUser(),
    stdio: 'pipe',
    cwd: data,
  });
  const server = new Postgres(name, { bin: primary.bin, data, port: await freePort() });
  defer(() => server.end());
  await server.start();
  if (delayable) server.way = await Way.to(server.port, defer);
  return server;
}

/** One template per state of code and content; in the temporary folder, which the server's user may enter. */
async function templateOf(defer, bin, content) {
  const version = execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' });
  const digest = createHash('sha256').update(`2 ${version} ${content}`);
  const schema = ['dist/store/schema', 'dist/store/schema/migrations'];
  const read = content === 'none' ? schema : [...schema, 'dist/publish', 'data/catalogue', 'data/starter'];
  for (const part of read) await digestOf(digest, path.join(ROOT, part));
  const prefix = 'tidemark-cluster-template-';
  const template = path.join(tmpdir(), `${prefix}${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(template)) {
    await utimes(template, new Date(), new Date());
    return template;
  }
  const draft = await mkdtemp(path.join(tmpdir(), 'tidemark-cluster-draft-'));
  const discard = () => rm(draft, { recursive: true, force: true });
  defer(discard);
  await chmod(draft, 0o755);
  try {
    await makeTemplate(defer, bin, path.join(draft, 'data'), content);
    // Another run may have been first, with the same result.
    await rename(path.join(draft, 'data'), template).catch((error) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await discard();
  }
  await forgetUnused(prefix);
  return template;
}

async function makeTemplate(defer, bin, data, content) {
  await makeForServer(data);
  const options = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(path.join(bin, 'initdb'), options, { ...serverUser(), stdio: 'pipe', cwd: data });
  const server = new Postgres('template', { bin, data, port: await freePort(), settings: SMALL_LOG });
  defer(() => server.end());
  await server.start();
  try {
    await server.query(`CREATE DATABASE ${DATABASE}`, [], 'postgres');
    const connections = {
      engine: 'server',
      firstStart: false,
      to: (role) => ({ connectionString: server.url(role), role: null }),
      release: () => Promise.resolve(),
    };
    const { migrate } = await built('store/migrate.js');
    await migrate(connections);
    await server.query(`CREATE ROLE ${LOGINS.api} LOGIN IN ROLE tidemark_api`);
    await server.query(`CREATE ROLE ${LOGINS.account} LOGIN IN ROLE tidemark_account`);
    await server.query(`CREATE ROLE ${LOGINS.import} LOGIN IN ROLE tidemark_import`);
    if (content === 'starter') await loadContent(connections);
    await server.query('VACUUM ANALYZE');
  } finally {
    await server.stop();
  }
}

async function loadContent(connections) {
  const { createDataSource } = await built('store/data-source.js');
  const { loadStarter } = await built('publish/starter/load-starter.js');
  const settings = { size: 2, statementTimeout: 0, applicationName: 'harness' };
  const database = createDataSource(connections.to('import'), settings);
  await database.initialize();
  try {
    await loadStarter(database, STARTER);
  } finally {
    await database.destroy();
  }
}

async function copyAsServer(from, to) {
  const user = serverUser();
  // Node's own copy does not keep the owner, and the server requires to own its folder.
  if (user === undefined) await cp(from, to, { recursive: true });
  else execFileSync('cp', ['-a', from, to]);
  await chmod(to, 0o700);
}

async function makeForServer(folder) {
  await mkdir(folder, { mode: 0o700 });
  const user = serverUser();
  if (user !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, folder]);
}

async function digestOf(digest, folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'));
  for (const file of files.map((entry) => path.join(entry.parentPath, entry.name)).sort()) {
    digest.update(path.relative(folder, file)).update(readFileSync(file));
  }
}

async function forgetUnused(prefix) {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => path.join(tmpdir(), name))) {
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > TEMPLATE_IDLE_MS) await rm(folder, { recursive: true, force: true });
  }
}
