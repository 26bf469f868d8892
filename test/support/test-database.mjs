// Prepares what the suites copy their databases from. Runs on the built code, before jest.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** The PostgreSQL server that suites run on besides the embedded engine, where one answers. */
export const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
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

/** What the template `full` holds beside the small vintages: something for every route. In order of time. */
const FIXTURES = [
  ['eia', 'markets/eia', null],
  ['ecb', 'markets/ecb', null],
  ['us-treasury', 'markets/us-treasury', null],
  ['worldbank-pinksheet', 'markets/worldbank-pinksheet', null],
  ['frb-h15', 'markets/frb-h15', null],
  ['releases', 'calendar/us-cpi.csv', null],
  ['releases', 'calendar/us-gdp.csv', null],
  ['releases', 'calendar/us-fed.csv', null],
  ['releases', 'calendar/schedules', null],
  ['estat', 'calendar/estat-wages.json', null],
  ['gleif', ['register/microsoft/entities.csv', 'register/microsoft/relationships.csv'], '2026-01-01'],
  ['sec', 'register/microsoft/company_tickers.json', '2026-08-22'],
];

/** Makes the templates: migrated only, with the four small vintages of real figures, and with all small fixtures. */
export async function makeTemplates(engine) {
  const run = randomBytes(4).toString('hex');
  const name = (template) => `tidemark_test_${template}_${run}`;
  const { migrate } = await built('database/migrate.js');
  const { createDataSource } = await built('database/data-source.js');
  const { importFiles } = await built('publishing/import-files.js');
  const { IMPORTERS } = await built('publishing/importers/importers.js');
  const connections = (database) => ({ engine: 'embedded', firstStart: false, to: engine.to(database) });

  await asAdmin(engine, `CREATE DATABASE ${name('empty')} TEMPLATE template0 ENCODING 'UTF8'`);
  await migrate(connections(name('empty')));
  const fill = async (template, base, imports) => {
    await asAdmin(engine, `CREATE DATABASE ${name(template)} TEMPLATE ${name(base)}`);
    const settings = { size: 2, statementTimeout: 0, applicationName: 'test-template' };
    const database = createDataSource(connections(name(template)).to('import'), settings);
    await database.initialize();
    for (const [publisher, files, vintage] of imports) {
      const importer = IMPORTERS[publisher];
      const paths = [files].flat().map((file) => path.join(root, 'test/fixtures', file));
      const deliveries = await importer.open(paths, vintage);
      await importFiles(database, importer, deliveries, { now: () => new Date() });
    }
    await database.destroy();
  };
  await fill('figures', 'empty', [['worldbank', 'vintages', null]]);
  await fill('full', 'figures', FIXTURES);
  return {
    environment: { ...engine.environment, TIDEMARK_TEST_RUN: run },
    drop: async () => {
      // What a suite that failed to start did not drop goes too: a server would keep it.
      const { rows } = await asAdmin(
        engine,
        `SELECT datname FROM pg_database WHERE starts_with(datname, 'tidemark_test_${run}_')`,
      );
      const left = rows.map(({ datname }) => datname);
      for (const database of [...left, ...['full', 'figures', 'empty'].map(name)]) {
        await asAdmin(engine, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      }
    },
  };
}

async function asAdmin(engine, sql) {
  const { role: _role, ...login } = engine.to('postgres')('admin');
  const client = new pg.Client(login);
  await client.connect();
  const result = await client.query(sql);
  await client.end();
  return result;
}
