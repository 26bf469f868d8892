import { resolve } from 'node:path';
import type { Config } from '../domain/config/config.js';
import {
  hasEmbeddedPostgres,
  openEmbeddedPostgres,
  stopEmbeddedPostgres,
  type EmbeddedPostgres,
} from '@tidemark/embedded-postgres';
import type { Token } from '../domain/config/provider.js';

export type DatabaseRole = 'api' | 'account' | 'import' | 'admin';

/** The `pg` settings of one role's connection. */
export interface Connection {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly connectionString?: string;
  /** The role to set after connecting, so that one URL serves all roles in development. */
  readonly role: string | null;
}

export const CONNECTIONS: Token<Connections> = Symbol('Connections');

/** The database server and each role's connection to it. */
export interface Connections {
  readonly engine: 'embedded' | 'server';
  readonly firstStart: boolean;
  to(role: DatabaseRole): Connection;
  /** Replicas that may lag, from which the API reads content. */
  readonly replicas?: readonly Connection[];
  /** The folder of the embedded server if its disk was full since it was opened, as the server's log says. */
  fullDisk?(): Promise<string | undefined>;
  /** Releases the embedded server. Close every pool first. */
  release(): Promise<void>;
}

/** The configured server; without `DATABASE_URL`, the embedded PostgreSQL. */
export async function openConnections(
  config: Config,
  log?: (line: string) => void,
  signal?: AbortSignal,
): Promise<Connections> {
  const options = { dataDir: config.dataDir, ...(log && { log }), ...(signal && { signal }) };
  return config.database.api === null ? embedded(await openEmbeddedPostgres(options)) : server(config);
}

/** For a person, without user and password: `/srv/tidemark/.tidemark, embedded`. */
export function databaseName({ database: { api }, dataDir }: Config): string {
  if (api === null) return `${resolve(dataDir)}, embedded`;
  if (!URL.canParse(api)) return 'DATABASE_URL';
  const { host, pathname } = new URL(api);
  return `${pathname.slice(1)} on ${host === '' ? 'the local server' : host}`;
}

/** Whether there is a database to read: a configured server is assumed to have it. Creates nothing. */
export async function hasDatabase({ database: { api }, dataDir }: Config): Promise<boolean> {
  return api !== null || (await hasEmbeddedPostgres(dataDir));
}

function embedded(lease: EmbeddedPostgres): Connections {
  return {
    engine: 'embedded',
    firstStart: lease.firstStart,
    to: (role) => ({ ...lease.connection(role), role: null }),
    fullDisk: () => lease.fullDisk(),
    release: () => lease.release(),
  };
}

function server(config: Config): Connections {
  const { api, account, import: importer, admin, replicas } = config.database;
  // A URL of its own names the role's login; a shared URL needs SET ROLE.
  const oneForAll = importer === null && admin === null;
  return {
    engine: 'server',
    firstStart: false,
    to: (role) => {
      const own = { api, account, import: importer, admin }[role];
      const shared = own === null || (role === 'api' && oneForAll);
      const connectionString = own ?? admin ?? api ?? '';
      return { connectionString, role: shared && role !== 'admin' ? `tidemark_${role}` : null };
    },
    replicas: replicas.map((connectionString) => ({ connectionString, role: oneForAll ? 'tidemark_api' : null })),
    release: () => Promise.resolve(),
  };
}

/** Stops the embedded server that a killed process left running. */
export const stopEmbeddedDatabase = (dataDir: string): Promise<'stopped' | 'not-running'> =>
  stopEmbeddedPostgres(dataDir);
