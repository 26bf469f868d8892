import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Connection, Connections, DatabaseRole } from '../../src/store/connections.js';
import { ACCOUNT_TABLES } from '../../src/commands/context/account-tables.js';
import { createDataSource } from '../../src/store/data-source.js';

type EngineLogins = Record<DatabaseRole, Connection>;

/**
 * The template of a database: only migrated, with the four small vintages, with a calendar and companies besides, or with
 * all small fixtures, so that every route has content.
 */
export type Template = 'empty' | 'figures' | 'tools' | 'full';

export const templateName = (template: Template): string =>
  `tidemark_test_${process.env.TIDEMARK_TEST_TEMPLATES}_${template}`;

export interface TestDatabase {
  readonly name: string;
  readonly connections: Connections;
  /** A data source under one role; `drop` closes it. */
  open(role: DatabaseRole): Promise<DataSource>;
  drop(): Promise<void>;
}

/** The suite's own database. It is deleted by `drop`, or after the run if a suite could not drop it. */
export async function createTestDatabase(template: Template = 'empty'): Promise<TestDatabase> {
  const name = `tidemark_test_${process.env.TIDEMARK_TEST_RUN}_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName(template)}`));
  return existingDatabase(name);
}

export function existingDatabase(name: string): TestDatabase {
  const connections = connectionsTo(name);
  const opened: DataSource[] = [];
  return {
    name,
    connections,
    open: async (role) => {
      const settings = { size: 4, statementTimeout: 0, applicationName: `test-${role}` };
      const entities = role === 'import' ? [] : ACCOUNT_TABLES;
      const source = await createDataSource(connections.to(role), settings, entities).initialize();
      opened.push(source);
      return source;
    },
    drop: async () => {
      await Promise.all(opened.filter((source) => source.isInitialized).map((source) => source.destroy()));
      await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

export function connectionsTo(database: string): Connections {
  const engine = process.env.TIDEMARK_TEST_ENGINE;
  const server = process.env.TIDEMARK_TEST_SERVER;
  // PgBouncer before the server: test/external/pooled.mjs
  const pooler = process.env.TIDEMARK_TEST_POOLER;
  return {
    engine: engine === undefined ? 'server' : 'embedded',
    firstStart: false,
    to: (role) => {
      if (engine !== undefined) return { ...(JSON.parse(engine) as EngineLogins)[role], database, role: null };
      if (pooler !== undefined && role !== 'admin') {
        const { hostname: host, port } = new URL(pooler);
        return { host, port: Number(port), user: `tidemark_test_${role}`, database, role: null };
      }
      const url = new URL(server ?? '');
      url.pathname = `/${database}`;
      return { connectionString: url.href, role: role === 'admin' ? null : `tidemark_${role}` };
    },
    release: () => Promise.resolve(),
  };
}

/** Runs one statement as the owner, in the maintenance database. */
export async function asAdmin(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { role: _role, ...login } = connectionsTo('postgres').to('admin');
  const client = new pg.Client(login);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
