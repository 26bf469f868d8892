// First starts of the built service, for `first-start.spec.ts` and `interrupt-first-starts.mjs`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/free-port.mjs';

const ROOT = path.dirname(path.dirname(import.meta.dirname));
export const STARTED = 'Tidemark answers at';

/**
 * @param {string} dataDir
 * @param {Record<string, string>} environment besides the folder and a free port
 * @param {(child: import('node:child_process').ChildProcess, output: () => string) => unknown} interrupt called with the new process
 * @param {string} root where the built service lies
 */
export async function start(dataDir, environment, interrupt = () => undefined, root = ROOT) {
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(await freePort()), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'exit');
  await interrupt(child, () => output);
  const [code, signal] = await ended;
  return { code, signal, output };
}

/** The processes of the service and its database in this folder, by their command lines. @returns {string[]} */
export function processesIn(dataDir) {
  const engine = path.join(dataDir, 'engine.json');
  // Of a database outside of the folder, the command line has the id.
  const names = existsSync(engine) ? [dataDir, JSON.parse(readFileSync(engine, 'utf8')).id] : [dataDir];
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => names.some((name) => line.includes(name)));
}

/** Polls until the output contains the text, or the process has ended. */
export async function untilPrinted(child, output, text) {
  while (!output().includes(text) && child.exitCode === null) await wait(20);
}
