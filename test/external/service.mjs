// The built service as a newcomer runs it: without configuration except its address, with the starter figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../support/free-port.mjs';

const root = path.join(import.meta.dirname, '../..');
const READY_MS = 180_000;

/**
 * @param {Record<string, string>} environment beside the folder and the port
 * @returns {Promise<{ url: string, key: string, dataDir: string, pid: number, ended: () => boolean, output: () => string,
 *   stop: () => Promise<void> }>}
 */
export async function startService(environment = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidemark-judged-'));
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(root, 'dist/main.js')], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, ...environment },
  });
  // The service, and with it the database, must end when this process ends, for whatever reason.
  process.on('exit', () => child.kill('SIGTERM'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  };
  const bound = performance.now() + READY_MS;
  for (;;) {
    const [key] = /tm_[0-9A-Za-z]{36}/.exec(output) ?? [];
    if (key !== undefined)
      return {
        url: `http://127.0.0.1:${port}`,
        key,
        dataDir,
        pid: child.pid,
        stop,
        output: () => output,
        ended: () => child.exitCode !== null || child.signalCode !== null,
      };
    if (child.exitCode !== null || performance.now() > bound) {
      await stop();
      throw new Error(`The service did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
