import type { Config } from '../config/config.js';
import { joinEngine, type EngineLease } from './engine/embedded-engine.js';

export type DatabaseRole = 'api' | 'import' | 'admin';

/** How one role reaches the database, in the words of `pg`. */
export interface Connection {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly connectionString?: string;
  /** A role to take on right after connecting: one URL then serves for all, in development. */
  readonly role: string | null;
}

/** Where the figures lie, and how each role gets there. */
export interface Connections {
  readonly engine: 'embedded' | 'server';
  readonly firstStart: boolean;
  to(role: DatabaseRole): Connection;
  /** A copy of the database that may be behind, for reading content as the API, where there is one. */
  readonly replica?: Connection | null;
  /** Give the engine back, after every pool is closed. */
  release(): Promise<void>;
}

/** A server where one is configured, else the embedded engine. */
export async function openConnections(
  config: Config,
  log?: (line: string) => void,
  signal?: AbortSignal,
): Promise<Connections> {
  return config.database.api === null
    ? embedded(await joinEngine({ dataDir: config.dataDir, ...(log && { log }), ...(signal && { signal }) }))
    : server(config);
}

function embedded(lease: EngineLease): Connections {
  return {
    engine: 'embedded',
    firstStart: lease.firstStart,
    to: (role) => ({ ...lease.connection(role), role: null }),
    release: () => lease.release(),
  };
}

function server(config: Config): Connections {
  const { api, import: importer, admin, replica } = config.database;
  // With an address of its own a login is the role; one shared address takes the role on.
  const oneForAll = importer === null && admin === null;
  return {
    engine: 'server',
    firstStart: false,
    to: (role) => {
      const own = { api, import: importer, admin }[role];
      const shared = own === null || (role === 'api' && oneForAll);
      const connectionString = own ?? admin ?? api ?? '';
      return { connectionString, role: shared && role !== 'admin' ? `tidemark_${role}` : null };
    },
    replica: replica === null ? null : { connectionString: replica, role: oneForAll ? 'tidemark_api' : null },
    release: () => Promise.resolve(),
  };
}
