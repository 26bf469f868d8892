// runs: in full only
import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCluster } from '../src/cluster.js';
import { createCredentials } from '../src/credentials.js';
import { openEmbeddedPostgres } from '../src/embedded-postgres.js';
import {
  ask,
  discard,
  itInFull,
  killHard,
  newDataDir,
  participant,
  postmasterPid,
  serverEnds,
  spawnParticipant,
  type Participant,
} from './participants.js';

const WATCHDOG = path.join(__dirname, '../dist/watchdog.js');

/** Kills the process and the server with its backends, as a power cut would. */
async function killEverything(dataDir: string, one: Participant): Promise<string> {
  const [{ folder } = { folder: '' }] = await ask<{ folder: string }>(
    one.connection,
    `select current_setting('data_directory') as folder`,
  );
  const backends = await ask<{ pid: number }>(
    one.connection,
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  const postmaster = await postmasterPid(dataDir);
  if (postmaster) process.kill(postmaster, 'SIGKILL');
  for (const { pid } of backends) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with the postmaster.
    }
  }
  await killHard(one);
  return folder;
}

describe('The embedded PostgreSQL, after a crash', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await newDataDir();
  });
  afterEach(() => discard(dataDir));

  it('names its folder where the disk is too small for a new database', async () => {
    const initdb = path.join(dataDir, 'initdb');
    const full =
      '2026-11-26 12:36:59 UTC [24009] FATAL:  could not write to file "base/4/2838": No space left on device';
    await writeFile(initdb, `#!/bin/sh\necho '${full}' >&2\nexit 1\n`, { mode: 0o755 });
    const home = { folder: dataDir, cluster: path.join(dataDir, 'cluster'), logFile: '', socketDir: undefined };
    const binaries = { initdb, postgres: '', pgCtl: '', major: '18' };
    const credentials = await createCredentials(dataDir);
    await expect(ensureCluster({ ...home, user: undefined }, binaries, credentials, undefined)).rejects.toThrow(
      `the disk of ${dataDir} is full: make room, or set DATA_DIR`,
    );
  });

  it('ends with its process, although that was killed', async () => {
    await killHard(await participant(dataDir));
    await serverEnds(dataDir);
  });

  itInFull('ends with a process that was killed while it started the server', async () => {
    const starting = spawnParticipant(dataDir);
    while ((await postmasterPid(dataDir)) === undefined) await sleep(20);
    starting.kill('SIGKILL');
    await serverEnds(dataDir);
  });

  it('ends with a process that releases it while it crashes', async () => {
    const server = await openEmbeddedPostgres({ dataDir });
    const [{ pid } = { pid: 0 }] = await ask<{ pid: number }>(
      server.connection('admin'),
      `select pid from pg_stat_activity where application_name = 'tidemark-process-lock'`,
    );
    process.kill(pid, 'SIGSTOP');
    const released = server.release();
    await new Promise(setImmediate);
    // The server starts again without its processes.
    process.kill(pid, 'SIGKILL');
    await released;
    await serverEnds(dataDir);
  });

  itInFull('does not end with a killed process while another one uses it', async () => {
    const killed = await participant(dataDir);
    const server = await openEmbeddedPostgres({ dataDir });
    const before = await postmasterPid(dataDir);
    await killHard(killed);
    // Like the program that waits for the end of that process.
    const [code] = (await once(spawn(process.execPath, [WATCHDOG, dataDir], { stdio: 'ignore' }), 'exit')) as [number];
    expect(code).toBe(0);
    expect(await postmasterPid(dataDir)).toBe(before);
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  itInFull('is adopted and stopped by the next process where nothing stopped it', async () => {
    const killed = await participant(dataDir);
    const orphan = await postmasterPid(dataDir);
    const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
    const watchdogs = stdout.split('\n').filter((line) => line.includes('/bin/sh -c read') && line.includes(dataDir));
    for (const line of watchdogs) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    await killHard(killed);
    const server = await openEmbeddedPostgres({ dataDir });
    expect(await postmasterPid(dataDir)).toBe(orphan);
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  it('recovers with its data when every process was killed', async () => {
    const killed = await participant(dataDir);
    await ask(killed.connection, 'create table kept as select generate_series(1, 1000) as value');
    await killEverything(dataDir, killed);
    const server = await openEmbeddedPostgres({ dataDir });
    expect(await ask(server.connection('admin'), 'select count(*)::int as rows from kept')).toEqual([{ rows: 1000 }]);
    await server.release();
  });

  itInFull('starts although another program now has the process id in its lock files', async () => {
    const killed = await participant(dataDir);
    const folder = await killEverything(dataDir, killed);
    const { uid, gid } = await stat(folder);
    const foreign = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { uid, gid, cwd: '/' });
    await once(foreign, 'spawn');
    for (const file of [path.join(folder, 'postmaster.pid'), path.join(killed.connection.host, '.s.PGSQL.5432.lock')]) {
      const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, [foreign.pid, ...rest].join('\n'));
    }
    const server = await openEmbeddedPostgres({ dataDir });
    expect(await ask(server.connection('api'), 'select 1 as one')).toEqual([{ one: 1 }]);
    await server.release();
    foreign.kill('SIGKILL');
  });

  itInFull('is restarted by the processes that use it when it is killed', async () => {
    const log = new EventEmitter();
    const server = await openEmbeddedPostgres({ dataDir, log: (line) => log.emit(line) });
    const again = once(log, 'the embedded PostgreSQL runs again');
    await ask(server.connection('admin'), 'create table kept as select 42 as value');
    process.kill((await postmasterPid(dataDir)) ?? 0, 'SIGKILL');
    await again;
    expect(await ask(server.connection('admin'), 'select value from kept')).toEqual([{ value: 42 }]);
    await server.release();
    expect(await postmasterPid(dataDir)).toBeUndefined();
  });

  itInFull('removes the files of a process that was killed while it created the cluster', async () => {
    const first = await openEmbeddedPostgres({ dataDir });
    const folder = path.dirname(
      (await ask<{ f: string }>(first.connection('admin'), `select current_setting('data_directory') as f`))[0]?.f ??
        '',
    );
    await first.release();
    const half = path.join(folder, 'scratch-2147483647-abc');
    await mkdir(path.join(half, 'data'), { recursive: true });
    const second = await openEmbeddedPostgres({ dataDir });
    await second.release();
    await expect(stat(half)).rejects.toThrow('ENOENT');
  });
});
