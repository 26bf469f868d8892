// The databases that suites copy, created by the compiled code before a jest run.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { templateHash } from './template-hash.mjs';

/** The PostgreSQL server for suites in addition to the embedded engine, if one responds. */
export const SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const root = path.join(import.meta.dirname, '../..');

/** Free memory that the databases of a run need, with room for the processes beside them. */
const ENOUGH_MEMORY = 6 * 2 ** 30;

/**
 * The embedded engine of this checkout and user. It keeps its templates; the server runs while a jest process uses it.
 */
export async function embeddedEngine() {
  const { openEmbeddedPostgres } = await import('@tidemark/embedded-postgres');
  const lease = await openEmbeddedPostgres(engineFolders());
  const logins = Object.fromEntries(
    ['admin', 'import', 'api', 'account'].map((role) => [role, lease.connection(role)]),
  );
  return {
    environment: { TIDEMARK_TEST_ENGINE: JSON.stringify(logins) },
    to: (database) => (role) => ({ ...logins[role], database, role: null }),
    keepsTemplates: true,
    release: () => lease.release(),
  };
}

/**
 * In memory if there is enough: each suite creates and deletes a database of some thousand files, and each import its
 * temporary tables, which costs a file system more time than the tests take.
 */
function engineFolders() {
  const name = `test-engine-${process.getuid?.() ?? 'user'}`;
  const memory = '/dev/shm';
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 };
  if (Math.min(bavail * bsize, freemem()) < ENOUGH_MEMORY) {
    return { dataDir: path.join(root, 'node_modules/.cache', name) };
  }
  const checkout = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return { dataDir: path.join(memory, `tidemark-${name}-${checkout}`), rootState: path.join(memory, 'tidemark') };
}

/** A server if one responds, otherwise null. */
export async function serverEngine(address) {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    const { rows } = await client.query('SHOW server_version');
    await client.end();
    return {
      name: `the server at ${new URL(address).host} (PostgreSQL ${rows[0].server_version})`,
      environment: { TIDEMARK_TEST_SERVER: address },
      keepsTemplates: false,
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

/**
 * The content of the template `full` in addition to the small vintages: some for every route, in chronological order.
 */
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

/** What the tools of assistants need in addition to the small vintages: a calendar, companies. */
const OF_TOOLS = [
  ['releases', 'calendar/us-cpi.csv', null],
  ['releases', 'calendar/us-gdp.csv', null],
  ['releases', 'calendar/us-fed.csv', null],
  ['releases', 'calendar/schedules', null],
  ['gleif', 'register/groups', '2026-07-02'],
  ['sec', 'register/company_tickers.json', '2026-07-02'],
];

/** The code and files that determine the templates. */
const MAKERS = [
  'store/migrate.js',
  'store/data-source.js',
  'publish/import/import-files.js',
  'publish/publishers/importers.js',
].map((file) => path.join(root, 'dist', file));
const MADE_FROM = ['test/fixtures', 'data/catalogue', 'dist/store/schema', 'dist/domain/locale/messages'].map(
  (folder) => path.join(root, folder),
);
/** Two arbitrary constants: the lock of processes that use the templates, and that of the process that creates them. */
const [USE, MAKE] = [7_446_801, 7_446_802];

/**
 * Creates the missing templates: only migrated, with the four small vintages of real figures, with what tools need
 * besides, and with all small fixtures. An engine that keeps its templates names them by a hash; the first of the processes that share it drops the
 * leftovers of killed or older runs.
 */
export async function openTemplates(engine) {
  const run = randomBytes(4).toString('hex');
  const templates = engine.keepsTemplates ? templateHash(MAKERS, MADE_FROM) : run;
  const { role: _role, ...login } = engine.to('postgres')('admin');
  const client = new pg.Client(login);
  await client.connect();
  if (engine.keepsTemplates) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS alone', [USE]);
    if (rows[0].alone) await drop(client, 'tidemark_test_', `tidemark_test_${templates}_(empty|figures|tools|full)`);
    await client.query('SELECT pg_advisory_lock($1)', [MAKE]);
    await makeTemplates(client, engine, templates);
    await client.query('SELECT pg_advisory_lock_shared($1)', [USE]);
    // The other starting processes continue with a shared lock of their own.
    if (rows[0].alone) await client.query('SELECT pg_advisory_unlock($1)', [USE]);
    await client.query('SELECT pg_advisory_unlock($1)', [MAKE]);
  } else await makeTemplates(client, engine, templates);
  return {
    environment: { ...engine.environment, TIDEMARK_TEST_RUN: run, TIDEMARK_TEST_TEMPLATES: templates },
    close: async () => {
      // Databases of a suite that failed to start, and templates named by the run.
      await drop(client, `tidemark_test_${run}_`);
      await client.end();
    },
  };
}

async function makeTemplates(client, engine, templates) {
  const name = (template) => `tidemark_test_${templates}_${template}`;
  const [{ migrate }, { createDataSource }, { importFiles }, { IMPORTERS }] = await Promise.all(
    MAKERS.map((file) => import(file)),
  );
  const connections = (database) => ({ engine: 'embedded', firstStart: false, to: engine.to(database) });
  const make = async (template, base, fill) => {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name(template)]);
    if (rows.length > 0) return;
    const unfinished = `${name(template)}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${unfinished} TEMPLATE ${base} ENCODING 'UTF8'`);
    await fill(connections(unfinished));
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name(template)}`);
  };
  const importing = (imports, day) => async (to) => {
    const settings = { size: 2, statementTimeout: 0, applicationName: 'test-template' };
    const database = createDataSource(to.to('import'), settings);
    await database.initialize();
    for (const [publisher, files, vintage] of imports) {
      const importer = IMPORTERS[publisher];
      const paths = [files].flat().map((file) => path.join(root, 'test/fixtures', file));
      const deliveries = await importer.open(paths, vintage);
      await importFiles(database, importer, deliveries, {
        now: () => (day === undefined ? new Date() : new Date(day)),
        accept: 'fixtures',
      });
    }
    await database.destroy();
  };
  await make('empty', 'template0', migrate);
  await make('figures', name('empty'), importing([['worldbank', 'vintages', null]]));
  await make('tools', name('figures'), importing(OF_TOOLS, '2026-11-21'));
  await make('full', name('figures'), importing(FIXTURES));
}

/** Drops the databases whose name starts with the prefix, except those that match. */
async function drop(client, start, except = '-') {
  const { rows } = await client.query(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1) AND datname !~ $2',
    [start, `^${except}$`],
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}
