import { setTimeout as wait } from 'node:timers/promises';
import { QueryFailedError, type DataSource } from 'typeorm';
import type { Connections } from './connections.js';
import { createDataSource } from './data-source.js';

/**
 * ALTER TABLE waits for running readers, and every later reader queues behind it. So a migration waits for a lock for
 * one second at most, and is retried after the queue has drained.
 */
const POOL = { size: 2, statementTimeout: 0, lockTimeout: 1_000, applicationName: 'tidemark-migrate' };
const PAUSE_MS = 1_000;
const TRIES = 60;
/** Any constant: instances that start at the same time migrate one after another. */
const LOCK = 7_446_701;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Migrates schema and roles to the current version; returns the names of the migrations that ran.
 * @param onWait called while another session, such as an import, uses a table that a migration changes
 * @throws if the table is still in use after two minutes; migrations that ran before stay applied
 */
export async function migrate(
  connections: Connections,
  onWait: () => void = () => undefined,
): Promise<string[]> {
  const database = createDataSource(connections.to('admin'), POOL);
  await database.initialize();
  const runner = database.createQueryRunner();
  try {
    await runner.query('SET lock_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
    return await runPending(database, onWait);
  } finally {
    await runner.release();
    await database.destroy();
  }
}

async function runPending(database: DataSource, onWait: () => void): Promise<string[]> {
  const before = new Set(await namesOfRun(database));
  for (let tries = 1; ; tries += 1) {
    try {
      await database.runMigrations({ transaction: 'each' });
      return (await namesOfRun(database)).filter((name) => !before.has(name));
    } catch (error) {
      if (!isBlocked(error) || tries === TRIES) throw error;
      if (tries === 1) onWait();
      await wait(PAUSE_MS);
    }
  }
}

function isBlocked(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  return (error.driverError as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
}

async function namesOfRun(database: DataSource): Promise<string[]> {
  const [{ there } = { there: false }] = await database.query<{ there: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  if (!there) return [];
  const rows = await database.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}
