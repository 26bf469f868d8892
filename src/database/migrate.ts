import { setTimeout as wait } from 'node:timers/promises';
import { QueryFailedError, type DataSource } from 'typeorm';
import type { Connections } from './connections.js';
import { createDataSource } from './data-source.js';

/**
 * A statement that changes a table waits for those who read it, and all who come after wait behind it: so it waits
 * a second at most, and is tried again when they have gone through.
 */
const POOL = { size: 2, statementTimeout: 0, lockTimeout: 1_000, applicationName: 'tidemark-migrate' };
const PAUSE_MS = 1_000;
const TRIES = 60;
/** Any constant: several instances that start at once migrate one after another. */
const LOCK = 7_446_701;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings schema and roles up to date; returns the names of the migrations that ran.
 * @param onWait a table that has to be changed is in use, by an import perhaps
 * @throws when it is still in use after two minutes; what ran before that one stands
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
