import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownTables, seedAccount, type OwnTable } from '../support/tenants.js';

const ROLES = ['tidemark_api', 'tidemark_account'] as const;
const [ANN, BOB] = ['acc_ann', 'acc_bob'];

let database: TestDatabase;
let owner: DataSource;
let tables: readonly OwnTable[];

beforeAll(async () => {
  database = await createTestDatabase('figures');
  owner = await database.open('admin');
  tables = await ownTables(owner);
  await seedAccount(owner, ANN, 1);
  await seedAccount(owner, BOB, 2);
});
afterAll(() => database.drop());

const granted = async (role: string, table: string, privilege: string): Promise<boolean> => {
  const [row] = await owner.query<{ may: boolean }[]>('SELECT has_table_privilege($1, $2, $3) AS may', [
    role,
    table,
    privilege,
  ]);
  return row?.may === true;
};

/** Rows by account: in a transaction that is rolled back, under a role with one account's scope. */
async function under<T>(role: string, account: string | null, work: (q: DataSource['query']) => Promise<T>) {
  const runner = owner.createQueryRunner();
  await runner.connect();
  await runner.startTransaction();
  try {
    await runner.query(`SET LOCAL ROLE ${role}`);
    if (account !== null) await runner.query(`SELECT set_config('tidemark.account', $1, true)`, [account]);
    return await work((sql: string, parameters?: unknown[]) => runner.query(sql, parameters));
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

const count = async (query: DataSource['query'], from: string, parameters: unknown[] = []) =>
  (await query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${from}`, parameters))[0]?.count;
const ownerQuery: DataSource['query'] = (sql: string, parameters?: unknown[]) => owner.query(sql, parameters);

describe('A table of accounts', () => {
  it('is found by its column or by its foreign keys, and has rows of both accounts here', async () => {
    expect(tables.map(({ table }) => table)).toEqual([
      'account_identities',
      'account_passwords',
      'account_sessions',
      'accounts',
      'alert_events',
      'alerts',
      'api_keys',
      'audit_events',
      'authorization_requests',
      'daily_usage',
      'follows',
      'key_usage',
      'minute_usage',
      'notification_channels',
      'notifications',
      'one_time_tokens',
      'refused_requests',
    ]);
    for (const { table, where } of tables) {
      for (const [account, least] of [
        [ANN, 1],
        [BOB, 2],
      ] as const) {
        const rows = await count(ownerQuery, `${table} WHERE ${where}`, [account]);
        expect({ table, account, isSeeded: (rows ?? 0) >= least || table === 'accounts' || rows === 1 }).toEqual({
          table,
          account,
          isSeeded: true,
        });
      }
    }
  });

  it('has row-level security, and no policy of the service that lets every row pass', async () => {
    const names = tables.map(({ table }) => table);
    const open = await owner.query<object[]>(
      `SELECT relname FROM pg_class WHERE relname = ANY ($1) AND relkind = 'r' AND NOT relrowsecurity
       UNION SELECT tablename || '.' || policyname FROM pg_policies
       WHERE tablename = ANY ($1) AND NOT roles <@ '{tidemark_import}'
         AND coalesce(qual, with_check) NOT LIKE '%current_setting(%'`,
      [names],
    );
    expect(open).toEqual([]);
  });

  it.each(ROLES)('shows %s nothing without an account, and with one only its rows', async (role) => {
    for (const { table, where } of tables) {
      if (!(await granted(role, table, 'SELECT'))) continue;
      expect({ table, rows: await under(role, null, (q) => count(q, table)) }).toEqual({ table, rows: 0 });
      const own = await count(ownerQuery, `${table} WHERE ${where}`, [ANN]);
      const seen = await under(role, ANN, (q) => count(q, table));
      // An authorization request is found by its secret alone.
      expect({ table, seen }).toEqual({ table, seen: table === 'authorization_requests' ? 0 : own });
    }
  });

  it.each(ROLES)('lets %s change and delete only rows of its account, whatever the statement names', async (role) => {
    let tried = 0;
    for (const { table, where } of tables) {
      const before = await count(ownerQuery, `${table} WHERE ${where}`, [BOB]);
      if (!(await granted(role, table, 'DELETE'))) continue;
      tried += 1;
      const left = await under(role, ANN, async (q) => {
        await q(`DELETE FROM ${table}`);
        await q('RESET ROLE');
        return count(q, `${table} WHERE ${where}`, [BOB]);
      });
      expect({ table, left }).toEqual({ table, left: before });
    }
    expect(tried).toBeGreaterThan(1);
    if (role !== 'tidemark_account') return;
    await expect(under(role, ANN, (q) => q(`UPDATE api_keys SET account_id = $1`, [BOB]))).rejects.toThrow(
      /row-level security/,
    );
    const plans = await under(role, ANN, async (q) => {
      await q(`UPDATE accounts SET plan = 'developer'`);
      await q('RESET ROLE');
      return q<object[]>('SELECT plan FROM accounts WHERE id = $1', [BOB]);
    });
    expect(plans).toEqual([{ plan: 'free' }]);
  });
});

describe('The audit trail', () => {
  it.each([...ROLES, 'tidemark_import'])('cannot be changed or deleted by %s', async (role) => {
    for (const privilege of ['UPDATE', 'DELETE', 'TRUNCATE']) {
      expect(await granted(role, 'audit_events', privilege)).toBe(false);
    }
  });

  it('is purged by a function of the owner, which believes no caller about the time', async () => {
    await owner.query(
      `INSERT INTO audit_events (account_id, at, actor, action)
       VALUES ($1, now() - interval '401 days', 'owner', 'signed_in')`,
      [ANN],
    );
    const ages = await under('tidemark_account', ANN, async (q) => {
      await q(`SELECT purge_expired('2999-01-01')`);
      return q<object[]>(`SELECT at > now() - interval '400 days' AS "isYoung" FROM audit_events`);
    });
    expect(ages.length).toBeGreaterThan(0);
    expect(ages.every((row) => (row as { isYoung: boolean }).isYoung)).toBe(true);
  });
});

describe('A function with the rights of the owner', () => {
  it('finds temporary tables last, and is not everybody’s', async () => {
    const unsafe = await owner.query<object[]>(
      `SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef
         AND (NOT coalesce('search_path=public, pg_temp' = ANY (proconfig), false)
           OR has_function_privilege('public', p.oid, 'EXECUTE'))`,
    );
    expect(unsafe).toEqual([]);
  });
});
