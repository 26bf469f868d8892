import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../domain/config/config.js';
import { isSchemaMissing } from '../../store/role-check.js';
import { isUnavailable } from '../../store/unavailable.js';
import { health, sendReport } from '../../serve/health/health.js';
import type { ReadinessReport } from '../../serve/health/readiness.js';
import type { Log } from '../../serve/log/log.js';

const LOOK_AGAIN_MS = 1_000;

/**
 * Resolves once `check` finds a migrated database. Until then the process is live but not ready, and reports why. If
 * it exited instead, the orchestrator would restart it with growing delays, and those would outlast the migration.
 *
 * @param check rejects with an error that `isSchemaMissing` recognises while there are no tables; any other error
 * rejects this too
 * @param signal ends the wait early
 */
export async function awaitSchema(
  check: () => Promise<void>,
  { config, log, signal }: { readonly config: Config; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  let database = await stateOf(check, false);
  if (database === 'migrated') return;
  log.warn('the database is not migrated: this instance is not ready until `tidemark migrate` has run');
  const server = await listen(config, () => report(config, database));
  try {
    while (database !== 'migrated' && !signal.aborted) {
      await wait(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
      database = await stateOf(check, true);
    }
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  if (database === 'migrated') log.info('the database is migrated');
}

type DatabaseState = 'migrated' | 'up' | 'down';

/** An unreachable database fails a start, but not one that already waits for its migration. */
async function stateOf(check: () => Promise<void>, isWaiting: boolean): Promise<DatabaseState> {
  try {
    await check();
    return 'migrated';
  } catch (error) {
    if (isSchemaMissing(error)) return 'up';
    if (isWaiting && isUnavailable(error)) return 'down';
    throw error;
  }
}

function report({ redisUrl }: Config, state: DatabaseState): ReadinessReport {
  const database = state === 'down' ? 'down' : 'up';
  const redis = redisUrl === null ? 'unused' : 'down';
  return { status: 'unready', database, migrations: 'pending', dataVersion: 0, redis, draining: false };
}

/** Every path except `/health/live` returns the report of `/health/ready`. */
async function listen({ host, port }: Config, report: () => ReadinessReport): Promise<Server> {
  const answerHealth = health({
    get report() {
      return report();
    },
  });
  const server = createServer((request, response) =>
    answerHealth(request, response, () => sendReport(request, response, report())),
  );
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
