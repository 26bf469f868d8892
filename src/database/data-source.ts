import pg from 'pg';
import { DataSource, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { Connection } from './connections.js';
import { Foundation1795219200000 } from './migrations/1795219200000-foundation.migration.js';
import { NotedOrigins1795305700000 } from './migrations/1795305700000-noted-origins.migration.js';
import { Calendar1795307000000 } from './migrations/1795307000000-calendar.migration.js';
import { Subjects1795305600000 } from './migrations/1795305600000-subjects.migration.js';
import { Briefs1795310000000 } from './migrations/1795310000000-briefs.migration.js';
import { Register1795308000000 } from './migrations/1795308000000-register.migration.js';
import { Signals1795309000000 } from './migrations/1795309000000-signals.migration.js';
import { Search1795311000000 } from './migrations/1795311000000-search.migration.js';
import { Following1795312000000 } from './migrations/1795312000000-following.migration.js';

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
];

export interface PoolSettings {
  readonly size: number;
  /** Milliseconds after which the server gives a statement up; 0 for an import. */
  readonly statementTimeout: number;
  readonly applicationName: string;
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
    extra: {
      max: pool.size,
      connectionTimeoutMillis: 2_000,
      statement_timeout: pool.statementTimeout,
      idle_in_transaction_session_timeout: pool.statementTimeout === 0 ? 0 : pool.statementTimeout + 5_000,
      ...(role !== null && { options: `-c role=${role}` }),
    },
  } as ConstructorParameters<typeof DataSource>[0]);
}
