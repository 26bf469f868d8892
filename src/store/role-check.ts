import type { Config } from '../domain/config/config.js';
import type { Connection, Connections } from './connections.js';
import { createDataSource } from './data-source.js';
import { loginSettings } from './sessions.js';
import { errorParts } from './unavailable.js';

interface RoleRow {
  readonly name: string;
  readonly superuser: boolean;
  readonly bypassesRls: boolean;
  readonly owner: boolean;
  readonly writesContent: boolean;
  readonly readsPasswords: boolean;
}

/** Runs one statement; returns its rows. */
type Ask = <Row extends object>(sql: string) => Promise<Row[]>;

// The session's user, not its current role: RESET ROLE would undo that.
const QUERY = `
  SELECT r.rolname AS name, r.rolsuper AS superuser, r.rolbypassrls AS "bypassesRls",
         EXISTS (SELECT 1 FROM pg_tables t WHERE t.schemaname = 'public' AND t.tablename = 'changes'
                   AND pg_has_role(session_user, t.tableowner, 'MEMBER')) AS owner,
         has_table_privilege(session_user, 'changes', 'INSERT') OR
         has_table_privilege(session_user, 'observations', 'INSERT') AS "writesContent",
         has_table_privilege(session_user, 'account_passwords', 'SELECT') AS "readsPasswords"
  FROM pg_roles r WHERE r.rolname = session_user`;

const POOL = { size: 1, statementTimeout: 10_000, applicationName: 'tidemark-start' };

// Behind a pooler a session has the settings of its login; any other has ours.
const SETTINGS = `
  SELECT quote_ident(session_user) AS login, current_setting('jit') = 'off' AND current_setting('statement_timeout') <> '0'
    AND current_setting('idle_in_transaction_session_timeout') <> '0' AS complete`;

/** Of a login's sessions behind a pooler, in milliseconds: statements of requests take a few. */
const LOGIN_TIMEOUT = 2_000;

/**
 * Checks the rights of the logins for the API and for the replicas, and their settings behind a pooler. In production, a login that can write content or
 * read withheld content stops the start, and so does an API login that can read passwords; in development the check
 * logs a warning and sets a role with fewer rights.
 */
export async function requireFitRole(
  connections: Connections,
  config: Config,
  warn: (message: string) => void,
): Promise<void> {
  const texts = [await unfitLoginAt(connections.to('api'), 'DATABASE_URL')];
  if (config.database.account !== null) {
    texts.push(await unfitLoginAt(connections.to('account'), 'DATABASE_ACCOUNT_URL'));
  }
  for (const replica of connections.replicas ?? []) {
    // An unreachable replica does not block the start: its login is checked when it responds.
    texts.push(await unfitLoginAt(replica, 'DATABASE_REPLICA_URL').catch(() => null));
  }
  for (const text of texts.filter((found) => found !== null)) {
    if (config.production) throw new Error(text);
    warn(text);
  }
}

/** Whether a check failed because no migration has run: the tables or the role to set do not exist. */
export function isSchemaMissing(error: unknown): boolean {
  const { code, message } = errorParts(error);
  return code === '42P01' || (code === '22023' && String(message).includes('role "tidemark_'));
}

async function unfitLoginAt(connection: Connection, variable: string): Promise<string | null> {
  const database = createDataSource(connection, POOL);
  await database.initialize();
  try {
    return await unfitLogin((sql) => database.query(sql), variable);
  } finally {
    await database.destroy();
  }
}

/** What is wrong with a variable's login, and what to do: its rights, or its settings; null if it is fit. */
export async function unfitLogin(ask: Ask, variable: string): Promise<string | null> {
  const [role] = await ask<RoleRow>(QUERY);
  const faults = role === undefined ? [] : faultsOf(role, variable);
  if (role !== undefined && faults.length > 0) {
    return `the login ${role.name} of ${variable} ${faults.join(' and ')}: in production give it a login that is a member of its own role only`;
  }
  const [session] = await ask<{ login: string; complete: boolean }>(SETTINGS);
  return session?.complete === false
    ? `${variable} leads to a connection pooler, where the login needs settings of its own: run ${loginSettings(session.login, LOGIN_TIMEOUT)}; then RECONNECT the pooler`
    : null;
}

function faultsOf(role: RoleRow, variable: string): string[] {
  const { superuser, bypassesRls, owner, writesContent, readsPasswords } = role;
  const limited = !superuser && !owner;
  return [
    ...(superuser ? ['is a superuser'] : []),
    ...(bypassesRls && !superuser ? ['bypasses row-level security'] : []),
    ...(owner && !superuser ? ['owns the tables'] : []),
    ...(writesContent && limited ? ['may write content'] : []),
    ...(readsPasswords && limited && variable !== 'DATABASE_ACCOUNT_URL' ? ['may read passwords'] : []),
  ];
}
