// The server process in the operating system: whether it runs, whether it serves this cluster, its environment.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from './embedded-postgres-error.js';

const run = promisify(execFile);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether the process is the server of this cluster: after a crash any program may have its id. */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const line = await commandLine(pid);
  return process.platform === 'win32'
    ? line.includes('postgres.exe')
    : line.includes('postgres') && `${line} `.includes(` -D ${cluster} `);
}

async function commandLine(pid: number): Promise<string> {
  try {
    if (process.platform === 'win32') {
      return (await run('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'])).stdout;
    }
    if (existsSync('/proc/self/cmdline')) {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trimEnd();
    }
    return (await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout.trimEnd();
  } catch {
    return '';
  }
}

/** A minimal environment: the server must not inherit PG* variables, library paths or secrets. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = process.platform === 'win32' ? ['PATH', 'SystemRoot', 'TEMP', 'TMP'] : ['PATH'];
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C', TZ: 'UTC' };
}

/** The error lines of a program's output, joined into one line. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  const telling = lines.filter((line) => /FATAL|PANIC|ERROR|HINT|error[: ]/.test(line));
  return (telling.length > 0 ? telling : lines).slice(-3).join(' | ') || 'it left no message';
}
