// The PostgreSQL that runs without being configured: the first process starts it, all share it, the last one stops it.
import { rm } from 'node:fs/promises';
import { findBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { removeCredentials, type EngineRole } from './credentials.js';
import { EngineError } from './engine-error.js';
import { findHome, openHome } from './home.js';
import { EngineMembership, type EngineConnection } from './membership.js';
import { findPostmaster, stopPostmaster } from './postmaster.js';

export interface EngineLease {
  /** `admin` owns the private cluster and is its superuser; `import` and `api` have only what migrations grant. */
  connection(role: EngineRole): EngineConnection;
  /** This call made the cluster. */
  readonly firstStart: boolean;
  /** Close pools first. The last participant out stops the engine. Never rejects, and ends within seconds. */
  release(): Promise<void>;
}

export interface EngineOptions {
  readonly dataDir: string;
  /** Made when it is missing; `tidemark` unless told. */
  readonly database?: string;
  readonly log?: (line: string) => void;
  /** Ends the waiting. A server that this call started and nobody else uses is stopped again. */
  readonly signal?: AbortSignal;
}

const OPERATOR_STOP_LIMIT_MS = 10_000;

/**
 * Starts the engine of this data folder or joins the running one, also one that a killed process left behind.
 * Rejects with an `EngineError` whose message is fit for the person who started the service. An open lease keeps
 * the process alive, and starts the engine again should it die.
 */
export async function joinEngine(options: EngineOptions): Promise<EngineLease> {
  const { home, credentials } = await openHome(options.dataDir);
  const binaries = await findBinaries(home);
  const firstStart = await ensureCluster(home, binaries, credentials, options.signal);
  const engine = { home, binaries, credentials, log: options.log ?? (() => undefined) };
  const membership = new EngineMembership(engine, options.database ?? 'tidemark', firstStart);
  await membership.join(options.signal);
  return membership;
}

/** Stops the engine of this data folder whoever uses it; those who do are told and do not start it again. */
export async function stopEngine(dataDir: string): Promise<'stopped' | 'not-running'> {
  const home = await findHome(dataDir);
  const postmaster = home && (await findPostmaster(home));
  if (!postmaster) return 'not-running';
  if (await stopPostmaster(home, postmaster.pid, OPERATOR_STOP_LIMIT_MS)) return 'stopped';
  throw new EngineError(
    `The embedded engine (process ${postmaster.pid}) is still stopping; see ${home.logFile}`,
  );
}

/** Stops the engine of this data folder and deletes its database and passwords, wherever they lie, for good. */
export async function removeEngine(dataDir: string): Promise<void> {
  const home = await findHome(dataDir);
  if (!home) return;
  await stopEngine(dataDir);
  await removeCredentials(dataDir);
  for (const folder of [home.folder, home.socketDir])
    if (folder) await rm(folder, { recursive: true, force: true });
}
