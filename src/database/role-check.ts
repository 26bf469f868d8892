import type { Config } from '../config/config.js';
import type { Connections } from './connections.js';
import { createDataSource } from './data-source.js';

interface RoleRow {
  readonly name: string;
  readonly superuser: boolean;
  readonly bypassesRls: boolean;
  readonly owner: boolean;
  readonly writesContent: boolean;
}

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
 * Looks at whom the API would run as. In production a login that could write content or read what is
 * withheld stops the start; in development it is said, and a role with fewer rights is taken on.
 */
export async function requireFitRole(
  connections: Connections,
  config: Config,
  warn: (message: string) => void,
): Promise<void> {
  const database = createDataSource(connections.to('api'), POOL);
  await database.initialize();
  try {
    const [role] = await database.query<RoleRow[]>(QUERY);
    const faults = role === undefined ? [] : faultsOf(role);
    if (faults.length === 0) return;
    const text = `the login ${role?.name ?? ''} of DATABASE_URL ${faults.join(' and ')}`;
    if (config.production) {
      throw new Error(`${text}: in production give the API a login that is a member of tidemark_api only`);
    }
    warn(`${text}; the role tidemark_api is taken on for now`);
  } finally {
    await database.destroy();
  }
}

function faultsOf({ superuser, bypassesRls, owner, writesContent }: RoleRow): string[] {
  return [
    ...(superuser ? ['is a superuser'] : []),
    ...(bypassesRls && !superuser ? ['bypasses row-level security'] : []),
    ...(owner && !superuser ? ['owns the tables'] : []),
    ...(writesContent && !superuser && !owner ? ['may write content'] : []),
  ];
}
