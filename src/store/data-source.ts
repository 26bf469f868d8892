import pg from 'pg';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import { KEEP_ALIVE } from './client-settings.js';
import type { Connection } from './connections.js';
import { CircuitBreakerPool } from './circuit-breaker-pool.js';
import { FirstRelease1799000000000 } from './schema/migrations/1799000000000-first-release.migration.js';
import { WaitingEntities1799100000000 } from './schema/migrations/1799100000000-waiting-entities.migration.js';
import { Languages1799200000000 } from './schema/migrations/1799200000000-languages.migration.js';
import { PostgresNames } from './postgres-names.js';
import type { ReleaseMigration } from './schema/release-migration.js';
import { openSession } from './sessions.js';

// A `date` stays a text: a Date would depend on the time zone. Counters fit a number.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Since the first release, oldest first. An empty database gets `schema/` instead. */
export const MIGRATIONS: readonly (new () => ReleaseMigration)[] = [
  FirstRelease1799000000000,
  WaitingEntities1799100000000,
  Languages1799200000000,
];

export interface PoolSettings {
  readonly size: number;
  /** Connections that stay open when nobody uses them; none by default, and then the next request pays for a new one. */
  readonly min?: number;
  /** Milliseconds after which the server cancels a statement; 0 for an import. */
  readonly statementTimeout: number;
  readonly applicationName: string;
  /** Milliseconds that a request waits for a connection; undefined: no bound of ours. */
  readonly waitMs?: number;
}

/** The `pg` options of a pool of one role's sessions. */
export function poolOptions({ role }: Pick<Connection, 'role'>, settings: PoolSettings) {
  const { size, min = 0, statementTimeout, waitMs } = settings;
  return {
    ...KEEP_ALIVE,
    max: size,
    min,
    connectionTimeoutMillis: 2_000,
    onConnect: (client: pg.ClientBase) => openSession(client, { ...settings, role }),
    // Client-side timeout, in case the server cannot cancel or the connection is dead.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + 1_000 }),
    ...(waitMs !== undefined && { waitMs }),
  };
}

/** The options of a data source over one role's connection. Only migrations change the schema. */
export function dataSourceOptions(connection: Connection, pool: PoolSettings): DataSourceOptions {
  const { connectionString, host, port, user, password, database } = connection;
  return {
    type: 'postgres',
    ...(connectionString === undefined
      ? { host, port, username: user, password, database }
      : { url: connectionString }),
    migrations: [...MIGRATIONS],
    migrationsTableName: 'migrations',
    namingStrategy: new PostgresNames(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    applicationName: pool.applicationName,
    driver: { ...pg, Pool: CircuitBreakerPool },
    extra: poolOptions(connection, pool),
  } as DataSourceOptions;
}

export function createDataSource(
  connection: Connection,
  pool: PoolSettings,
  entities: EntityTarget<ObjectLiteral>[] = [],
): DataSource {
  return new DataSource({ ...dataSourceOptions(connection, pool), entities: entities as never[] });
}
