import { alertsCommand } from '../../src/following/alerts.command.js';
import { followCommand } from '../../src/following/follow.command.js';
import { commandLine, type CommandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { formed } from '../support/matchers.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';

// Many commands a test, on a machine that may be busy.
jest.setTimeout(60_000);

describe('The commands for what an account follows', () => {
  let database: TestDatabase;
  let service: TestServer;
  let owner: Owner;
  let run: CommandLine['run'];
  let written: CommandLine['written'];
  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    owner = await ownerOf(service, 'ada');
    const now = () => new Date('2026-11-20T10:00:00Z');
    ({ run, written } = commandLine({ database, service }, [followCommand, alertsCommand], now));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ofAda = (...argv: string[]) => run(...argv, '--account', owner.email);

  it('follow, list and follow no more, and the service says the same', async () => {
    expect(await ofAda('follow', 'list')).toEqual(['The account follows nothing']);
    const [line] = await ofAda('follow', 'add', 'country', 'JPN');
    expect(line).toMatch(/^fol_\S+ {2}country {2}JP {2}since 2026-11-20T10:00:00.000Z$/);
    await ofAda('follow', 'add', 'indicator', 'cpi-inflation@us');
    const [listed] = await ofAda('follow', 'list', '--json');
    expect(JSON.parse(listed ?? '')).toEqual({
      follows: [
        { id: formed(/^fol_/), target: { type: 'country', key: 'JP' }, since: formed(/^2026/) },
        { id: formed(/^fol_/), target: { type: 'series', key: 'cpi-inflation@US' }, since: formed(/^2026/) },
      ],
    });
    expect((await owner.get<unknown[]>('/api/v1/following')).body.data).toHaveLength(2);
    await ofAda('follow', 'remove', 'country', 'jp');
    expect((await owner.get<unknown[]>('/api/v1/following')).body.data).toMatchObject([
      { target: { key: 'cpi-inflation@US' } },
    ]);
    await expect(ofAda('follow', 'remove', 'country', 'jp')).rejects.toThrow("does not follow country 'JP'");
  });

  it('set an alert, let it rest, wake it and take it away', async () => {
    const set = [
      'alerts',
      'add',
      'series',
      'gdp-growth@JP',
      '--metric',
      'value_below',
      '--threshold',
      '-1.5',
    ];
    const [line = ''] = await ofAda(...set, '--name', 'Slump');
    expect(line).toMatch(
      /^alr_\S+ {2}armed {2}series gdp-growth@JP {2}value_below -1\.5 {2}never fired {2}Slump$/,
    );
    const id = line.split(' ', 1)[0] ?? '';
    const state = async () =>
      (await owner.get<{ state: string }[]>('/api/v1/alerts')).body.data.map((alert) => alert.state);
    await ofAda('alerts', 'pause', id);
    expect(await state()).toEqual(['paused']);
    await ofAda('alerts', 'resume', id);
    expect(await state()).toEqual(['armed']);
    const [listed] = await ofAda('alerts', 'list', '--json');
    expect(JSON.parse(listed ?? '')).toMatchObject({
      alerts: [{ id, condition: { metric: 'value_below', threshold: -1.5 }, target: { type: 'series' } }],
    });
    const other = await ownerOf(service, 'bob');
    for (const verb of ['pause', 'resume', 'remove']) {
      await expect(run('alerts', verb, id, '--account', other.email)).rejects.toThrow(`has no alert ${id}`);
    }
    await ofAda('alerts', 'remove', id);
    expect(await state()).toEqual([]);
  });

  it('name what is wrong with a call', async () => {
    await expect(run('follow', 'add', 'topic', 'gdp')).rejects.toThrow('--account');
    await expect(ofAda('follow', 'add', 'planet', 'mars')).rejects.toThrow('Allowed choices are topic');
    await expect(ofAda('follow', 'add', 'topic', 'inflatoin')).rejects.toThrow('the nearest: inflation');
    await expect(ofAda('alerts', 'add', 'topic', 'gdp', '--metric', 'above')).rejects.toThrow(
      'Allowed choices',
    );
    await expect(run('follow', 'list', '--account', 'no@one.example')).rejects.toThrow('No account has');
    await expect(run('alerts', 'add', '--help')).rejects.toMatchObject({ exitCode: 0 });
    expect(written().join('')).toContain('--threshold');
  });
});
