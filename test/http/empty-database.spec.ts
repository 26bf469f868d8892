// runs: in full only
import { randomBytes } from 'node:crypto';
import { migrate } from '../../src/store/migrate.js';
import { isSchemaMissing } from '../../src/store/role-check.js';
import { createDataSource } from '../../src/store/data-source.js';
import { asAdmin, existingDatabase, type TestDatabase } from '../support/database.js';
import { exchange } from '../support/exchange.js';
import { startProcess, until, type ServerProcess } from '../support/processes.js';

/** One check a second, and a start, on a busy machine. */
const READY_WITHIN = 30_000;
async function emptyDatabase(): Promise<TestDatabase> {
  const name = `tidemark_test_${process.env.TIDEMARK_TEST_RUN}_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
  return existingDatabase(name);
}

describe('An instance on an empty database', () => {
  let database: TestDatabase;
  let instance: ServerProcess;
  beforeEach(async () => {
    database = await emptyDatabase();
    instance = await startProcess(database, {}, 503);
  });
  afterEach(async () => {
    await instance.stop();
    await database.drop();
  });

  const ask = async (path: string) => {
    const { status, headers, bytes } = await exchange(instance.url, path);
    return { status, headers, body: JSON.parse(bytes.toString()) as unknown };
  };

  it('is live but not ready, and reports pending migrations', async () => {
    expect(await ask('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    const report = { status: 'unready', database: 'up', migrations: 'pending', draining: false };
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: report });
    expect(await ask('/api/v1/changes')).toMatchObject({ status: 503, body: report });
    expect(instance.output()).toContain('the database is not migrated');
  });

  it('becomes ready in the same process after the migration', async () => {
    await migrate(database.connections);
    await until(READY_WITHIN, 'ready', async () => {
      const answer = await ask('/health/ready').catch(() => null);
      return answer?.status === 200;
    });
    expect((await ask('/api/v1/changes')).status).toBe(401);
    expect(instance.output()).toContain('the database is migrated');
  });

  it('exits with 0 if it is stopped while it waits', async () => {
    expect(await instance.signal('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('A connection to a database without schema', () => {
  it('is recognised even if the role that it sets is missing', async () => {
    const database = await emptyDatabase();
    try {
      const connection = { ...database.connections.to('admin'), role: 'tidemark_of_no_migration' };
      const source = createDataSource(connection, { size: 1, statementTimeout: 1_000, applicationName: 'test-role' });
      const failure: unknown = await source.initialize().catch((error: unknown) => error);
      expect(isSchemaMissing(failure)).toBe(true);
    } finally {
      await database.drop();
    }
  });
});
