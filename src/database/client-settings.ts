import type pg from 'pg';
import type { Connection } from './connections.js';

/** The operating system detects a vanished peer, also on an idle connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The `pg` settings of a connection outside TypeORM. */
export function clientSettings(connection: Connection, applicationName: string): pg.ClientConfig {
  const { role, connectionString, host, port, user, password, database } = connection;
  return {
    ...KEEP_ALIVE,
    ...(connectionString === undefined ? { host, port, user, password, database } : { connectionString }),
    ...(role !== null && { options: `-c role=${role}` }),
    application_name: applicationName,
  };
}
