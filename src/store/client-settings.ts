import type pg from 'pg';
import type { Connection } from './connections.js';

/** The operating system detects a vanished peer, also on an idle connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The `pg` settings of a connection outside TypeORM. `openSession` sets its role. */
export function clientSettings(connection: Connection, applicationName: string): pg.ClientConfig {
  const { connectionString, host, port, user, password, database } = connection;
  return {
    ...KEEP_ALIVE,
    ...(connectionString === undefined ? { host, port, user, password, database } : { connectionString }),
    application_name: applicationName,
  };
}
