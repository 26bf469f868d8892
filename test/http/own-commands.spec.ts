import { commandLine, type CommandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { formed } from '../support/matchers.js';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';

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
    ({ run, written } = commandLine({ database, service }, now));
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const ofAda = (...argv: string[]) => run(...argv, '--account', owner.email);

  it('create, list and delete a follow, as the service then shows', async () => {
    expect(await ofAda('follows', 'list')).toEqual(['The account follows nothing']);
    const [, line] = await ofAda('follows', 'add', 'country', 'JPN');
    expect(line).toMatch(/^fol_\S+ {2}country {2}JP {3}now$/);
    await ofAda('follows', 'add', 'indicator', 'cpi-inflation@us');
    const [listed] = await ofAda('follows', 'list', '--json');
    expect(JSON.parse(listed ?? '')).toEqual({
      follows: [
        { id: formed(/^fol_/), target: { type: 'country', key: 'JP' }, since: formed(/^2026/) },
        { id: formed(/^fol_/), target: { type: 'series', key: 'cpi-inflation@US' }, since: formed(/^2026/) },
      ],
    });
    expect((await owner.get<unknown[]>('/api/v1/following')).body.data).toHaveLength(2);
    await expect(ofAda('follows', 'remove', 'country', 'jp')).rejects.toThrow('confirm it with --yes');
    await ofAda('follows', 'remove', 'country', 'jp', '--yes');
    expect((await owner.get<unknown[]>('/api/v1/following')).body.data).toMatchObject([
      { target: { key: 'cpi-inflation@US' } },
    ]);
    await expect(ofAda('follows', 'remove', 'country', 'jp', '--yes')).rejects.toThrow("does not follow country 'JP'");
  });

  it('create, pause, resume and delete an alert', async () => {
    const set = ['alerts', 'create', 'series', 'gdp-growth@JP', '--metric', 'value_below', '--threshold', '-1.5'];
    const [, line = ''] = await ofAda(...set, '--name', 'Slump');
    expect(line).toMatch(/^alr_\S+ {2}armed {2}series gdp-growth@JP {2}value_below -1\.5 {2}never {2}Slump$/);
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
    for (const verb of ['pause', 'resume', 'delete']) {
      const yes = verb === 'delete' ? ['--yes'] : [];
      await expect(run('alerts', verb, id, '--account', other.email, ...yes)).rejects.toThrow(
        `There is no alert '${id}'`,
      );
    }
    await expect(ofAda('alerts', 'delete', id)).rejects.toThrow('confirm it with --yes');
    await ofAda('alerts', 'delete', id, '--yes');
    expect(await state()).toEqual([]);
  });

  it.each([
    ['a line break', 'a\nb'],
    ['a separator of lines', 'a\u2028b'],
    ['a control character', 'a\u001b[31mb'],
    ['nothing that is seen', '\u200b'],
    ['101 characters', 'x'.repeat(101)],
  ])('refuse a name with %s, for an alert and for a key', async (_, name) => {
    const said = 'a name of 1 to 100 printable characters on one line';
    await expect(ofAda('alerts', 'create', 'topic', 'gdp', '--name', name)).rejects.toThrow(`An alert has ${said}`);
    await expect(ofAda('keys', 'create', '--name', name)).rejects.toThrow(`A key has ${said}`);
  });

  it('remove invisible characters from a name', async () => {
    const [, line = ''] = await ofAda('alerts', 'create', 'topic', 'gdp', '--name', ' my\u3000 \u202ealert\u200b ');
    expect(line).toMatch(/ {2}my alert$/);
    await ofAda('keys', 'create', '--name', 'my\u00a0key\u{e0041}');
    expect((await ofAda('keys', 'list')).some((key) => key.endsWith('  my key'))).toBe(true);
  });

  it('number the keys that get no name', async () => {
    const before = (await ofAda('keys', 'list')).length - 1;
    await ofAda('keys', 'create');
    expect((await ofAda('keys', 'list')).at(-1)).toMatch(new RegExp(`  key ${before + 1}$`));
  });

  it.each([
    ['a bidirectional control', 'a\u202eb@test.example'],
    ['a control character', 'a\u001bb@test.example'],
    ['a character of no width', 'a\u200bb@test.example'],
  ])('refuse an e-mail address with %s', async (_, email) => {
    const account = { email, plan: 'free', signedUpAt: new Date(0) } as const;
    await expect(service.access.createAccount(account)).rejects.toThrow('is not an e-mail address');
  });

  it('name the mistake in a call', async () => {
    await expect(run('follows', 'add', 'topic', 'gdp')).rejects.toThrow('--account');
    await expect(ofAda('follows', 'add', 'planet', 'mars')).rejects.toThrow('Allowed choices are topic');
    await expect(ofAda('follows', 'add', 'topic', 'inflatoin')).rejects.toThrow('Did you mean inflation?');
    await expect(ofAda('alerts', 'create', 'topic', 'gdp', '--metric', 'above')).rejects.toThrow('Allowed choices');
    await expect(run('follows', 'list', '--account', 'no@one.example')).rejects.toThrow('There is no account');
    await expect(run('follows', 'list', '--account', `x${owner.email}`)).rejects.toThrow(
      `Did you mean ${owner.email}?`,
    );
    const [, listed = ''] = await ofAda('keys', 'list');
    const id = listed.split(' ', 1)[0] ?? '';
    await expect(run('keys', 'revoke', id.slice(0, -2), '--yes')).rejects.toThrow(`Did you mean ${id}?`);
    await expect(ofAda('accounts', 'suspend')).rejects.toThrow('confirm it with --yes');
    await expect(ofAda('keys', 'rotate', id, '--hours', '0')).rejects.toThrow('confirm it with --yes');
    await expect(run('alerts', 'create', '--help')).rejects.toMatchObject({ exitCode: 0 });
    expect(written().join('')).toContain('--threshold');
  });
});
