// runs: in full only
import { commandLine, type CommandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { until } from '../support/processes.js';

const NOW = new Date('2026-11-20T10:00:00Z');
const WRITTEN_WITHIN = 15_000;

describe('tidemark usage', () => {
  let database: TestDatabase;
  let service: TestServer;
  let line: CommandLine;
  let now = NOW;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    line = commandLine({ database, service }, () => now);
    for (const [email, plan] of [
      ['ada@usage.example', 'pro'],
      ['bob@usage.example', 'free'],
      ['idle@usage.example', 'developer'],
    ] as const) {
      await service.access.createAccount({ email, plan, signedUpAt: new Date('2020-01-01T00:00:00Z') });
    }
    const owner = await database.open('admin');
    await owner.query(`
      INSERT INTO daily_usage (account_id, day, admitted)
      SELECT a.id, u.day, u.admitted
      FROM (VALUES ('ada', date '2026-11-20', 1250), ('ada', '2026-11-18', 5000), ('bob', '2026-11-20', 400),
                   ('bob', '2026-10-01', 7)) AS u (name, day, admitted)
      JOIN accounts a ON a.email = u.name || '@usage.example'`);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const run = (...argv: string[]) => line.run('usage', ...argv);

  it('shows each day of an account against the limit of its plan', async () => {
    expect(await run('--account', 'Ada@usage.example', '--days', '3')).toEqual([
      'ada@usage.example: pro, active',
      'DAY         ADMITTED  LIMIT    SHARE',
      '2026-11-20     1,250  5,000   25.0 %',
      '2026-11-18     5,000  5,000  100.0 %',
    ]);
    const [json = ''] = await run('--account', 'bob@usage.example', '--days', '2', '--json');
    expect(JSON.parse(json)).toEqual({
      account: { email: 'bob@usage.example', plan: 'free', status: 'active' },
      days: [
        { day: '2026-11-20', admitted: 400, limit: 400, share: 1 },
        { day: '2026-11-19', admitted: 0, limit: 400, share: 0 },
      ],
    });
    expect(await run('--account', 'idle@usage.example')).toEqual([
      'idle@usage.example: developer, active',
      'No request was admitted in the last 30 days',
    ]);
  });

  it('shows the accounts of a day, the busiest first', async () => {
    expect(await run('--day', '2026-11-20')).toEqual([
      'ACCOUNT            PLAN  STATUS  ADMITTED  LIMIT    SHARE',
      'ada@usage.example  pro   active     1,250  5,000   25.0 %',
      'bob@usage.example  free  active       400    400  100.0 %',
    ]);
    expect(await run('--day', '2026-11-20', '--limit', '1')).toHaveLength(2);
    expect(await run('--day', '2026-11-19')).toEqual(['No request was admitted on 2026-11-19']);
    const [json = ''] = await run('--day', '2026-10-01', '--json');
    expect(JSON.parse(json)).toEqual({
      day: '2026-10-01',
      accounts: [
        { email: 'bob@usage.example', plan: 'free', status: 'active', admitted: 7, limit: 400, share: 0.0175 },
      ],
    });
  });

  it('rolls all accounts up by day', async () => {
    expect(await run('--days', '3')).toEqual([
      'DAY         ADMITTED  ACCOUNTS  AT THE LIMIT',
      '2026-11-20     1,650         2             1',
      '2026-11-18     5,000         1             1',
    ]);
    const [json = ''] = await run('--days', '1', '--json');
    expect(JSON.parse(json)).toEqual({ days: [{ day: '2026-11-20', accounts: 2, admitted: 1_650, atLimit: 1 }] });
  });

  it('agrees with the requests that the service admitted', async () => {
    const email = 'counted@usage.example';
    await service.access.createAccount({ email, plan: 'developer', signedUpAt: new Date(0) });
    const { text } = await service.access.createKey(email, 'one');
    for (let asked = 0; asked < 5; asked += 1) await service.get('/api/v1/topics', text);
    // These are two days if midnight falls between them.
    now = new Date();
    const isWritten = async () => {
      const [json = ''] = await run('--account', email, '--days', '2', '--json');
      const { days } = JSON.parse(json) as { days: { admitted: number }[] };
      return days.reduce((sum, { admitted }) => sum + admitted, 0) === 5;
    };
    await until(WRITTEN_WITHIN, 'five requests to be written', isWritten);
    now = NOW;
  });

  it('names the mistake in a call', async () => {
    const wrong = async (message: string, ...argv: string[]) => {
      await expect(run(...argv)).rejects.toThrow(message);
    };
    await wrong("There is no account 'no@one.example'", '--account', 'no@one.example');
    await wrong('one of the two', '--account', 'ada@usage.example', '--day', '2026-11-20');
    await wrong("'2026-02-30' is not a day", '--day', '2026-02-30');
    await wrong('lies in the future', '--day', '2026-11-21');
    await wrong('--days: a whole number from 1 to 400', '--days', '0');
    await wrong('--days: not with --day', '--day', '2026-11-20', '--days', '3');
    await wrong('--limit: only with --day', '--limit', '3');
    await expect(run('--help')).rejects.toMatchObject({ exitCode: 0 });
    expect(line.written().join('')).toContain('--account');
  });
});
