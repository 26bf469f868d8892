import {
  ReportedError,
  HeldError,
  UsageError,
  type CommandContext,
} from '../../src/commands/context/command-context.js';
import { errorDocument } from '../../src/commands/context/error-document.js';
import { IMPORTERS } from '../../src/publish/publishers/importers.js';
import { archive, useSync } from './syncing.js';
import { runProgram } from '../support/program.js';

const RATES = {
  '2026-11-17': '1.1601,181.32',
  '2026-11-18': '1.1588,180.95',
  '2026-11-19': '1.1612,181.47',
  '2026-11-20': '1.1620,181.60',
};

describe('tidemark sync', () => {
  const sync = useSync();
  let out: string[];
  let err: string[];
  beforeEach(() => {
    const { ecb } = IMPORTERS;
    if (ecb === undefined) throw new Error('No importer of the ECB');
    // Nothing may be asked beyond this machine.
    jest.replaceProperty(IMPORTERS, 'ecb', sync.ecbWith().importer);
    sync.answer((_, response) => void response.end(archive(RATES)));
  });
  afterEach(() => jest.restoreAllMocks());

  const run = async (...argv: string[]): Promise<void> => {
    out = [];
    err = [];
    const { dataDir } = sync.context();
    const context: CommandContext = {
      connect: () => sync.scratch().connect(),
      now: () => new Date(sync.clock.wall()),
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      json: argv.includes('--json'),
      tty: false,
      dataDir,
    };
    await runProgram(context, argv);
  };

  it('tells each attempt in one line, and then what is due next', async () => {
    await run('sync', 'ecb');
    expect(out).toEqual(['ecb: new: data version 1, vintage of 2026-11-20; next 2026-11-23T15:00Z']);
    await run('sync', 'ecb');
    expect(out).toEqual(['Nothing is due', 'ecb: not due before 2026-11-23T15:00Z']);
  });

  it('says what is due and which variables are missing, and asks nobody, with --dry-run', async () => {
    await run('sync', '--dry-run');
    expect(out).toContain('ecb: due, never tried');
    expect([...err].sort()).toEqual([
      'eia: left out, it requires EIA_API_KEY',
      'estat: left out, it requires ESTAT_APP_ID',
      'sec: left out, it requires SEC_USER_AGENT',
    ]);
    await run('sync', 'ecb', '--dry-run', '--json');
    expect(JSON.parse(out.join('\n'))).toEqual({
      publishers: [{ publisher: 'ecb', isDue: true, isRunning: false, dueAt: null }],
    });
    expect(sync.publisher().asked).toEqual([]);
  });

  it('lists the attempts, newest first', async () => {
    await run('sync', 'history');
    expect(out).toEqual(['Nothing was tried yet']);
    await run('sync', 'ecb');
    sync.clock.advance(3 * 86_400_000);
    await run('sync', 'ecb', '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({ attempts: [{ outcome: 'nothing new' }] });
    await run('sync', 'history', 'ecb');
    expect(out.map((line) => line.replace(/^ *\d+/, 'n'))).toEqual([
      expect.stringMatching(/^NUMBER +PUBLISHER +STARTED +TOOK +OUTCOME +WHAT +NEXT$/) as string,
      expect.stringMatching(/^n +ecb +now +0 s +nothing new +in 15 minutes$/) as string,
      expect.stringMatching(/^n +ecb +3 days ago +0 s +new +data version 1, vintage of 2026-11-20 +now$/) as string,
    ]);
    await run('sync', 'history', '--limit', '1', '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({ attempts: [{ outcome: 'nothing new', why: null }] });
  });

  it('ends as an import does: with one error if a delivery is held, with another one if an attempt failed', async () => {
    await run('sync', 'ecb');
    sync.clock.advance(3 * 86_400_000);
    sync.answer((_, response) => void response.end(archive({ ...RATES, '2026-11-23': '116,18160' })));
    await expect(run('sync', 'ecb')).rejects.toThrow(HeldError);
    expect(out[0]).toMatch(/^ecb: held: delivery \d+: 2 series wait: jump; next /);
    sync.clock.advance(86_400_000);
    sync.answer((_, response) => void response.writeHead(500).end());
    const failed: unknown = await run('sync', 'ecb', '--json').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ReportedError);
    // Its document is printed already.
    expect([errorDocument(failed), out.length]).toEqual([null, 1]);
  });

  it.each([
    ['a publisher whose variable is missing', ['sync', 'eia'], 'eia requires EIA_API_KEY'],
    ['a limit that is none', ['sync', 'history', '--limit', 'all'], '--limit: a whole number from 1 to 100000'],
  ])('refuses %s', async (_, argv, message) => {
    const refused: unknown = await run(...argv).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(refused).toMatchObject({ message });
  });

  it('refuses a publisher without a live path, and --watch with --dry-run', async () => {
    await expect(run('sync', 'releases')).rejects.toThrow(/Allowed choices are/);
    await expect(run('sync', '--watch', '--dry-run')).rejects.toThrow(/cannot be used with option/);
  });
});
