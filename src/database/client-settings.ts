import type pg from 'pg';
import type { Connection } from './connections.js';

/** The operating system detects a vanished peer, also on an idle connection. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * A server plans a named statement anew for each set of values as long as it takes such plans for cheaper, and planning
 * a page takes longer than reading it. Every statement of a request must therefore have a plan that suits all values.
 */
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

/** Settings of a session, as the `options` of its start: its role, and how its statements are planned. */
export function sessionOptions(
  { role }: Pick<Connection, 'role'>,
  plansOnce = false,
): { readonly options?: string } {
  const options = [...(role === null ? [] : [`-c role=${role}`]), ...(plansOnce ? [ONE_PLAN] : [])];
  return options.length === 0 ? {} : { options: options.join(' ') };
}

/** The `pg` settings of a connection outside TypeORM. */
export function clientSettings(connection: Connection, applicationName: string): pg.ClientConfig {
  const { connectionString, host, port, user, password, database } = connection;
  return {
    ...KEEP_ALIVE,
    ...(connectionString === undefined ? { host, port, user, password, database } : { connectionString }),
    ...sessionOptions(connection),
    application_name: applicationName,
  };
}
