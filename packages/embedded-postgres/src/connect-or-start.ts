// Connects to the server of a cluster in whatever state it is: finds the running one, else starts one, and tries again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { Credentials } from './credentials.js';
import { EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';
import type { ServerHome } from './home.js';
import { ProcessLock } from './process-lock.js';
import { findPostmaster, StartAttempt } from './postmaster.js';

export interface Server {
  readonly home: ServerHome;
  readonly binaries: Binaries;
  readonly credentials: Credentials;
  readonly log: (line: string) => void;
}

export type OnLockLost = (deliberate: boolean) => void;

const START_LIMIT_MS = 60_000;
const RETRY_MS = 250;
const POLL_MS = 20;
const HOPELESS_AFTER = 3;

/** Rejects with an `EmbeddedPostgresError` after 60 seconds or once a retry cannot help, and with the signal's reason. */
export async function connectOrStart(server: Server, onLost: OnLockLost, signal?: AbortSignal): Promise<ProcessLock> {
  const deadline = performance.now() + START_LIMIT_MS;
  let attempt: StartAttempt | undefined;
  let failures = 0;
  let trouble: string | undefined;
  for (;;) {
    signal?.throwIfAborted();
    if (performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL did not answer in ${START_LIMIT_MS / 1000} s: ${trouble ?? 'it gave no reason'} (${server.home.logFile})`,
      );
    }
    const postmaster = await findPostmaster(server.home);
    if (postmaster?.ready) {
      try {
        return await ProcessLock.acquire(postmaster, server.credentials, onLost);
      } catch (error) {
        if (error instanceof EmbeddedPostgresError) throw error;
        trouble = messageOf(error);
      }
    } else if (!postmaster && attempt?.failure !== undefined) {
      trouble = attempt.failure;
      if (!attempt.contended && ++failures === HOPELESS_AFTER) {
        throw new EmbeddedPostgresError(`The embedded PostgreSQL does not start: ${trouble} (${server.home.logFile})`);
      }
      attempt = undefined;
      await sleep(RETRY_MS, undefined, { signal });
    } else if (!postmaster && !attempt) {
      if (trouble === undefined) server.log(`starting the embedded PostgreSQL in ${server.home.folder}`);
      attempt = await StartAttempt.begin(server.home, server.binaries, server.credentials.port);
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
