// The program that stops the server of a killed process: `node watchdog.js DATA_DIR [ROOT_STATE]`. It begins when its
// input ends, and ends at once if other processes use the server.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCredentials, type Credentials } from './credentials.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { findHome, type ServerHome } from './home.js';
import { findPostmaster, STOP_LIMIT_MS, stopPostmaster } from './postmaster.js';
import { ProcessLock } from './process-lock.js';

const POLL_MS = 20;
/** A server that was just started has no `postmaster.pid` yet. */
const ABSENT_MS = 1_000;
/** Time for the recovery of a server that is not ready yet. */
const LIMIT_MS = 60_000;

async function stopIfUnused(home: ServerHome, credentials: Credentials): Promise<void> {
  const stop = (pid: number): Promise<boolean> => stopPostmaster(home, pid, STOP_LIMIT_MS);
  const began = performance.now();
  let lastFound = began;
  while (performance.now() - lastFound < ABSENT_MS && performance.now() - began < LIMIT_MS) {
    const postmaster = await findPostmaster(home);
    if (postmaster) lastFound = performance.now();
    if (postmaster?.ready) {
      try {
        const lock = await ProcessLock.acquire(postmaster, credentials, () => undefined);
        await lock.release(stop);
        return;
      } catch (error) {
        // No other process can use a server that refuses the password.
        if (error instanceof EmbeddedPostgresError) {
          await stop(postmaster.pid);
          return;
        }
      }
    }
    await sleep(POLL_MS);
  }
}

process.stdin.resume();
await once(process.stdin, 'end');
const [dataDir = '', rootState] = process.argv.slice(2);
const [home, credentials] = [await findHome(dataDir, rootState), await readCredentials(dataDir)];
if (home && credentials) await stopIfUnused(home, credentials);
