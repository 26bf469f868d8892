import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { ownTables } from '../support/tenants.js';

/** Only the account role may access these. */
const PERSONAL = [
  'account_passwords',
  'account_sessions',
  'audit_events',
  'former_accounts',
  'authorization_requests',
  'notification_channels',
  'notifications',
  'one_time_tokens',
];
const ACCESS = [
  'access_version',
  'account_identities',
  'accounts',
  'api_keys',
  'changed_accounts',
  'daily_usage',
  'key_usage',
  'minute_usage',
  'refused_requests',
  'follows',
  'usage_writers',
  ...PERSONAL,
];
/** Account data that publishing evaluates without learning whose it is. Its numbers are conditions, not figures. */
const CONDITIONS = 'alerts';
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE'] as const;

describe('The database', () => {
  let database: TestDatabase;
  let owner: DataSource;
  let publisher: DataSource;
  let reader: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    [owner, publisher, reader] = await Promise.all([
      database.open('admin'),
      database.open('import'),
      database.open('api'),
    ]);
  });
  afterAll(() => database.drop());

  const names = async (source: DataSource, sql: string, parameters: unknown[] = []): Promise<string[]> =>
    (await source.query<{ name: string }[]>(sql, parameters)).map(({ name }) => name);

  const tables = () =>
    names(
      owner,
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`,
    );

  const granted = (source: DataSource, table: string) =>
    names(source, `SELECT p AS name FROM unnest($2::text[]) p WHERE has_table_privilege(current_user, $1, p)`, [
      table,
      PRIVILEGES,
    ]);

  it('stores no figure without a source: each table with figures refers to the source, directly or by a row that does', async () => {
    const bearing = await names(
      owner,
      `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE table_schema = 'public' AND data_type = 'numeric' AND table_type = 'BASE TABLE'
         AND table_name <> '${CONDITIONS}' ORDER BY 1`,
    );
    expect(bearing).toEqual(['audit_exceptions', 'change_corrections', 'changes', 'observations']);
    const required = `
      SELECT DISTINCT c.conrelid::regclass::text AS name FROM pg_constraint c
      WHERE c.contype = 'f' AND c.confrelid::regclass::text = ANY ($1)
        AND NOT EXISTS (SELECT 1 FROM pg_attribute a
          WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND NOT a.attnotnull)`;
    const direct = await names(owner, required, [['sources']]);
    const indirect = await names(owner, required, [direct]);
    expect(bearing.filter((table) => ![...direct, ...indirect].includes(table))).toEqual([]);
  });

  it('lets the service read content but not write it', async () => {
    const content = (await tables()).filter((table) => ![...ACCESS, CONDITIONS].includes(table));
    expect(content.length).toBeGreaterThan(10);
    for (const table of content) {
      const allowed = (await granted(reader, table)).filter((privilege) => privilege !== 'SELECT');
      expect({ table, allowed }).toEqual({ table, allowed: [] });
    }
    for (const sql of [
      `INSERT INTO regions (code, kind, name, weight) VALUES ('ZZZ', 'country', '{}', 1)`,
      `UPDATE changes SET importance = 100`,
      `DELETE FROM observations`,
      `CREATE TABLE own (id integer)`,
      `SELECT analyze_content()`,
    ]) {
      await expect(reader.query(sql)).rejects.toThrow(/permission denied/);
    }
  });

  it('lets the service verify keys, but not write accounts or keys, or read addresses, passwords and sessions', async () => {
    for (const table of PERSONAL) {
      const allowed = table === 'audit_events' ? ['INSERT'] : [];
      expect({ table, allowed: await granted(reader, table) }).toEqual({ table, allowed });
    }
    await expect(reader.query(`SELECT * FROM find_keys('{}')`)).resolves.toEqual([]);
    await expect(reader.query(`SELECT * FROM find_identity('x', 'y')`)).resolves.toEqual([]);
    for (const sql of [
      'SELECT 1 FROM accounts',
      'SELECT 1 FROM api_keys',
      'SELECT 1 FROM account_identities',
      'SELECT 1 FROM daily_usage',
      `SELECT account_of_email('x')`,
      'SELECT operator_accounts()',
      'DELETE FROM account_identities',
      `UPDATE accounts SET plan = 'developer'`,
      'UPDATE access_version SET version = 1',
    ]) {
      await expect(reader.query(sql)).rejects.toThrow(/permission denied/);
    }
  });

  it('lets the service append audit rows of follows and alerts, and of nothing else', async () => {
    const row = (action: string) =>
      `INSERT INTO audit_events (account_id, at, actor, action) VALUES ('acc_x', now(), 'owner', '${action}')`;
    const append = (sql: string, account: string) =>
      reader.transaction(async (manager) => {
        await manager.query(`SELECT set_config('tidemark.account', $1, true)`, [account]);
        await manager.query(sql);
      });
    await append(row('alert_created'), 'acc_x');
    await expect(append(row('alert_created'), 'acc_y')).rejects.toThrow(/row-level security/);
    for (const action of ['key_created', 'plan_changed', 'account_deleted']) {
      await expect(append(row(action), 'acc_x')).rejects.toThrow(/row-level security/);
    }
    for (const sql of ['SELECT 1 FROM audit_events', 'DELETE FROM audit_events']) {
      await expect(reader.query(sql)).rejects.toThrow(/permission denied/);
    }
  });

  it('lets the account page read no content, follow or alert', async () => {
    const keeper = await database.open('account');
    const usage = ['daily_usage', 'key_usage', 'minute_usage', 'refused_requests'];
    const own = [
      ...PERSONAL,
      'access_version',
      'account_identities',
      'accounts',
      'api_keys',
      'changed_accounts',
      ...usage,
    ];
    for (const table of (await tables()).filter((name) => !own.includes(name))) {
      expect({ table, allowed: await granted(keeper, table) }).toEqual({ table, allowed: [] });
    }
    for (const sql of ['UPDATE daily_usage SET admitted = 0', 'UPDATE audit_events SET at = now()']) {
      await expect(keeper.query(sql)).rejects.toThrow(/permission denied/);
    }
  });

  it('lets an import read no account, key or usage', async () => {
    for (const table of ACCESS) {
      expect({ table, allowed: await granted(publisher, table) }).toEqual({ table, allowed: [] });
      await expect(publisher.query(`SELECT * FROM ${table}`)).rejects.toThrow(/permission denied/);
    }
  });

  it('lets an import evaluate alerts and write their events, but not read whose they are', async () => {
    expect(await granted(publisher, CONDITIONS)).toEqual([]);
    await expect(publisher.query('SELECT id, target_key, metric, threshold FROM alerts')).resolves.toEqual([]);
    for (const sql of [
      'SELECT account_id FROM alerts',
      'SELECT name FROM alerts',
      'UPDATE alerts SET threshold = 0',
      `UPDATE alerts SET target_key = 'x'`,
      'DELETE FROM alerts',
    ]) {
      await expect(publisher.query(sql)).rejects.toThrow(/permission denied/);
    }
    expect(await granted(publisher, 'alert_events')).toEqual(['SELECT', 'INSERT', 'DELETE']);
  });

  it('gives neither role a way around row-level security', async () => {
    for (const source of [reader, publisher]) {
      const [role] = await source.query<object[]>(
        `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user`,
      );
      expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false });
    }
    const owned = await names(
      owner,
      `SELECT relname AS name FROM pg_class WHERE relowner IN
         (SELECT oid FROM pg_roles WHERE rolname IN ('tidemark_api', 'tidemark_import'))`,
    );
    expect(owned).toEqual([]);
  });

  it('protects every table that may contain a withheld row by row-level security, and every view runs as its caller', async () => {
    const secured = await names(
      owner,
      `SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace
         AND relname <> ALL ($1) ORDER BY 1`,
      [(await ownTables(owner)).map(({ table }) => table)],
    );
    expect(secured).toEqual([
      'calendar_event_history',
      'calendar_events',
      'change_documents',
      'companies',
      'company_tickers',
      'entities',
      'entity_statements',
      'observations',
      'quarantined_series',
      'register_vintages',
      'registrants',
      'relation_vintages',
      'relations',
      'series',
      'series_versions',
      'series_vintages',
      'sources',
    ]);
    const leaking = await names(
      owner,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (reloptions), false))`,
    );
    expect(leaking).toEqual([]);
  });

  it.each([
    ['its own source', 'bis', '{}'],
    ['a source that its publisher names', 'worldbank-wdi', '{bis}'],
  ])('hides a series that is withheld for %s from the service', async (_, source, origins) => {
    const region = source === 'bis' ? 'CH' : 'SE';
    const [series] = await publisher.query<{ id: number }[]>(
      `INSERT INTO series (indicator, region, source_id, origins, withheld, baseline_day)
       VALUES ('gdp', $1, $2, $3, false, '2026-07-01') RETURNING id`,
      [region, source, origins],
    );
    const id = series?.id;
    await publisher.query(
      `INSERT INTO series_vintages (series_id, day, first_period, last_period, basis, data_version)
       SELECT $1, '2026-07-01', '2024', '2024', 'retrieved', max(data_version) FROM publications`,
      [id],
    );
    await publisher.query(
      `INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
       SELECT $1, '2024', '2026-07-01', 4711, $2, true, max(data_version) FROM publications`,
      [id, source],
    );
    await publisher.query(
      `INSERT INTO series_versions SELECT $1, max(data_version), '2024', '2024' FROM publications`,
      [id],
    );
    const seen = async (as: DataSource, sql: string) => (await as.query<unknown[]>(sql, [id])).length;
    for (const [table, key] of [
      ['series', 'id'],
      ['series_vintages', 'series_id'],
      ['series_versions', 'series_id'],
      ['observations', 'series_id'],
    ] as const) {
      const sql = `SELECT 1 FROM ${table} WHERE ${key} = $1`;
      expect({ table, seen: await seen(publisher, sql) }).toEqual({ table, seen: 1 });
      expect({ table, seen: await seen(reader, sql) }).toEqual({ table, seen: 0 });
    }
    expect(await seen(publisher, 'SELECT 1 FROM derivable_series WHERE id = $1')).toBe(0);
    expect(await seen(publisher, 'SELECT 1 FROM derivable_observations WHERE series_id = $1')).toBe(0);
    expect(await reader.query(`SELECT 1 FROM sources WHERE id = 'bis'`)).toEqual([]);
    for (const view of ['derivable_series', 'derivable_observations', 'declared_vintages']) {
      await expect(reader.query(`SELECT * FROM ${view}`)).rejects.toThrow(/permission denied/);
    }
  });

  it('puts the body of known_on in place of its call, so that the indexes on its columns serve it', async () => {
    const plan = await reader.query<object[]>(
      `EXPLAIN (VERBOSE) SELECT FROM observations o WHERE known_on('2026-07-02'::date - 1, o.valid_from, o.valid_to)`,
    );
    expect(JSON.stringify(plan)).toContain("valid_from <= '2026-07-01'");
    expect(JSON.stringify(plan)).not.toContain('known_on');
  });

  it('rejects a text that lacks a language', async () => {
    const name = JSON.stringify({ en: 'Somewhere', zh: '某地', ja: ' ' });
    await expect(
      publisher.query(`INSERT INTO regions (code, kind, name, weight) VALUES ('ZZZ', 'country', $1, 1)`, [name]),
    ).rejects.toThrow(/localized/);
  });
});
