// Ties the server to the life of this process: a pipe to a waiting program, which the kernel closes however this
// process ends.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { serverEnvironment } from './server-process.js';

// Beside this file in dist/; tests run this file from src/.
const PROGRAM = path.join(import.meta.dirname, '../dist/watchdog.js');

export class Guard {
  private constructor(private readonly waiting: ChildProcessByStdio<Writable, null, null>) {}

  static begin(dataDir: string, rootState: string | undefined): Guard {
    const program = [process.execPath, PROGRAM, dataDir, ...(rootState === undefined ? [] : [rootState])];
    // A shell waits in 1 MB instead of 40, and becomes the program when the pipe closes without a line.
    const [command = '', ...rest] =
      process.platform === 'win32' ? program : ['/bin/sh', '-c', 'read -r _ || exec "$0" "$@"', ...program];
    const child = spawn(command, rest, {
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: serverEnvironment(),
      // Neither Ctrl-C nor the end of the terminal reaches it.
      detached: true,
      windowsHide: true,
    });
    // Without it the server outlives a killed process, and the next process adopts it.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.unref();
    (child.stdin as Writable & { unref(): void }).unref();
    return new Guard(child);
  }

  /** This process has released the server itself. */
  dismiss(): void {
    if (process.platform === 'win32') this.waiting.kill();
    else this.waiting.stdin.end('\n');
  }

  /** Stops the server unless other processes use it. Resolves when that is done, or after the limit. */
  async strike(limitMs: number): Promise<void> {
    const { waiting } = this;
    if (waiting.exitCode !== null || waiting.pid === undefined) return;
    const ended = once(waiting, 'exit');
    waiting.stdin.end();
    const limit = new AbortController();
    await Promise.race([ended, sleep(limitMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }
}
