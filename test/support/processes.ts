import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from './database.js';
import { freePort } from './free-port.mjs';
import { TEST_PEPPER } from './server.js';
import { until } from './until.js';

export { until };

const MAIN = join(__dirname, '../../dist/main.js');
export const isBuilt = existsSync(MAIN);

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** Everything it has written to its standard output and error. */
  output(): string;
  /** Resolves when it has ended by itself. */
  ended(): Promise<{ code: number | null; signal: string | null }>;
  /** Resolves when it has ended. */
  signal(name: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
  /** Also one that has ended already. */
  stop(): Promise<void>;
}

/**
 * The built service as a process of its own, as it is started where a database is configured.
 *
 * @param status what `/` answers once the process listens; an instance that waits for a migration answers 503
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
      KEY_PEPPER: `test:${TEST_PEPPER}`,
      // No load balancer has to see that it leaves.
      DRAIN_SECONDS: '0',
      ...environment,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  // Its last words are read before it counts as ended.
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

/** The API's login as an address: a folder as host goes into the query. */
function addressOf(database: TestDatabase): string {
  const {
    connectionString,
    host = '',
    port = 5432,
    user = '',
    password = '',
  } = database.connections.to('api');
  if (connectionString !== undefined) return connectionString;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  const socket = host.startsWith('/') ? `?host=${encodeURIComponent(host)}` : '';
  return `postgres://${login}@${socket === '' ? host : 'localhost'}:${String(port)}/${database.name}${socket}`;
}
