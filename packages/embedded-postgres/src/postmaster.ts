// Starts, finds and stops the server of one cluster. PostgreSQL's own `postmaster.pid` is the only state.
import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, open, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinaries, type Binaries } from './binaries.js';
import { freePort } from './credentials.js';
import { codeOf, messageOf } from './embedded-postgres-error.js';
import type { ServerHome } from './home.js';
import { isAlive, isServerOf, reasonIn, serverEnvironment } from './server-process.js';
import { serverArguments } from './settings.js';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The host for `pg`: the socket's folder, or 127.0.0.1 on Windows. */
  readonly host: string;
  /** False during start, recovery and stop. */
  readonly ready: boolean;
}

const run = promisify(execFile);
// The largest possible id: no system assigns it.
const UNUSED_PID = 2 ** 31 - 1;
/** Stopping takes longer only if a checkpoint does. */
export const STOP_LIMIT_MS = 3_000;
const LOG_SIZE_LIMIT = 1024 * 1024;

const pidFileOf = (home: ServerHome): string => path.join(home.cluster, 'postmaster.pid');

/** The cluster's running server. Ignores a pid file of a dead server, also if another program has that id now. */
export async function findPostmaster(home: ServerHome): Promise<Postmaster | undefined> {
  const lines = (await readFile(pidFileOf(home), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !(await isServerOf(home.cluster, pid))) return undefined;
  const [, , , port, socketDir] = lines;
  const host = home.socketDir === undefined ? '127.0.0.1' : (socketDir ?? home.socketDir);
  return { pid, port: Number(port), host, ready: lines[7]?.trim() === 'ready' };
}

/** One attempt to start the server, which outlives this process and does not receive its terminal's Ctrl-C. */
export class StartAttempt {
  /** Undefined while the attempt runs; then the server's last log lines before it exited. */
  failure: string | undefined;

  private constructor(private readonly home: ServerHome) {}

  static async begin(home: ServerHome, binaries: Binaries, wishedPort: number): Promise<StartAttempt> {
    const attempt = new StartAttempt(home);
    const port = home.socketDir === undefined ? await freePort(wishedPort) : wishedPort;
    await rotateLog(home.logFile);
    await disarmLocks(home, port);
    // Root writes into another user's folder: O_NOFOLLOW keeps that user from redirecting the file.
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
      // `spawn` throws some errors (no right to change the user) instead of emitting them.
      attempt.failure = messageOf(error);
    } finally {
      await log.close();
    }
    return attempt;
  }

  /** Whether another server still locks the cluster, so that a retry can help. */
  get contended(): boolean {
    return /lock file|shared memory block|could not bind/.test(this.failure ?? '');
  }

  private async readFailure(from: number): Promise<void> {
    const written = (await readFile(this.home.logFile).catch(() => Buffer.alloc(0))).subarray(from).toString();
    this.failure = reasonIn(written);
  }
}

function launch(home: ServerHome, binaries: Binaries, port: number, log: number): ChildProcess {
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
  // pg_ctl drops administrator rights: PostgreSQL refuses to run with them on Windows.
  const quoted = settings.map((setting) => `"${setting}"`).join(' ');
  return spawn(binaries.pgCtl, ['start', '-W', '-D', home.cluster, '-o', quoted], options);
}

/** Fast shutdown. Returns whether the server exited within the limit; it continues to stop after that. */
export async function stopPostmaster(home: ServerHome, pid: number, limitMs: number): Promise<boolean> {
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
 * A crash leaves lock files with a process id. If another program of the same user has that id now, PostgreSQL
 * refuses to start. The file must stay: its other lines protect against surviving backends.
 */
async function disarmLocks(home: ServerHome, port: number): Promise<void> {
  const socketLock = home.socketDir && path.join(home.socketDir, `.s.PGSQL.${port}.lock`);
  for (const file of [pidFileOf(home), socketLock]) {
    const lock = file && (await readFile(file, 'utf8').catch(() => undefined));
    if (!file || !lock) continue;
    const [pid, ...rest] = lock.split('\n');
    if (!isAlive(Number(pid)) || (await isServerOf(home.cluster, Number(pid)))) continue;
    // Synchronous, because another process may start the server between check and write.
    if (readFileSync(file, 'utf8') === lock) writeFileSync(file, [UNUSED_PID, ...rest].join('\n'));
  }
}

async function rotateLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0;
  // Another process may rotate it at the same time.
  if (size > LOG_SIZE_LIMIT) await rename(logFile, `${logFile}.1`).catch(() => undefined);
}
