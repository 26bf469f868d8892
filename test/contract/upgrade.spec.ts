import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { inAll, LOCALES } from '../../src/domain/locale/locale.js';
import { FirstRelease1799000000000 } from '../../src/store/schema/migrations/1799000000000-first-release.migration.js';
import { checkMigration, migrate } from '../../src/store/migrate.js';
import { schemaLanguages } from '../../src/store/schema/schema-files.js';
import { asAdmin, createTestDatabase, existingDatabase, type TestDatabase } from '../support/database.js';
import { schemaLines } from '../support/schema-lines.js';

jest.setTimeout(60_000);

/** pg_dump of a database of commit 83fc1a8 with four vintages of the World Bank. */
const BEFORE = join(__dirname, '../fixtures/schema/83fc1a8.sql.br');
const RAN = [
  'FirstRelease1799000000000',
  'WaitingEntities1799100000000',
  `Languages_${LOCALES.join('_')}_1799200000000`,
];
/** What the fixture has no rows of. The hashes are of nothing. */
const ACCOUNTS = `
  INSERT INTO accounts (id, email, plan, signed_up_at) VALUES ('acc_a', 'ada@example.com', 'pro', now());
  INSERT INTO api_keys (id, account_id, name, hash, pepper_id, prefix)
    VALUES ('key_a', 'acc_a', 'one', sha256('a'), 'p1', 'abcdefgh');
  INSERT INTO follows VALUES ('fol_a', 'acc_a', 'country', 'JP', now());
  INSERT INTO alerts (id, account_id, name, target_type, target_key, metric, created_at)
    VALUES ('alr_a', 'acc_a', 'one', 'country', 'JP', 'any_change', now());
  INSERT INTO alert_events (alert_id, change_id, at) SELECT 'alr_a', id, now() FROM changes LIMIT 3;
  INSERT INTO audit_events (account_id, at, actor, action) VALUES ('acc_a', now(), 'owner', 'key_created');
  INSERT INTO daily_usage VALUES ('acc_a', '2026-11-25', 7)`;

describe('A database of the state before the first release', () => {
  let database: TestDatabase;
  let owner: DataSource;

  beforeEach(async () => {
    const name = `tidemark_test_${process.env.TIDEMARK_TEST_RUN}_${randomBytes(6).toString('hex')}`;
    await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`));
    database = existingDatabase(name);
    await inSession(async (client) => {
      await client.query(brotliDecompressSync(readFileSync(BEFORE)).toString());
      await client.query('SET search_path TO DEFAULT');
      await client.query(ACCOUNTS);
    });
    owner = await database.open('admin');
  });
  afterEach(() => database.drop());

  const inSession = async (work: (client: pg.Client) => Promise<unknown>, settings: pg.ClientConfig = {}) => {
    const { role: _role, ...login } = database.connections.to('admin');
    const client = new pg.Client({ ...login, ...settings });
    await client.connect();
    await work(client).finally(() => client.end());
  };
  /** Rows of each table, without the one that the migration drops. */
  const counts = async (): Promise<Record<string, unknown>> => {
    const tables = await owner.query<{ name: string }[]>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'attempt_limits') ORDER BY 1`,
    );
    const sql = tables.map(({ name }) => `(SELECT count(*) FROM ${name}) AS ${name}`);
    return (await owner.query<[Record<string, unknown>]>(`SELECT ${sql.join(', ')}`))[0];
  };

  it('has the schema of an empty database after its migration, and all its rows', async () => {
    const before = await counts();
    expect(await migrate(database.connections)).toEqual(RAN);
    expect(await counts()).toMatchObject(before);
    const fresh = await createTestDatabase();
    try {
      expect(await schemaLines(owner)).toEqual(await schemaLines(await fresh.open('admin')));
    } finally {
      await fresh.drop();
    }
  });

  it('takes a further language: an account may have it, a document has a place for it, and no text lacks it', async () => {
    await migrate(database.connections);
    await owner.query(schemaLanguages([...LOCALES, 'eo']));
    await owner.query(`UPDATE accounts SET locale = 'eo'`);
    expect(await owner.query('SELECT DISTINCT eo FROM change_documents')).toEqual([{ eo: '' }]);
    const text = JSON.stringify(inAll(() => 'text'));
    await expect(owner.query('SELECT $1::jsonb::localized', [text])).rejects.toThrow(/localized/);
  });

  it('is refused its migration while an account has an address of another spelling, and says which', async () => {
    await owner.query(`UPDATE accounts SET email = 'ada@exämple.com' WHERE id = 'acc_a'`);
    const { refusal } = await checkMigration(database.connections);
    expect(refusal).toContain('does not take these rows (1)');
    expect(refusal).toContain('account acc_a: the address ada@exämple.com');
    await expect(migrate(database.connections)).rejects.toThrow(`nothing was migrated: ${refusal ?? ''}`);
    await owner.query(`UPDATE accounts SET email = 'ada@xn--exmple-cua.com' WHERE id = 'acc_a'`);
    expect((await checkMigration(database.connections)).refusal).toBeNull();
  });

  it('locks against readers what its check says', async () => {
    const { locks } = await checkMigration(database.connections);
    const before = Object.keys(await counts());
    const runner: QueryRunner = owner.createQueryRunner();
    await runner.startTransaction();
    await new FirstRelease1799000000000().up(runner);
    const locked = (await runner.query(
      `SELECT DISTINCT c.relname::text AS name FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relkind = 'r'
       WHERE l.pid = pg_backend_pid() AND l.mode = 'AccessExclusiveLock' AND c.relname = ANY ($1) ORDER BY 1`,
      [before],
    )) as { name: string }[];
    await runner.rollbackTransaction();
    await runner.release();
    // The first one drops a table and makes another, which the second one changes.
    const others = ['attempt_limits', 'quarantined_series'];
    expect([...locked.map(({ name }) => name), ...others].sort()).toEqual([...locks].sort());
  });

  it('is refused its migration while an instance runs that could not serve afterwards', async () => {
    const lines = await schemaLines(owner);
    await inSession(
      async () => {
        await expect(migrate(database.connections)).rejects.toThrow(
          'nothing was migrated: instances of an earlier version are running (1), which could not serve with the new schema',
        );
      },
      { application_name: 'tidemark-heartbeat' },
    );
    expect(await schemaLines(owner)).toEqual(lines);
  });

  it('stands back while a long read uses a table, and migrates after it', async () => {
    await inSession(async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM changes');
      const { blockers } = await checkMigration(database.connections);
      expect(blockers.map(({ tables }) => tables)).toEqual([['changes']]);
      let waits = 0;
      const ran = await migrate(database.connections, () => {
        waits += 1;
        void client.query('COMMIT');
      });
      expect({ waits, ran }).toEqual({ waits: 1, ran: RAN });
    });
  });

  it('is refused if it is of another state', async () => {
    await owner.query(`DELETE FROM migrations WHERE name LIKE 'YieldCurves%'`);
    await expect(migrate(database.connections)).rejects.toThrow(
      'the newest migration of the database is ChangeDocuments1795385100000 instead of YieldCurves1795386000000',
    );
  });
});
