// runs: on two instances
import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';

const EMAIL = 'version@test.example';

describe('The access version', () => {
  let database: TestDatabase;
  let service: TestServer;
  let owner: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    owner = await database.open('admin');
    await owner.query('ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz');
    await service.access.createAccount({ email: EMAIL, plan: 'pro', signedUpAt: new Date(0) });
    await service.access.createKey(EMAIL, 'first');
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** By how much the access version moves during the work. */
  const moved = async (work: () => Promise<unknown>): Promise<number> => {
    const version = async () => {
      const [row] = await owner.query<{ version: number }[]>('SELECT version FROM access_version');
      return Number(row?.version);
    };
    const before = await version();
    await work();
    return (await version()) - before;
  };
  const lastKey = async () => (await service.access.listKeys(EMAIL)).at(-1)?.id ?? '';

  it('stays after a new account or key, and after a change of a column that identifies nobody', async () => {
    expect(await moved(() => service.key())).toBe(0);
    expect(await moved(() => owner.query('UPDATE api_keys SET last_used_at = now()'))).toBe(0);
    expect(await moved(() => owner.query(`UPDATE accounts SET email = 'x' || email WHERE false`))).toBe(0);
  });

  it('moves with a change of plan or status, a revocation and a deletion', async () => {
    expect(await moved(() => service.access.setPlan(EMAIL, 'developer'))).toBe(1);
    expect(await moved(() => service.access.setStatus(EMAIL, 'suspended'))).toBe(1);
    expect(await moved(async () => service.access.revokeKey(await lastKey()))).toBe(1);
    expect(
      await moved(async () => owner.query('DELETE FROM api_keys WHERE id = $1', [await lastKey()])),
    ).toBe(1);
    // Its keys and identities are deleted with it.
    expect(await moved(() => owner.query('DELETE FROM accounts WHERE email = $1', [EMAIL]))).toBe(3);
  });
});
