import pg from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { KEEP_ALIVE } from './client-settings.js';
import type { Connection } from './connections.js';
import { GuardedPool } from './guarded-pool.js';
import { Foundation1795219200000 } from './migrations/1795219200000-foundation.migration.js';
import { NotedOrigins1795305700000 } from './migrations/1795305700000-noted-origins.migration.js';
import { Calendar1795307000000 } from './migrations/1795307000000-calendar.migration.js';
import { Subjects1795305600000 } from './migrations/1795305600000-subjects.migration.js';
import { Briefs1795310000000 } from './migrations/1795310000000-briefs.migration.js';
import { Register1795308000000 } from './migrations/1795308000000-register.migration.js';
import { Signals1795309000000 } from './migrations/1795309000000-signals.migration.js';
import { Search1795311000000 } from './migrations/1795311000000-search.migration.js';
import { Following1795312000000 } from './migrations/1795312000000-following.migration.js';
import { ChangeRuns1795315000000 } from './migrations/1795315000000-change-runs.migration.js';
import { CompanyWords1795314000000 } from './migrations/1795314000000-company-words.migration.js';
import { UsageWriters1795316000000 } from './migrations/1795316000000-usage-writers.migration.js';
import { Watching1795313000000 } from './migrations/1795313000000-watching.migration.js';

// Days stay days: a `date` is a text, never a Date in somebody's time zone. Counters fit a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export const MIGRATIONS = [
  Foundation1795219200000,
  Subjects1795305600000,
  NotedOrigins1795305700000,
  Following1795312000000,
  Calendar1795307000000,
  Register1795308000000,
  Signals1795309000000,
  Briefs1795310000000,
  Search1795311000000,
  Watching1795313000000,
  CompanyWords1795314000000,
  ChangeRuns1795315000000,
  UsageWriters1795316000000,
];

export interface PoolSettings {
  readonly size: number;
  /** Milliseconds after which the server gives a statement up; 0 for an import. */
  readonly statementTimeout: number;
  readonly applicationName: string;
  /** Milliseconds after which the server gives up waiting for a lock; without, it waits as long as the statement may take. */
  readonly lockTimeout?: number;
  /** Milliseconds that a request may wait for a connection; left out where nobody waits for an answer. */
  readonly waitMs?: number;
}

/** What every pool of ours is made with. */
export function poolOptions({ size, statementTimeout, lockTimeout, waitMs }: PoolSettings) {
  return {
    ...KEEP_ALIVE,
    max: size,
    connectionTimeoutMillis: 2_000,
    statement_timeout: statementTimeout,
    ...(lockTimeout !== undefined && { lock_timeout: lockTimeout }),
    idle_in_transaction_session_timeout: statementTimeout === 0 ? 0 : statementTimeout + 5_000,
    // Should the server not get to giving a statement up, or the way back be gone.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 1_000 }),
    ...(waitMs !== undefined && { waitMs }),
  };
}

/** A data source over one role's connection. The schema comes from migrations only. */
export function createDataSource(
  connection: Connection,
  pool: PoolSettings,
  entities: EntityTarget<ObjectLiteral>[] = [],
): DataSource {
  const { role, connectionString, host, port, user, password, database } = connection;
  return new DataSource({
    type: 'postgres',
    ...(connectionString === undefined
      ? { host, port, username: user, password, database }
      : { url: connectionString }),
    entities: entities as never[],
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    logging: false,
    applicationName: pool.applicationName,
    driver: { ...pg, Pool: GuardedPool },
    extra: { ...poolOptions(pool), ...(role !== null && { options: `-c role=${role}` }) },
  } as ConstructorParameters<typeof DataSource>[0]);
}
