// runs: in full only
import { readConfig } from '../../src/domain/config/config.js';
import { createDataSource } from '../../src/store/data-source.js';
import { requireFitRole } from '../../src/store/role-check.js';
import { loginSettings } from '../../src/store/sessions.js';
import { importFiles } from '../../src/publish/import/import-files.js';
import { post, toolCall } from '../mcp/rpc.js';
import { deliveryOf, OWN } from '../publishing/deliveries.js';
import { asAdmin, createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownerOf } from '../support/own.js';
import { describeWithPooler, startPooler, type Pooler } from '../support/pooler.js';
import { startTestServer, type TestServer } from '../support/server.js';

const PRODUCTION = readConfig({
  NODE_ENV: 'production',
  KEY_PEPPER: `test:${'p'.repeat(16)}`,
  DATABASE_URL: 'postgres://pooler.example/tidemark',
  DATABASE_ACCOUNT_URL: 'postgres://pooler.example/tidemark',
});
/** More than the pooler has sessions, so that requests meet sessions of others. */
const AT_ONCE = 24;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('figures');
});
afterAll(() => database.drop());

/** What the sessions of a role have. */
async function settingsOf(connections: TestDatabase['connections'], role: 'api' | 'account') {
  const settings = { size: 1, statementTimeout: 2_000, applicationName: 'test-settings' };
  const source = await createDataSource(connections.to(role), settings).initialize();
  const rows = await source.query<
    object[]
  >(`SELECT current_setting('jit') AS jit, current_setting('statement_timeout') AS statement,
    current_setting('idle_in_transaction_session_timeout') AS idle`);
  await source.destroy();
  return rows[0];
}

describe('A connection of the service', () => {
  it.each(['api', 'account'] as const)('has time limits and no JIT, whatever the server has: %s', async (role) => {
    await asAdmin((client) => client.query(`ALTER DATABASE ${database.name} SET jit = on`));
    expect(await settingsOf(database.connections, role)).toEqual({ jit: 'off', statement: '2s', idle: '7s' });
  });
});

describeWithPooler('A service behind a pooler in transaction mode', () => {
  let pooler: Pooler;
  let service: TestServer | undefined;

  beforeAll(async () => {
    pooler = await startPooler(database);
  });
  afterAll(async () => {
    await service?.close();
    await pooler.stop();
  });

  const unfit = () => requireFitRole(pooler.connections, PRODUCTION, () => undefined);

  it('stops in production at a login without settings, and names the statements that give them', async () => {
    for (const role of ['api', 'account'] as const) {
      const statements = loginSettings(pooler.login(role), 2_000);
      await expect(unfit()).rejects.toThrow(statements);
      await asAdmin((client) => client.query(statements));
      await pooler.reconnect();
      expect(await settingsOf(pooler.connections, role)).toEqual({ jit: 'off', statement: '2s', idle: '7s' });
    }
    await unfit();
  });

  it('refuses to set a role, which the next session would keep', async () => {
    const { role: _role, ...login } = pooler.connections.to('api');
    const settings = { size: 1, statementTimeout: 0, applicationName: 'test-role' };
    await expect(createDataSource({ ...login, role: 'tidemark_api' }, settings).initialize()).rejects.toThrow(
      /a login of its own/,
    );
  });

  it('serves routes, tools and account data to more requests than there are sessions', async () => {
    service = await startTestServer({ database: { ...database, connections: pooler.connections } });
    const { get, key } = { get: service.get.bind(service), key: await service.key() };
    const owner = await ownerOf(service, 'pooled');
    await owner.follow('country', 'JP');
    const paths = Array.from({ length: AT_ONCE }, (_, at) => `/api/v1/changes?limit=${at + 1}&country=JP`);
    const replies = await Promise.all([
      ...paths.map((path) => get(path, key)),
      ...paths.map((path) => owner.get(path.replace('changes', 'following/changes').replace('&country=JP', ''))),
    ]);
    expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
    const called = await post(service.url, toolCall('latest_changes'), { key });
    expect([called.status, called.body.error]).toEqual([200, undefined]);
  });

  it('publishes an import', async () => {
    const settings = { size: 2, statementTimeout: 0, applicationName: 'test-import' };
    const importer = await createDataSource(pooler.connections.to('import'), settings).initialize();
    const figures = { 'gdp-growth JP': { '2024': '1', '2025': '2.5' } };
    const [report] = await importFiles(importer, OWN, [deliveryOf('2026-08-03', { figures })], {
      accept: 'a test',
      now: () => new Date(),
    });
    await importer.destroy();
    expect(report?.outcome).toBe('published');
  });
});
