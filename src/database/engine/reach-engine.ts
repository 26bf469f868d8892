// From whatever state the cluster is in to a held lease: find the server, else start it, and try again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineBinaries } from './binaries.js';
import type { EngineCredentials } from './credentials.js';
import { EngineError, messageOf } from './engine-error.js';
import type { EngineHome } from './home.js';
import { LeaseSession } from './lease.js';
import { findPostmaster, StartAttempt, stopPostmaster } from './postmaster.js';

export interface Engine {
  readonly home: EngineHome;
  readonly binaries: EngineBinaries;
  readonly credentials: EngineCredentials;
  readonly log: (line: string) => void;
}

export type LeaseLost = (deliberate: boolean) => void;

export const STOP_LIMIT_MS = 3_000;
const START_LIMIT_MS = 60_000;
const UNDO_LIMIT_MS = 3_000;
const RETRY_MS = 250;
const POLL_MS = 20;
const HOPELESS_AFTER = 3;

/** Rejects with an `EngineError` after 60 seconds or when waiting is of no use, and with the signal's reason. */
export async function reachEngine(
  engine: Engine,
  onLost: LeaseLost,
  signal?: AbortSignal,
): Promise<LeaseSession> {
  const deadline = performance.now() + START_LIMIT_MS;
  let attempt: StartAttempt | undefined;
  let failures = 0;
  let trouble: string | undefined;
  try {
    for (;;) {
      signal?.throwIfAborted();
      if (performance.now() > deadline) {
        throw new EngineError(
          `The embedded engine did not answer in ${START_LIMIT_MS / 1000} s: ${trouble ?? 'it gave no reason'} (${engine.home.logFile})`,
        );
      }
      const postmaster = await findPostmaster(engine.home);
      if (postmaster?.ready) {
        try {
          return await LeaseSession.open(postmaster, engine.credentials, onLost);
        } catch (error) {
          if (error instanceof EngineError) throw error;
          trouble = messageOf(error);
        }
      } else if (!postmaster && attempt?.failure !== undefined) {
        trouble = attempt.failure;
        if (!attempt.contended && ++failures === HOPELESS_AFTER) {
          throw new EngineError(`The embedded engine does not start: ${trouble} (${engine.home.logFile})`);
        }
        attempt = undefined;
        await sleep(RETRY_MS, undefined, { signal });
      } else if (!postmaster && !attempt) {
        if (trouble === undefined) engine.log('starting the embedded engine');
        attempt = await StartAttempt.begin(engine.home, engine.binaries, engine.credentials.port);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (attempt) await undoStart(engine, attempt);
    throw error;
  }
}

/** Nobody may be left to stop what a given-up start brought to life. */
async function undoStart(engine: Engine, attempt: StartAttempt): Promise<void> {
  const deadline = performance.now() + UNDO_LIMIT_MS;
  while (attempt.failure === undefined && performance.now() < deadline) {
    const postmaster = await findPostmaster(engine.home);
    if (postmaster?.ready) {
      const stop = (pid: number): Promise<boolean> => stopPostmaster(engine.home, pid, STOP_LIMIT_MS);
      try {
        const session = await LeaseSession.open(postmaster, engine.credentials, () => undefined);
        await session.close(stop);
      } catch (error) {
        // Nobody else can have joined a server that takes no password.
        if (error instanceof EngineError) await stop(postmaster.pid);
      }
      return;
    }
    await sleep(POLL_MS);
  }
}
