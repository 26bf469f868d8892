// Starts, finds and stops the server of one embedded cluster. PostgreSQL's own `postmaster.pid` is the truth.
import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, open, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinaries, type EngineBinaries } from './binaries.js';
import { freePort } from './credentials.js';
import { codeOf, messageOf } from './engine-error.js';
import type { EngineHome } from './home.js';
import { isAlive, isServerOf, reasonIn, serverEnvironment } from './server-process.js';
import { serverArguments } from './settings.js';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** What `pg` takes as host: the socket's folder, or 127.0.0.1 on Windows. */
  readonly host: string;
  /** False while it starts, recovers or stops. */
  readonly ready: boolean;
}

const run = promisify(execFile);
// The largest there can be: no system gives it out.
const NOBODYS_PID = 2 ** 31 - 1;
const LOG_SIZE_LIMIT = 1024 * 1024;

const pidFileOf = (home: EngineHome): string => path.join(home.cluster, 'postmaster.pid');

/** The cluster's living server; a pid file left by a dead one, or whose id is now another program's, is none. */
export async function findPostmaster(home: EngineHome): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFileOf(home), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await isServerOf(home.cluster, pid))) return undefined;
  const [, , , port, socketDir] = lines;
  const host = home.socketDir === undefined ? '127.0.0.1' : (socketDir ?? home.socketDir);
  return { pid, port: Number(port), host, ready: lines[7]?.trim() === 'ready' };
}

/** One attempt to start the server. It outlives this process and is out of reach of its terminal's Ctrl-C. */
export class StartAttempt {
  /** Undefined while the attempt runs; then what the server wrote before it gave up. */
  failure: string | undefined;

  private constructor(private readonly home: EngineHome) {}

  static async begin(home: EngineHome, binaries: EngineBinaries, wishedPort: number): Promise<StartAttempt> {
    const attempt = new StartAttempt(home);
    const port = home.socketDir === undefined ? await freePort(wishedPort) : wishedPort;
    await rotateLog(home.logFile);
    await disarmLocks(home, port);
    // Where root writes into another user's folder, that user must not lead it elsewhere.
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    const O_NOFOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW;
    const log = await open(home.logFile, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
    try {
      const { size: logStart, uid, nlink } = await log.stat();
      if (home.user && uid === 0 && nlink === 1) await log.chown(home.user.uid >>> 0, home.user.gid >>> 0);
      const child = launch(home, binaries, port, log.fd);
      child.once('error', (error) => (attempt.failure = error.message));
      child.once('exit', (code) => {
        if (process.platform !== 'win32' || code !== 0) void attempt.readFailure(logStart);
      });
      child.unref();
    } catch (error) {
      // Some refusals of the system (no right to change the user) are thrown, not emitted.
      attempt.failure = messageOf(error);
    } finally {
      await log.close();
    }
    return attempt;
  }

  /** Another server holds the cluster, or still lets go of it: worth another attempt. */
  get contended(): boolean {
    return /lock file|shared memory block|could not bind/.test(this.failure ?? '');
  }

  private async readFailure(from: number): Promise<void> {
    const written = (await readFile(this.home.logFile).catch(() => Buffer.alloc(0)))
      .subarray(from)
      .toString();
    this.failure = reasonIn(written);
  }
}

function launch(home: EngineHome, binaries: EngineBinaries, port: number, log: number): ChildProcess {
  const settings = serverArguments(home, port);
  const options = {
    stdio: ['ignore', log, log] as StdioOptions,
    cwd: home.folder,
    env: serverEnvironment(),
    detached: true,
    windowsHide: true,
  };
  if (process.platform !== 'win32') {
    return spawn(binaries.postgres, ['-D', home.cluster, ...settings], { ...home.user, ...options });
  }
  // pg_ctl drops an administrator's rights, with which PostgreSQL does not run on Windows.
  const quoted = settings.map((setting) => `"${setting}"`).join(' ');
  return spawn(binaries.pgCtl, ['start', '-W', '-D', home.cluster, '-o', quoted], options);
}

/** Fast shutdown; true when the server was gone within the limit. It goes on stopping by itself after that. */
export async function stopPostmaster(home: EngineHome, pid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  try {
    if (process.platform === 'win32') {
      const { pgCtl } = await findBinaries(home);
      await run(pgCtl, ['stop', '-D', home.cluster, '-m', 'fast', '-W'], { env: serverEnvironment() });
    } else process.kill(pid, 'SIGINT');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
  while ((await findPostmaster(home))?.pid === pid) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/**
 * A crash leaves lock files with a process id. When that id has gone to another program of the same user,
 * PostgreSQL would wait for it for ever. The file must stay: its other lines guard against surviving backends.
 */
async function disarmLocks(home: EngineHome, port: number): Promise<void> {
  const socketLock = home.socketDir && path.join(home.socketDir, `.s.PGSQL.${port}.lock`);
  for (const file of [pidFileOf(home), socketLock]) {
    const lock = file && (await readFile(file, 'utf8').catch(() => undefined));
    if (!file || !lock) continue;
    const [pid, ...rest] = lock.split('\n');
    if (!isAlive(Number(pid)) || (await isServerOf(home.cluster, Number(pid)))) continue;
    // Nothing may come between look and write: another process may have started the server meanwhile.
    if (readFileSync(file, 'utf8') === lock) writeFileSync(file, [NOBODYS_PID, ...rest].join('\n'));
  }
}

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  // Another process may rotate it at the same time.
  if (size > LOG_SIZE_LIMIT) await rename(logFile, `${logFile}.1`).catch(() => undefined);
}
