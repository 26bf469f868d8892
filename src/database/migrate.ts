import type { Connections } from './connections.js';
import { createDataSource } from './data-source.js';

const POOL = { size: 2, statementTimeout: 0, applicationName: 'tidemark-migrate' };
/** Any constant: several instances that start at once migrate one after another. */
const LOCK = 7_446_701;

/** Brings schema and roles up to date; returns the names of the migrations that ran. */
export async function migrate(connections: Connections): Promise<string[]> {
  const database = createDataSource(connections.to('admin'), POOL);
  await database.initialize();
  const runner = database.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const ran = await database.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    await runner.release();
    await database.destroy();
  }
}
