// A PostgreSQL server that needs no configuration: the first process starts it, all share it, the last one stops it.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { findBinaries } from './binaries.js';
import { ensureCluster, hasCluster } from './cluster.js';
import { removeCredentials, type LoginRole } from './credentials.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { Guard } from './guard.js';
import { findHome, openHome } from './home.js';
import { SharedSession, type LoginConnection } from './shared-session.js';
import { findPostmaster, stopPostmaster } from './postmaster.js';

export interface EmbeddedPostgres {
  /** `admin` owns the private cluster and is its superuser; `import` and `api` have only what migrations grant. */
  connection(role: LoginRole): LoginConnection;
  /** Whether this call created the cluster. */
  readonly firstStart: boolean;
  /** The server's folder if its disk was full since `open`, as the server's log says: clients see a lost connection. */
  fullDisk(): Promise<string | undefined>;
  /** Close pools first. The last process to release stops the server. Never rejects, and ends within seconds. */
  release(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /**
   * The folder of the cluster if this process is root; default: `dataDir`, or `/var/lib/tidemark` where the server's user
   * may not enter that. Every opener names the same.
   */
  readonly rootState?: string;
  /** Created if it is missing; default: `tidemark`. */
  readonly database?: string;
  readonly log?: (line: string) => void;
  /** Aborts the start. A server that this call started and no other process uses is stopped. */
  readonly signal?: AbortSignal;
}

const OPERATOR_STOP_LIMIT_MS = 10_000;

/**
 * Connects to the running server of this data folder, or starts one. A server stops with the last process that uses it,
 * also if that process is killed.
 * Rejects with an `EmbeddedPostgresError` whose message the service can print. Until `release` the process stays alive
 * and restarts a server that dies.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, credentials } = await openHome(options.dataDir, options.rootState);
  const binaries = await findBinaries(home);
  const firstStart = await ensureCluster(home, binaries, credentials, options.signal);
  const server = { home, binaries, credentials, log: options.log ?? (() => undefined) };
  const guard = Guard.begin(path.resolve(options.dataDir), options.rootState);
  const session = new SharedSession(server, guard, options.database ?? 'tidemark', firstStart);
  await session.open(options.signal);
  return session;
}

/** Whether this data folder has a database; creates nothing. */
export async function hasEmbeddedPostgres(dataDir: string): Promise<boolean> {
  const home = await findHome(dataDir);
  return home !== undefined && (await hasCluster(home));
}

/** Stops the server of this data folder even if processes use it; they do not restart it. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<'stopped' | 'not-running'> {
  const home = await findHome(dataDir);
  const postmaster = home && (await findPostmaster(home));
  if (!postmaster) return 'not-running';
  if (await stopPostmaster(home, postmaster.pid, OPERATOR_STOP_LIMIT_MS)) return 'stopped';
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL (process ${postmaster.pid}) is still stopping; see ${home.logFile}`,
  );
}

/** Stops the server of this data folder and deletes its database and passwords. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const home = await findHome(dataDir);
  if (!home) return;
  await stopEmbeddedPostgres(dataDir);
  await removeCredentials(dataDir);
  for (const folder of [home.folder, home.socketDir]) if (folder) await rm(folder, { recursive: true, force: true });
}
