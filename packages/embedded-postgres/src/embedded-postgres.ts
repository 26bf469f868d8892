// A PostgreSQL server that needs no configuration: the first process starts it, all share it, the last one stops it.
import { rm } from 'node:fs/promises';
import { findBinaries } from './binaries.js';
import { ensureCluster, hasCluster } from './cluster.js';
import { removeCredentials, type LoginRole } from './credentials.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { findHome, openHome } from './home.js';
import { SharedSession, type LoginConnection } from './shared-session.js';
import { findPostmaster, stopPostmaster } from './postmaster.js';

export interface EmbeddedPostgres {
  /** `admin` owns the private cluster and is its superuser; `import` and `api` have only what migrations grant. */
  connection(role: LoginRole): LoginConnection;
  /** Whether this call created the cluster. */
  readonly firstStart: boolean;
  /** Close pools first. The last process to release stops the server. Never rejects, and ends within seconds. */
  release(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  /** The folder of the cluster if this process is root; default: `/var/lib/tidemark`. Every opener names the same. */
  readonly rootState?: string;
  /** Created if it is missing; default: `tidemark`. */
  readonly database?: string;
  readonly log?: (line: string) => void;
  /** Aborts the start. A server that this call started and no other process uses is stopped. */
  readonly signal?: AbortSignal;
}

const OPERATOR_STOP_LIMIT_MS = 10_000;

/**
 * Connects to the running server of this data folder, also one that a killed process left behind, or starts one.
 * Rejects with an `EmbeddedPostgresError` whose message the service can print. Until `release` the process stays alive
 * and restarts a server that dies.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { home, credentials } = await openHome(options.dataDir, options.rootState);
  const binaries = await findBinaries(home);
  const firstStart = await ensureCluster(home, binaries, credentials, options.signal);
  const server = { home, binaries, credentials, log: options.log ?? (() => undefined) };
  const session = new SharedSession(server, options.database ?? 'tidemark', firstStart);
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
  for (const folder of [home.folder, home.socketDir])
    if (folder) await rm(folder, { recursive: true, force: true });
}
