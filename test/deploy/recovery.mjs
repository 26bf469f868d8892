// `npm run check:recovery`: carries out the backups of docs/how-to/backup.md and the change of docs/how-to/peppers.md on separate
// servers: a dump and its restore, a return to a point in time, and a new key pepper. Needs PostgreSQL's programs,
// including psql.
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { measuring, ROOT } from '../../bench/workspace.mjs';
import { makeInstance } from '../faults/cluster/instance.mjs';
import { findPostgres, Postgres } from '../faults/cluster/postgres.mjs';
import { request, send } from '../faults/cluster/load.mjs';
import { freePort } from '../support/free-port.mjs';

const FIXTURES = path.join(ROOT, 'test/fixtures');
const EMAIL = 'operator@tidemark.example';
const ADDRESSES = [
  '/api/v1/changes?limit=100',
  '/api/v1/macro/board',
  '/api/v1/macro/gdp-growth?region=JP',
  '/api/v1/topics',
  '/api/v1/coverage',
  '/api/v1/search?q=gdp',
  '/api/v1/briefs/latest',
  '/api/v1/ahead?from=2026-01-01&to=2026-12-31',
];

const run = promisify(execFile);
const checks = [];
const check = (what, so) => {
  checks.push(so);
  console.log(`recovery: ${so ? '✓' : '✗'} ${what}`);
};
const pepper = (id) => `${id}:${randomBytes(24).toString('hex')}`;

await measuring(async (defer) => {
  const bin = await findPostgres();
  const folder = await mkdtemp(path.join(tmpdir(), 'tidemark-recovery-'));
  defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const around = { bin, folder, defer, old: pepper('p1'), archive: await serversFolder(path.join(folder, 'archive')) };

  const first = await deployment(around);
  await tidemark(first, around, 'import', 'worldbank', '--accept', path.join(FIXTURES, 'vintages'));
  await tidemark(first, around, 'import', 'ecb', '--accept', path.join(FIXTURES, 'markets/ecb'));
  await tidemark(
    first,
    around,
    'accounts',
    'create',
    '--account',
    EMAIL,
    '--plan',
    'developer',
    '--signed-up',
    '2026-01-01T00:00:00Z',
  );
  const key = (await tidemark(first, around, 'keys', 'create', '--account', EMAIL)).trim();
  const answers = await answersOf(first, around, key);
  check(
    `${ADDRESSES.length} routes are answered before`,
    answers.every(({ status }) => status === 200),
  );

  await dumpAndRestore(around, first, key, answers);
  await pointInTime(around, first, key, answers);
  await rotation(around, first, key);
  if (checks.includes(false)) throw new Error('recovery: not all of it holds');
});

async function dumpAndRestore(around, first, key, before) {
  const { bin, folder } = around;
  const dump = path.join(folder, 'tidemark.dump');
  const roles = path.join(folder, 'roles.sql');
  const from = ['-h', '127.0.0.1', '-p', String(first.port), '-U', 'postgres'];
  const took = await timed(async () => {
    await run(path.join(bin, 'pg_dumpall'), [...from, '--roles-only', '-f', roles]);
    await run(path.join(bin, 'pg_dump'), [...from, '-Fc', '-f', dump, 'tidemark']);
  });
  console.log(
    `recovery: dump of ${await megabytes(first)} in ${took} s, ${((await stat(dump)).size / 1e6).toFixed(1)} MB`,
  );

  const second = await server(around, 'restored');
  const to = ['-h', '127.0.0.1', '-p', String(second.port), '-U', 'postgres'];
  const back = await timed(async () => {
    // The superuser already exists, which psql reports: any other error of the roles would show at the restore.
    await run(path.join(bin, 'psql'), [...to, '-q', '-f', roles, 'postgres']);
    await run(path.join(bin, 'createdb'), [...to, '-T', 'template0', '-E', 'UTF8', '-O', 'tidemark_owner', 'tidemark']);
    await run(path.join(bin, 'pg_restore'), [...to, '--exit-on-error', '-j', '2', '-d', 'tidemark', dump]);
    await run(path.join(bin, 'vacuumdb'), [...to, '-q', '--analyze-only', 'tidemark']);
  });
  console.log(`recovery: restored into a new server in ${back} s`);
  check('the restored answers are equal, byte by byte', same(before, await answersOf(second, around, key)));
  await sameRights(first, second);
  check('a migration finds nothing to do', (await tidemark(second, around, 'migrate')).includes('up to date'));
  const again = await tidemark(second, around, 'import', 'worldbank', '--accept', path.join(FIXTURES, 'vintages'));
  check(
    'an import finds what it held',
    again
      .split('\n')
      .filter(Boolean)
      .every((line) => line.includes('nothing changed')),
  );
  await second.stop();
}

/** Owners, grants and row-level security, according to the database's catalogue. */
async function sameRights(first, second) {
  const rights = `
    SELECT c.relname, c.relkind, pg_get_userbyid(c.relowner) AS owner, c.relrowsecurity, c.relforcerowsecurity,
           c.relacl::text, (SELECT string_agg(p.polname || p.polqual::text, ',' ORDER BY p.polname)
                              FROM pg_policy p WHERE p.polrelid = c.oid) IS NOT NULL AS policies
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'S') ORDER BY 1`;
  const sorted = (rows) =>
    JSON.stringify(rows.map((row) => ({ ...row, relacl: row.relacl?.slice(1, -1).split(',').sort() })));
  const [mine, theirs] = await Promise.all([first.query(rights), second.query(rights)]);
  check(`owners, grants and row-level security of ${mine.length} relations are equal`, sorted(mine) === sorted(theirs));
}

async function pointInTime(around, first, key, before) {
  const { bin, folder, archive } = around;
  const data = path.join(folder, 'returned');
  const from = ['-h', '127.0.0.1', '-p', String(first.port), '-U', 'postgres'];
  const took = await timed(() =>
    run(path.join(bin, 'pg_basebackup'), [...from, '-D', data, '-X', 'stream', '-c', 'fast']),
  );
  await toServer(data);
  const [{ now }] = await first.query('SELECT clock_timestamp()::text AS now');
  // The content to undo: another vintage, and an unwanted key.
  await tidemark(first, around, 'import', 'eia', '--accept', path.join(FIXTURES, 'markets/eia'));
  await tidemark(first, around, 'keys', 'create', '--account', EMAIL);
  await first.query('SELECT pg_switch_wal()');
  await first.query('CHECKPOINT');
  await writeFile(path.join(data, 'recovery.signal'), '');
  await appendFile(
    path.join(data, 'postgresql.auto.conf'),
    [
      `restore_command = 'cp "${archive}/%f" "%p"'`,
      `recovery_target_time = '${now}'`,
      `recovery_target_action = 'promote'`,
      '',
    ].join('\n'),
  );
  await toServer(path.join(data, 'recovery.signal'));
  const returned = new Postgres('returned', { bin, data, port: await freePort(), settings: ['archive_mode=off'] });
  around.defer(() => returned.kill());
  const back = await timed(async () => {
    await returned.start();
    while ((await returned.query('SELECT pg_is_in_recovery() AS so'))[0].so)
      await new Promise((resolve) => setTimeout(resolve, 50));
  });
  console.log(`recovery: base backup in ${took} s; back at the point in time after ${back} s`);
  const newest = async (one) => (await one.query('SELECT max(data_version) AS id FROM publications'))[0].id;
  check('the later import is gone, and only that', (await newest(returned)) === (await newest(first)) - 1);
  check('the answers are those of that moment, byte by byte', same(before, await answersOf(returned, around, key)));
  await returned.stop();
}

/** A new pepper signs and the old one still verifies; without the old one, its keys are invalid. */
async function rotation(around, first, oldKey) {
  const next = pepper('p2');
  const both = `${next},${around.old}`;
  const newKey = (
    await tidemark(first, { ...around, old: both }, 'keys', 'create', '--account', EMAIL, '--name', 'rotated')
  ).trim();
  const statusesBy = async (peppers) => {
    const instance = await serving(first, { ...around, old: peppers });
    const seen = [];
    for (const key of [oldKey, newKey]) seen.push((await send(instance.url, request('/api/v1/topics'), key)).status);
    await instance.stop();
    return seen.join(', ');
  };
  const [{ count }] = await first.query("SELECT count(*)::int FROM api_keys WHERE pepper_id = 'p2'");
  check('a key that is made now bears the new pepper', count === 1);
  check('with p2,p1 both keys are good', (await statusesBy(both)) === '200, 200');
  check(
    'with p1,p2 too, as instances have it that come first',
    (await statusesBy(`${around.old},${next}`)) === '200, 200',
  );
  check('with p2 alone the old key is none', (await statusesBy(next)) === '401, 200');
}

/** A server with the logins of docker/postgres/logins.sql, migrated by its owner, without the superuser. */
async function deployment(around) {
  const { bin, folder, archive } = around;
  const secrets = path.join(folder, 'secrets');
  await run(process.execPath, [path.join(ROOT, 'docker/make-secrets.mjs'), secrets]);
  const first = await server(around, 'first', [
    'wal_level=replica',
    'archive_mode=on',
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  ]);
  await first.query('CREATE DATABASE tidemark', [], 'postgres');
  const psql = [
    '-h',
    '127.0.0.1',
    '-p',
    String(first.port),
    '-U',
    'postgres',
    '-d',
    'tidemark',
    '-q',
    '-v',
    `secrets=${secrets}`,
  ];
  await run(path.join(bin, 'psql'), [...psql, '-f', path.join(ROOT, 'docker/postgres/logins.sql')]);
  await tidemark(first, around, 'migrate');
  check('the owner of docker/postgres/logins.sql migrates an empty database', true);
  return first;
}

async function server({ bin, folder, defer }, name, settings = []) {
  const data = await serversFolder(path.join(folder, name));
  const options = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(path.join(bin, 'initdb'), options, { ...owner(), stdio: 'pipe', cwd: data });
  const one = new Postgres(name, { bin, data, port: await freePort(), settings });
  defer(() => one.kill());
  await one.start();
  return one;
}

function address(one, login) {
  return `postgres://tidemark_${login}@127.0.0.1:${one.port}/tidemark`;
}

async function tidemark(one, { folder, old }, ...words) {
  const { stdout } = await run(process.execPath, [path.join(ROOT, 'dist/cli.js'), ...words], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      KEY_PEPPER: old,
      DATABASE_URL: address(one, 'web'),
      DATABASE_ACCOUNT_URL: address(one, 'accounts'),
      DATABASE_IMPORT_URL: address(one, 'publisher'),
      DATABASE_ADMIN_URL: address(one, 'owner'),
    },
  });
  return stdout;
}

/** An instance as in production, which refuses to start under a login with too many rights. */
async function serving(one, { folder, defer, old }) {
  const environment = { DATABASE_URL: address(one, 'web'), KEY_PEPPER: old, BASE_URL: 'http://tidemark.example' };
  const instance = await makeInstance(defer, `api-${one.port}-${Date.now()}`, { folder, environment, as: {} });
  await instance.start();
  return instance;
}

async function answersOf(one, around, key) {
  const instance = await serving(one, around);
  const answers = [];
  for (const ask of ADDRESSES) {
    const { status, body, headers } = await send(instance.url, request(ask), key, { keepBody: true });
    answers.push({ status, body, etag: headers.etag });
  }
  await instance.stop();
  return answers;
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function timed(work) {
  const began = performance.now();
  await work();
  return ((performance.now() - began) / 1_000).toFixed(1);
}

async function megabytes(one) {
  const [{ size }] = await one.query(`SELECT pg_size_pretty(pg_database_size('tidemark')) AS size`);
  return size;
}

/** The server's user: PostgreSQL refuses root. */
function owner() {
  if (process.getuid() !== 0) return {};
  const id = (what) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function serversFolder(folder) {
  await mkdir(folder, { mode: 0o700 });
  await toServer(folder);
  return folder;
}

async function toServer(target) {
  const { uid, gid } = owner();
  if (uid === undefined || !existsSync(target)) return;
  const inside = (await stat(target)).isDirectory() ? readdirSync(target, { recursive: true }) : [];
  for (const file of [target, ...inside.map((name) => path.join(target, name))]) chownSync(file, uid, gid);
}
