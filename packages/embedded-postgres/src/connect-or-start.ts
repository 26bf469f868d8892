// Connects to the server of a cluster in whatever state it is: finds the running one, else starts one, and tries again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import type { Credentials } from './credentials.js';
import { EmbeddedPostgresError, messageOf } from './embedded-postgres-error.js';
import type { ServerHome } from './home.js';
import { ProcessLock } from './process-lock.js';
import { findPostmaster, StartAttempt, stopPostmaster } from './postmaster.js';

export interface Server {
  readonly home: ServerHome;
  readonly binaries: Binaries;
  readonly credentials: Credentials;
  readonly log: (line: string) => void;
}

export type OnLockLost = (deliberate: boolean) => void;

export const STOP_LIMIT_MS = 3_000;
const START_LIMIT_MS = 60_000;
const UNDO_LIMIT_MS = 3_000;
const RETRY_MS = 250;
const POLL_MS = 20;
const HOPELESS_AFTER = 3;

/** Rejects with an `EmbeddedPostgresError` after 60 seconds or once a retry cannot help, and with the signal's reason. */
export async function connectOrStart(
  server: Server,
  onLost: OnLockLost,
  signal?: AbortSignal,
): Promise<ProcessLock> {
  const deadline = performance.now() + START_LIMIT_MS;
  let attempt: StartAttempt | undefined;
  let failures = 0;
  let trouble: string | undefined;
  try {
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
          throw new EmbeddedPostgresError(
            `The embedded PostgreSQL does not start: ${trouble} (${server.home.logFile})`,
          );
        }
        attempt = undefined;
        await sleep(RETRY_MS, undefined, { signal });
      } else if (!postmaster && !attempt) {
        if (trouble === undefined) server.log('starting the embedded PostgreSQL');
        attempt = await StartAttempt.begin(server.home, server.binaries, server.credentials.port);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (attempt) await undoStart(server, attempt);
    throw error;
  }
}

/** Stops the server of an abandoned start: no other process would. */
async function undoStart(server: Server, attempt: StartAttempt): Promise<void> {
  const deadline = performance.now() + UNDO_LIMIT_MS;
  while (attempt.failure === undefined && performance.now() < deadline) {
    const postmaster = await findPostmaster(server.home);
    if (postmaster?.ready) {
      const stop = (pid: number): Promise<boolean> => stopPostmaster(server.home, pid, STOP_LIMIT_MS);
      try {
        const lock = await ProcessLock.acquire(postmaster, server.credentials, () => undefined);
        await lock.release(stop);
      } catch (error) {
        // No other process can use a server that refuses the password.
        if (error instanceof EmbeddedPostgresError) await stop(postmaster.pid);
      }
      return;
    }
    await sleep(POLL_MS);
  }
}
