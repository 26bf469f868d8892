import { readConfig } from '../../src/domain/config/config.js';
import type { Connections, DatabaseRole } from '../../src/store/connections.js';
import { requireFitRole } from '../../src/store/role-check.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const PRODUCTION = readConfig({ NODE_ENV: 'production', KEY_PEPPER: `test:${'p'.repeat(16)}` });
const DEVELOPMENT = readConfig({});

describe('The database login of the service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** As if the API's URL had the login of another role. */
  const as = (role: DatabaseRole): Connections => ({
    ...database.connections,
    to: () => database.connections.to(role),
  });

  it.each(['admin', 'import', 'account'] as const)(
    'stops the start in production if it is that of %s',
    async (role) => {
      const start = requireFitRole(as(role), PRODUCTION, () => undefined);
      await expect(start).rejects.toThrow(/DATABASE_URL/);
    },
  );

  it('causes a warning in development, and the start continues', async () => {
    const warnings: string[] = [];
    await requireFitRole(as('admin'), DEVELOPMENT, (message) => warnings.push(message));
    expect(warnings.join('\n')).toMatch(/DATABASE_URL/);
  });

  const isOwnLogin = process.env.TIDEMARK_TEST_ENGINE !== undefined;
  (isOwnLogin ? it : it.skip)('is taken in production where it has no more rights than it needs', async () => {
    const warnings: string[] = [];
    await requireFitRole(as('api'), PRODUCTION, (message) => warnings.push(message));
    expect(warnings).toEqual([]);
  });
});
