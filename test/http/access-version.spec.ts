// runs: on two instances
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { CallerLookup, type CallerRow } from '../../src/serve/access/keys/caller-lookup.js';
import { KeyVerifier } from '../../src/serve/access/keys/key-verifier.js';
import { Peppers } from '../../src/serve/access/keys/peppers.js';
import { CLOCK, type Clock } from '../../src/domain/config/clock.js';
import { ChangedAccounts, LISTED_ACCOUNTS } from '../../src/store/changed-accounts.js';
import { Heartbeat } from '../../src/store/heartbeat.js';
import { poolOf, singleReads } from '../../src/store/snapshots.js';
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
      // A revoked key lets nobody in.
    ).toBe(0);
    expect(await moved(() => owner.query('DELETE FROM accounts WHERE email = $1', [EMAIL]))).toBe(1);
  });

  /** A lookup as the service's own, and the accounts that it reads from the database. */
  const lookup = async () => {
    const { app } = service.server;
    const found: string[] = [];
    const direct = singleReads(poolOf(app.get(DataSource)));
    const callers = new CallerLookup(
      async (sql, parameters) => {
        const rows = await direct<never>(sql, parameters);
        found.push(...rows.map(({ accountId }: CallerRow) => accountId));
        return rows;
      },
      app.get(Heartbeat),
      app.get<Clock>(CLOCK),
    );
    const verifier = new KeyVerifier(callers, app.get(Peppers));
    const made: { id: string; email: string; text: string; key: { id: string } }[] = [];
    for (const name of ['one', 'another']) {
      const email = `${name}-${randomBytes(4).toString('hex')}@test.example`;
      const { id } = await service.access.createAccount({ email, plan: 'pro', signedUpAt: new Date(0) });
      made.push({ id, email, ...(await service.access.createKey(email, 'key')) });
    }
    const identify = async () => {
      await app.get(Heartbeat).poll();
      found.length = 0;
      const results = [];
      for (const { text } of made) results.push(await verifier.identify(text));
      return { read: [...found], kinds: results.map(({ kind }) => kind) };
    };
    await identify();
    return { made, identify };
  };

  it('makes an instance look up only the account whose plan, status or key changed', async () => {
    const { made, identify } = await lookup();
    const [one, another] = made.map(({ id }) => id);
    expect(await identify()).toEqual({ read: [], kinds: ['caller', 'caller'] });
    await service.access.setPlan(made[0]?.email ?? '', 'developer');
    expect(await identify()).toEqual({ read: [one], kinds: ['caller', 'caller'] });
    await service.access.setStatus(made[1]?.email ?? '', 'suspended');
    expect(await identify()).toEqual({ read: [another], kinds: ['caller', 'suspended'] });
    await service.access.revokeKey(made[0]?.key.id ?? '');
    expect(await identify()).toEqual({ read: [one], kinds: ['revoked', 'suspended'] });
  });

  it('makes it look up every account after more changes than are listed, and after a restored backup', async () => {
    const { made, identify } = await lookup();
    const both = made.map(({ id }) => id);
    await owner.query('UPDATE access_version SET version = version + $1', [LISTED_ACCOUNTS + 1]);
    expect((await identify()).read).toEqual(both);
    expect((await identify()).read).toEqual([]);
    await owner.query('UPDATE access_version SET version = version - 1');
    expect((await identify()).read).toEqual(both);
  });

  it('lists no more changes than an instance reads, and keeps no more accounts than its bound', async () => {
    await owner.query(
      `INSERT INTO accounts (id, email, plan, status, signed_up_at)
       SELECT 'acc_' || md5(n::text), n || '@many.example', 'free', 'active', now() FROM generate_series(1, $1::integer) n`,
      [LISTED_ACCOUNTS + 100],
    );
    await owner.query(`UPDATE accounts SET status = 'suspended' WHERE email LIKE '%@many.example'`);
    const [row] = await owner.query<{ count: number }[]>('SELECT count(*) FROM changed_accounts');
    expect(row?.count).toBe(LISTED_ACCOUNTS);
    const accounts = new ChangedAccounts();
    accounts.note(['acc_first']);
    expect(accounts.isUnchangedSince(0, 'acc_other')).toBe(true);
    accounts.note(Array.from({ length: 10_001 }, (_, at) => `acc_${at}`));
    expect(accounts.isUnchangedSince(accounts.now - 1, 'acc_other')).toBe(false);
    expect(accounts.isUnchangedSince(accounts.now, 'acc_first')).toBe(true);
  });
});
