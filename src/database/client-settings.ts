import type pg from 'pg';
import type { Connection } from './connections.js';

/** A peer that vanished without a word is noticed by the system, also where nobody asks anything. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** A connection in the words of `pg`, for those that are not the ORM's. */
export function clientSettings(connection: Connection, applicationName: string): pg.ClientConfig {
  const { role, connectionString, host, port, user, password, database } = connection;
  return {
    ...KEEP_ALIVE,
    ...(connectionString === undefined ? { host, port, user, password, database } : { connectionString }),
    ...(role !== null && { options: `-c role=${role}` }),
    application_name: applicationName,
  };
}
