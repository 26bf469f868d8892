// runs: in full only
import { commandLine, type CommandLine } from '../support/commands.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { exhaustively } from '../support/exhaustive.js';
import { HOSTILE_GROUPS } from '../support/hostile-texts.js';
import { insideOf } from '../support/inside.mjs';
import { ownerOf, type Owner } from '../support/own.js';
import { startTestServer, type TestServer } from '../support/server.js';

/** A few texts of each kind, for every command. A program's argument cannot contain a NUL. */
const TEXTS = Object.values(HOSTILE_GROUPS)
  .flatMap((texts) => texts.filter((_, at) => at % exhaustively(4, 20) === 0))
  .filter((text) => !text.includes('\0'));
/** Characters that break a line of a list, or a terminal. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Errors that no command throws on purpose. */
const UNMEANT = /^(?:Type|Range|Syntax|Reference|QueryFailed)Error$/;

describe('A hostile text on the command line', () => {
  let database: TestDatabase;
  let service: TestServer;
  let owner: Owner;
  let line: CommandLine;

  beforeAll(async () => {
    database = await createTestDatabase('figures');
    service = await startTestServer({ database });
    owner = await ownerOf(service, 'ada');
    const now = () => new Date('2026-11-20T10:00:00Z');
    line = commandLine({ database, service }, now);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  /** The name and text of an error that no command throws on purpose. */
  async function unmeant(argv: readonly string[]): Promise<string[]> {
    try {
      await line.run(...argv);
    } catch (error) {
      const { name, message } = error as Error;
      const inside = insideOf(message, argv.join('\n'));
      if (UNMEANT.test((error as object).constructor.name) || UNMEANT.test(name) || inside !== null)
        return [`${argv.join(' ').slice(0, 100)}: ${name}: ${message.slice(0, 200)}`];
    }
    return [];
  }

  const COMMANDS: readonly (readonly [string, (text: string) => string[]])[] = [
    ['an e-mail address', (text) => ['accounts', 'create', '--account', text, '--plan', 'free']],
    ['a plan', (text) => ['accounts', 'set-plan', owner.email, text]],
    ['the name of a key', (text) => ['keys', 'create', '--account', owner.email, `--name=${text}`]],
    ['the id of a key', (text) => ['keys', 'revoke', text, '--yes']],
    ['an account', (text) => ['keys', 'list', '--account', text]],
    ['what is followed', (text) => ['follows', 'add', 'topic', text, '--account', owner.email]],
    ['a kind of target', (text) => ['follows', 'add', text, 'gdp', '--account', owner.email]],
    [
      'the name of an alert',
      (text) => ['alerts', 'create', 'topic', 'gdp', '--account', owner.email, `--name=${text}`],
    ],
    [
      'a threshold',
      (text) => [
        'alerts',
        'create',
        'indicator',
        'gdp-growth@JP',
        '--account',
        owner.email,
        '--metric',
        'value_above',
        `--threshold=${text}`,
      ],
    ],
    ['the id of an alert', (text) => ['alerts', 'delete', text, '--yes', '--account', owner.email]],
  ];

  it.each(COMMANDS)('is accepted or refused as %s, with a message of our own', async (_, argv) => {
    const wrong: string[] = [];
    for (const text of TEXTS) wrong.push(...(await unmeant(argv(text))));
    expect(wrong).toEqual([]);
  });

  it('breaks no line of a list', async () => {
    for (const argv of [
      ['accounts', 'list'],
      ['keys', 'list'],
      ['alerts', 'list'],
      ['follows', 'list'],
    ]) {
      const own = argv[0] === 'accounts' ? [] : ['--account', owner.email];
      const lines = await line.run(...argv, ...own);
      expect({ argv, broken: lines.filter((one) => BREAKING.test(one)) }).toEqual({ argv, broken: [] });
    }
  });

  it('adds no line to the account’s own lists', async () => {
    for (const path of ['/api/v1/alerts?limit=100', '/api/v1/following']) {
      const { status, body } = await owner.get<readonly { readonly name?: string }[]>(path);
      const names = body.data.map(({ name = '' }) => name);
      expect({ path, status, broken: names.filter((one) => BREAKING.test(one)) }).toEqual({
        path,
        status: 200,
        broken: [],
      });
    }
  });
});
