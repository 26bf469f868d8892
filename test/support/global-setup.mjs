// Runs once before the projects that need a database, in the process of jest: compiles dist, starts the engine, creates
// the templates. TIDEMARK_TEST_SERVER names a PostgreSQL server to use instead of the embedded engine.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The teardown finds the setup's resources under this key of the process. */
export const OPENED = Symbol.for('tidemark.test-database');

export default async function setUp() {
  const build = path.join(import.meta.dirname, '../../scripts/build.mjs');
  const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The code does not compile');
  const { embeddedEngine, openTemplates, serverEngine } = await import('./test-database.mjs');
  const address = process.env.TIDEMARK_TEST_SERVER;
  const engine = address === undefined ? await embeddedEngine() : await serverEngine(address);
  if (engine === null) throw new Error('TIDEMARK_TEST_SERVER names a PostgreSQL server that does not answer');
  const templates = await openTemplates(engine);
  Object.assign(process.env, templates.environment);
  process[OPENED] = { engine, templates };
}
