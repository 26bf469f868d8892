import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Connection, Connections } from '../../src/store/connections.js';
import { checkMigration, migrate } from '../../src/store/migrate.js';
import { asAdmin, connectionsTo } from '../support/database.js';

jest.setTimeout(60_000);

describe('A migration', () => {
  const name = `tidemark_test_${process.env.TIDEMARK_TEST_RUN}_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  /** As an owner of its own: neither superuser nor CREATEROLE. */
  const connections: Connections = {
    ...connectionsTo(name),
    engine: 'server',
    to: (role) => asOwner(connectionsTo(name).to(role)),
  };

  const asOwner = (login: Connection): Connection => {
    if (login.connectionString === undefined) return { ...login, user: name, password, role: null };
    const url = new URL(login.connectionString);
    url.username = name;
    url.password = password;
    return { connectionString: url.href, role: null };
  };
  const sql = async (text: string): Promise<Record<string, unknown>[]> => {
    const { role: _role, ...login } = connections.to('admin');
    const client = new pg.Client(login);
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  };
  const relations = async (): Promise<unknown[]> =>
    (await sql(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`)).map(
      ({ relname }) => relname,
    );

  beforeAll(() =>
    asAdmin(async (client) => {
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
      await client.query(`CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    }),
  );
  afterAll(() =>
    asAdmin(async (client) => {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await client.query(`DROP ROLE ${name}`);
    }),
  );

  it('is refused before its first statement if the login lacks a right, with the SQL that gives it', async () => {
    const { refusal, pending } = await checkMigration(connections);
    expect(pending.length).toBeGreaterThan(0);
    const statements = refusal?.match(/^ {2}.+;$/gm) ?? [];
    expect(statements).toEqual(
      ['tidemark_account', 'tidemark_api', 'tidemark_import'].map((role) => `  GRANT ${role} TO ${name};`),
    );
    await expect(migrate(connections)).rejects.toThrow(`nothing was migrated: ${refusal ?? ''}`);
    expect(await relations()).toEqual([]);
    await asAdmin(async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    expect((await checkMigration(connections)).refusal).toBeNull();
  });

  it('leaves nothing behind if one of its statements fails', async () => {
    await sql('CREATE TABLE notifications (id integer)');
    await expect(migrate(connections)).rejects.toThrow('"notifications" already exists');
    expect(await relations()).toEqual(['notifications']);
    await sql('DROP TABLE notifications');
  });

  it('runs once under the rights that its check asked for', async () => {
    const { pending } = await checkMigration(connections);
    expect(await migrate(connections)).toEqual(pending);
    expect(await migrate(connections)).toEqual([]);
    await asAdmin((client) => client.query(`REVOKE tidemark_api FROM ${name}`));
    expect(await checkMigration(connections)).toMatchObject({ pending: [], refusal: null, blockers: [] });
  });
});
