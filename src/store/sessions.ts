import type pg from 'pg';

/** What each session of a pool has set. Times in milliseconds; 0: no limit. */
export interface SessionSettings {
  readonly statementTimeout: number;
  /** The role to set, so that one URL serves all roles in development. */
  readonly role: string | null;
}

/** PostgreSQL ends a session that idles in a transaction for longer, in milliseconds. */
const idleTimeout = (statementTimeout: number): number => (statementTimeout === 0 ? 0 : statementTimeout + 5_000);

const behindPooler = new WeakSet<pg.ClientBase>();

/** Whether a pooler lends the session of this client to others between its transactions. */
export function isBehindPooler(client: pg.ClientBase): boolean {
  return behindPooler.has(client);
}

/**
 * Settings of a session that no other client shares. A pooler gives its clients a process id that is not the session's:
 * nothing is set there, because the next client would get it. JIT compilation costs our statements, which read few rows
 * with long plans, more than it saves. $1 process id, $2 and $3 times, $4 role or null
 */
const OPEN = `
  SELECT pg_backend_pid() = $1 AS own, CASE WHEN pg_backend_pid() = $1 THEN ARRAY[
    set_config('jit', 'off', false), set_config('statement_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false), set_config('role', coalesce($4, current_setting('role')), false)] END`;

/**
 * Begins a new connection: the settings are no parameters of its start, because a pooler refuses or ignores those.
 * @throws if a role must be set behind a pooler
 */
export async function openSession(client: pg.ClientBase, settings: SessionSettings): Promise<void> {
  const { statementTimeout, role } = settings;
  const times = [statementTimeout, idleTimeout(statementTimeout)].map(String);
  const { processID } = client as unknown as { readonly processID: number };
  const { rows } = await client.query<{ own: boolean }>(OPEN, [processID, ...times, role]);
  if (rows[0]?.own === true) return;
  behindPooler.add(client);
  if (role !== null) {
    throw new Error(
      `this address is a connection pooler's, which keeps no role: set DATABASE_ADMIN_URL, DATABASE_IMPORT_URL and DATABASE_ACCOUNT_URL, each with a login of its own`,
    );
  }
}

/** The statement that gives a login, for its sessions behind a pooler, what `openSession` sets elsewhere. */
export const loginSettings = (login: string, statementTimeout: number): string =>
  `ALTER ROLE ${login} SET jit = off; ALTER ROLE ${login} SET statement_timeout = ${statementTimeout}; ` +
  `ALTER ROLE ${login} SET idle_in_transaction_session_timeout = ${idleTimeout(statementTimeout)}`;
