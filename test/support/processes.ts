import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseRole } from '../../src/store/connections.js';
import type { TestDatabase } from './database.js';
import { freePort } from './free-port.mjs';
import { TEST_PEPPER } from './server.js';
import { until } from './until.js';

export { until };

const MAIN = join(__dirname, '../../dist/main.js');

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Whether it has exited. */
  hasEnded(): boolean;
  /** Everything that it has written to standard output and standard error. */
  output(): string;
  /** Resolves when it exits by itself. */
  ended(): Promise<{ code: number | null; signal: string | null }>;
  /** Resolves when it has exited. */
  signal(name: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
  /** Also if it has already exited. */
  stop(): Promise<void>;
}

/**
 * The built service as a separate process, started with a configured database.
 * @param status of `/` once the process listens; an instance that waits for a migration returns 503
 */
export async function startProcess(
  database: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
  status = 200,
): Promise<ServerProcess> {
  const port = String(await freePort());
  const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-process-'));
  const child = spawn(process.execPath, [MAIN], {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PORT: port,
      DATA_DIR: dataDir,
      DATABASE_URL: addressOf(database),
      DATABASE_ACCOUNT_URL: addressOf(database, 'account'),
      KEY_PEPPER: `test:${TEST_PEPPER}`,
      // No load balancer has to notice the shutdown.
      DRAIN_SECONDS: '0',
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  // Its last output is read before it counts as exited.
  const exited = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  await until(30_000, `a server process: ${output}`, async () => {
    if (child.exitCode !== null) throw new Error(`The server process ended: ${output}`);
    return (await fetch(url).catch(() => null))?.status === status;
  });
  const ended = async () => {
    await exited;
    return { code: child.exitCode, signal: child.signalCode };
  };
  return {
    url,
    pid: child.pid ?? 0,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => output,
    ended,
    signal: (name) => {
      child.kill(name);
      return ended();
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A role's login as a URL: a folder as host belongs into the query. */
export function addressOf(database: TestDatabase, role: DatabaseRole = 'api'): string {
  const { connectionString, host = '', port = 5432, user = '', password = '' } = database.connections.to(role);
  if (connectionString !== undefined) return connectionString;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const socket = host.startsWith('/') ? `?host=${encodeURIComponent(host)}` : '';
  return `postgres://${login}@${socket === '' ? host : 'localhost'}:${String(port)}/${database.name}${socket}`;
}
