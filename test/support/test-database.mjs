// Prepares what the suites copy their databases from. Runs on the built code, before jest.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

const root = path.join(import.meta.dirname, '../..');
const built = (file) => import(path.join(root, 'dist', file));

/** Starts an engine of the run's own and gives the environment by which the suites find it. */
export async function embeddedEngine() {
  const { joinEngine, removeEngine } = await built('database/engine/embedded-engine.js');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidemark-test-'));
  const lease = await joinEngine({ dataDir });
  const logins = Object.fromEntries(['admin', 'import', 'api'].map((role) => [role, lease.connection(role)]));
  return {
    name: 'the embedded engine',
    environment: { TIDEMARK_TEST_ENGINE: JSON.stringify(logins) },
    to: (database) => (role) => ({ ...logins[role], database, role: null }),
    release: async () => {
      await lease.release();
      await removeEngine(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A server where one answers, else null. */
export async function serverEngine(address) {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rows } = await client.query('SHOW server_version');
    await client.end();
    return {
      name: `the server at ${new URL(address).host} (PostgreSQL ${rows[0].server_version})`,
      environment: { TIDEMARK_TEST_SERVER: address },
      to: (database) => (role) => {
        const url = new URL(address);
        url.pathname = `/${database}`;
        return { connectionString: url.href, role: role === 'admin' ? null : `tidemark_${role}` };
      },
      release: async () => undefined,
    };
  } catch {
    return null;
  }
}

/** Makes the two templates: migrated only, and with the four small vintages of real figures. */
export async function makeTemplates(engine) {
  const run = randomBytes(4).toString('hex');
  const name = (template) => `tidemark_test_${template}_${run}`;
  const { migrate } = await built('database/migrate.js');
  const { createDataSource } = await built('database/data-source.js');
  const { importFiles } = await built('publishing/import-files.js');
  const { worldbank } = await built('publishing/importers/worldbank/worldbank.importer.js');
  const connections = (database) => ({ engine: 'embedded', firstStart: false, to: engine.to(database) });

  await asAdmin(engine, `CREATE DATABASE ${name('empty')} TEMPLATE template0 ENCODING 'UTF8'`);
  await migrate(connections(name('empty')));
  await asAdmin(engine, `CREATE DATABASE ${name('figures')} TEMPLATE ${name('empty')}`);
  const settings = { size: 2, statementTimeout: 0, applicationName: 'test-template' };
  const database = createDataSource(connections(name('figures')).to('import'), settings);
  await database.initialize();
  const deliveries = await worldbank.open([path.join(root, 'test/fixtures/vintages')], null);
  await importFiles(database, worldbank, deliveries, { now: () => new Date() });
  await database.destroy();
  return {
    environment: { ...engine.environment, TIDEMARK_TEST_RUN: run },
    drop: async () => {
      for (const template of ['figures', 'empty']) {
        await asAdmin(engine, `DROP DATABASE IF EXISTS ${name(template)} WITH (FORCE)`);
      }
    },
  };
}

async function asAdmin(engine, sql) {
  const { role: _role, ...login } = engine.to('postgres')('admin');
  const client = new pg.Client(login);
  await client.connect();
  await client.query(sql);
  await client.end();
}
