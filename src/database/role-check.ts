import type { Config } from '../config/config.js';
import type { Connection, Connections } from './connections.js';
import { createDataSource } from './data-source.js';

interface RoleRow {
  readonly name: string;
  readonly superuser: boolean;
  readonly bypassesRls: boolean;
  readonly owner: boolean;
  readonly writesContent: boolean;
}

/** One statement; gives its rows. */
type Ask = <Row extends object>(sql: string) => Promise<Row[]>;

// The session's user, not the role it took on: what was taken on can be put down again.
const QUERY = `
  SELECT r.rolname AS name, r.rolsuper AS superuser, r.rolbypassrls AS "bypassesRls",
         EXISTS (SELECT 1 FROM pg_tables t WHERE t.schemaname = 'public' AND t.tablename = 'changes'
                   AND pg_has_role(session_user, t.tableowner, 'MEMBER')) AS owner,
         has_table_privilege(session_user, 'changes', 'INSERT') OR
         has_table_privilege(session_user, 'observations', 'INSERT') AS "writesContent"
  FROM pg_roles r WHERE r.rolname = session_user`;

const POOL = { size: 1, statementTimeout: 10_000, applicationName: 'tidemark-start' };

/**
 * Looks at whom the API would run as, and read the replica as, where that answers already. In production a login
 * that could write content or read what is withheld stops the start; in development it is said, and a role with
 * fewer rights is taken on.
 */
export async function requireFitRole(
  connections: Connections,
  config: Config,
  warn: (message: string) => void,
): Promise<void> {
  const texts = [await unfitLoginAt(connections.to('api'), 'DATABASE_URL')];
  const { replica } = connections;
  if (replica != null) {
    // One that is away must not keep the service from starting: it is judged when it comes.
    texts.push(await unfitLoginAt(replica, 'DATABASE_REPLICA_URL').catch(() => null));
  }
  for (const text of texts.filter((found) => found !== null)) {
    if (config.production) {
      throw new Error(`${text}: in production give the API a login that is a member of tidemark_api only`);
    }
    warn(`${text}; the role tidemark_api is taken on for now`);
  }
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

/** What the login of a variable may do that the API must not, in words; null where it is as it should be. */
export async function unfitLogin(ask: Ask, variable: string): Promise<string | null> {
  const [role] = await ask<RoleRow>(QUERY);
  const faults = role === undefined ? [] : faultsOf(role);
  return faults.length === 0 ? null : `the login ${role?.name ?? ''} of ${variable} ${faults.join(' and ')}`;
}

function faultsOf({ superuser, bypassesRls, owner, writesContent }: RoleRow): string[] {
  return [
    ...(superuser ? ['is a superuser'] : []),
    ...(bypassesRls && !superuser ? ['bypasses row-level security'] : []),
    ...(owner && !superuser ? ['owns the tables'] : []),
    ...(writesContent && !superuser && !owner ? ['may write content'] : []),
  ];
}
