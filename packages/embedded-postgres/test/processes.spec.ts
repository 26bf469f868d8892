// runs: in full only
import { spawnSync } from 'node:child_process';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openEmbeddedPostgres, stopEmbeddedPostgres } from '../src/embedded-postgres.js';
import { EmbeddedPostgresError } from '../src/embedded-postgres-error.js';
import { ask, discard, itInFull, leave, newDataDir, participant, postmasterPid } from './participants.js';

const OTHER_USER = 65534;
const runsAsRoot = process.getuid?.() === 0;
const code = path.join(__dirname, '../src/embedded-postgres.js');
const otherUserSeesTheCode =
  runsAsRoot &&
  spawnSync(process.execPath, ['-e', 'fs.accessSync(process.argv[1])', code], {
    uid: OTHER_USER,
    gid: OTHER_USER,
    cwd: '/',
  }).status === 0;
const itAsOtherUser = otherUserSeesTheCode ? it : it.skip;

describe('The embedded PostgreSQL', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await newDataDir();
  });
  afterEach(() => discard(dataDir));

  it('starts from nothing, responds to each of its three roles, and is stopped by the last process', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    expect(server.firstStart).toBe(true);
    expect(await ask(server.connection('admin'), 'select version()')).toEqual([
      { version: expect.stringMatching(/^PostgreSQL 18/) as string },
    ]);
    for (const role of ['admin', 'import', 'api'] as const) {
      const [row] = await ask(
        server.connection(role),
        `select current_user as "user", current_database() as database, rolsuper as superuser,
                current_setting('server_encoding') as encoding
           from pg_roles where rolname = current_user`,
      );
      expect(row).toEqual({
        user: role === 'admin' ? 'tidemark_owner' : `tidemark_${role}`,
        database: 'tidemark',
        superuser: role === 'admin',
        encoding: 'UTF8',
      });
    }
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  it('starts a second time on the same data', async () => {
    const first = await openEmbeddedPostgres({ dataDir });
    await ask(first.connection('admin'), 'create table kept as select 42 as value');
    await first.release();
    const second = await openEmbeddedPostgres({ dataDir });
    expect(second.firstStart).toBe(false);
    expect(await ask(second.connection('admin'), 'select value from kept')).toEqual([{ value: 42 }]);
    await second.release();
  });

  itInFull('is shared by several processes and outlives the one that started it', async () => {
    const starter = await participant(dataDir);
    const server = await openEmbeddedPostgres({ dataDir });
    expect(server.connection('admin')).toEqual(starter.connection);
    await leave(starter);
    expect(await ask(server.connection('api'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  itInFull('is created once by four concurrent processes', async () => {
    const four = await Promise.all([1, 2, 3, 4].map(() => participant(dataDir)));
    expect(four.filter((one) => one.firstStart)).toHaveLength(1);
    const pid = await postmasterPid(dataDir);
    await Promise.all(four.map(async (one) => expect(await ask(one.connection, 'select 1 as one')).toHaveLength(1)));
    await Promise.all(four.map(leave));
    expect(pid).toBeGreaterThan(0);
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  it('keeps its passwords to its owner and refuses any other', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    const { mode } = await stat(path.join(dataDir, 'engine.json'));
    expect(mode & 0o777).toBe(0o600);
    const { host } = server.connection('admin');
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    for (const password of ['', 'guess', server.connection('api').password]) {
      await expect(ask({ ...server.connection('admin'), password }, 'select 1')).rejects.toThrow(/password/);
    }
    expect(await ask(server.connection('admin'), 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    await server.release();
  });

  itInFull('creates a further database on request', async () => {
    const [one, other] = await Promise.all([
      openEmbeddedPostgres({ dataDir, database: 'one' }),
      openEmbeddedPostgres({ dataDir, database: 'other, "quoted"' }),
    ]);
    expect(await ask(other.connection('import'), 'select current_database() as name')).toEqual([
      { name: 'other, "quoted"' },
    ]);
    await Promise.all([one.release(), other.release()]);
  });

  itInFull('runs although its path is too long for a socket', async () => {
    const deep = path.join(dataDir, 'a path, with "quotes" and blanks'.repeat(3));
    const server = await openEmbeddedPostgres({ dataDir: deep });
    expect(await ask(server.connection('api'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    await discard(deep);
  });

  it('is stopped by the operator, and the processes that used it do not restart it', async () => {
    const said: string[] = [];
    const server = await openEmbeddedPostgres({ dataDir, log: (line) => said.push(line) });
    expect(await stopEmbeddedPostgres(dataDir)).toBe('stopped');
    expect(await stopEmbeddedPostgres(dataDir)).toBe('not-running');
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
    expect(said).toContain('the embedded PostgreSQL was stopped by another process');
  });

  itInFull('reports changed passwords in one line, and leaves no server behind', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    await server.release();
    const file = path.join(dataDir, 'engine.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"admin": "', '"admin": "other'));
    await expect(openEmbeddedPostgres({ dataDir })).rejects.toThrow(/does not take the password in engine.json/);
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  itInFull('reports data of another PostgreSQL version in one line', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    const [row] = await ask<{ folder: string }>(
      server.connection('admin'),
      `select current_setting('data_directory') as folder`,
    );
    await server.release();
    await writeFile(path.join(row?.folder ?? '', 'PG_VERSION'), '17\n');
    const refused = openEmbeddedPostgres({ dataDir });
    await expect(refused).rejects.toThrow(EmbeddedPostgresError);
    await expect(refused).rejects.toThrow(/made by PostgreSQL 17.*brings 18/);
  });

  itInFull('stops during its start on a signal, and leaves no server behind', async () => {
    const stopped = new AbortController();
    const joining = openEmbeddedPostgres({
      dataDir,
      signal: stopped.signal,
      log: (line) => line.startsWith('starting') && stopped.abort(),
    });
    await expect(joining).rejects.toThrow(/abort/);
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  itAsOtherUser('works for an ordinary user (skipped unless root runs the tests where others may read)', async () => {
    await chown(dataDir, OTHER_USER, OTHER_USER);
    const user = await participant(dataDir, { uid: OTHER_USER, gid: OTHER_USER });
    expect(user.connection.host.startsWith(dataDir)).toBe(true);
    expect(await ask(user.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await leave(user);
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });
});
