import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError, type CommandContext } from '../../src/commands/context/command-context.js';
import { errorDocument } from '../../src/commands/context/error-document.js';
import { oneRow, openScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { runProgram } from '../support/program.js';

const HEADER = 'Country Name,Country Code,Indicator Name,Indicator Code,2023,2024,2025\n';
const growth = (figures: string) => `${HEADER}Japan,JPN,GDP growth (annual %),NY.GDP.MKTP.KD.ZG,${figures}\n`;

describe('The operator’s commands', () => {
  let scratch: ScratchDatabase;
  let folder: string;
  let out: string[];
  let err: string[];
  let heard: (line: string) => void = () => undefined;
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tidemark-commands-'));
    await writeFile(join(folder, 'first.csv'), growth('1.5,0.1,'));
    await writeFile(join(folder, 'second.csv'), growth('1.5,0.2,1.4'));
    await writeFile(join(folder, 'bad.csv'), growth('1.5,n/a,1.4'));
  });
  afterAll(async () => {
    await scratch.close();
    await rm(folder, { recursive: true });
  });

  const run = (...argv: string[]): Promise<void> => runOn(scratch, ...argv);
  const runOn = async (database: ScratchDatabase, ...argv: string[]): Promise<void> => {
    out = [];
    err = [];
    const context: CommandContext = {
      connect: () => database.connect(),
      now: () => new Date('2026-08-01T10:00:00Z'),
      out: (line) => void out.push(line),
      err: (line) => {
        err.push(line);
        heard(line);
      },
      json: argv.includes('--json'),
      tty: false,
      dataDir: folder,
    };
    await runProgram(context, argv);
  };

  it('print the phases and the result of an import', async () => {
    await run('import', 'worldbank', join(folder, 'first.csv'), '--vintage', '2026-01-10');
    expect(err).toEqual([
      '2026-01-10: reading',
      '2026-01-10: comparing with what is stored',
      '2026-01-10: storing',
      '2026-01-10: deriving changes',
      '2026-01-10: publishing',
    ]);
    expect(out[0]).toMatch(/^2026-01-10: data version 1 \(import\): 2 figures of 1 series in \d+\.\d s$/);
    await run('import', 'worldbank', join(folder, 'first.csv'), '--vintage', '2026-01-10');
    expect(out).toEqual(['2026-01-10: 2 figures of 1 series are already stored, nothing changed']);
  });

  it('import all that a folder contains, in the order of its days, and say what became of each', async () => {
    const own = await openScratchDatabase();
    const all = join(folder, 'all');
    const fixtures = join(__dirname, '../fixtures');
    for (const name of ['vintages', 'markets/us-treasury', 'calendar/us-gdp.csv', 'register/groups'])
      await cp(join(fixtures, name), join(all, name), { recursive: true });
    for (const name of ['broken.csv', 'second.csv']) await writeFile(join(all, name), 'a,b\n');
    await mkdir(join(all, 'ecb'));
    await writeFile(join(all, 'ecb/eurofxref.csv'), 'a,b\n');
    await writeFile(join(all, 'growth.csv'), growth('1.5,n/a,1.4'));
    await writeFile(join(all, 'notes.md'), 'mine\n');
    try {
      await expect(runOn(own, 'import', all, '--vintage', '2026-07-08')).rejects.toThrow('could not be imported');
    } finally {
      await own.close();
    }
    expect(out.map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
      ['PUBLISHER', 'OUTCOME', 'FIRST DAY', 'LAST DAY'],
      ['releases', 'published', '2000-01-28', expect.any(String)],
      ['us-treasury', 'published', '2025-02-21', '2025-02-21'],
      ['worldbank', 'published', '2025-12-17', '2026-07-01'],
      // Two companies of the fixture are each other's parents.
      ['gleif', 'published', '2026-07-08', '2026-07-08'],
      ['worldbank', 'published', '2026-05-01', '2026-05-01'],
      ['ecb', 'left out', '1', 'ecb/eurofxref.csv has no column "Date" in its first line'],
      ['worldbank', 'left out', '2026-07-08', '2026-07-08'],
      ['', 'left out', '2', 'broken.csv and 1 more: no publisher has such a file'],
    ]);
    expect(out[4]).toMatch(/: \d+ legal entities, \d+ group relations, 2 entities wait, tidemark deliveries show \d+$/);
    expect(out.at(-2)).toMatch(/ growth\.csv: 1 bad row, .* growth\.csv:2, /);
    expect(out.join('\n')).not.toContain(folder);
  });

  it('show the age of what is held, by publisher', async () => {
    await run('status');
    expect(out.slice(1, 4)).toEqual([
      'data version  1, published now',
      '',
      expect.stringMatching(/^PUBLISHER +NEWEST FIGURE +NEXT FIGURE +SYNC$/) as string,
    ]);
    expect(out.find((line) => line.startsWith('worldbank '))).toMatch(/ 2024 +\S.* due, never tried$/);
    expect(out.at(-1)).toBe('Nothing is held');
  });

  it('print one document for import --json', async () => {
    await run('import', 'worldbank', join(folder, 'second.csv'), '--vintage', '2026-02-10', '--json');
    const { reports } = JSON.parse(out.join('\n')) as { readonly reports: readonly unknown[] };
    expect(reports).toMatchObject([{ dataVersion: 2, counts: { releases: 1, revisions: 1 } }]);
    expect(err).toEqual([]);
  });

  it('list the bad rows of an import, and fail', async () => {
    await expect(run('import', 'worldbank', join(folder, 'bad.csv'), '--vintage', '2026-03-10')).rejects.toThrow(
      '1 bad row, nothing was published',
    );
    expect(err.at(-1)).toMatch(/bad\.csv:2, .*n\/a/);
  });

  it('fail with the reports of the days before', async () => {
    const days = join(folder, 'days');
    for (const [day, file] of [
      ['2026-02-10', 'second.csv'],
      ['2026-02-11', 'bad.csv'],
    ] as const) {
      await mkdir(join(days, day), { recursive: true });
      await copyFile(join(folder, file), join(days, day, file));
    }
    const error: unknown = await run('import', 'worldbank', days, '--json').catch((thrown: unknown) => thrown);
    expect(errorDocument(error)).toMatchObject({ error: { code: 'bad_rows' }, reports: [{ vintage: '2026-02-10' }] });
    expect(out).toEqual([]);
  });

  it('refuse an import with neither paths nor --live', async () => {
    await expect(run('import', 'worldbank')).rejects.toThrow(UsageError);
    await expect(run('import', 'nobody', 'x')).rejects.toThrow("There is no publisher 'nobody'. There are worldbank");
  });

  it('refuse a day that is none before anything is read or fetched', async () => {
    await expect(run('import', 'ecb', '--live', '--since', '2026-13-45')).rejects.toThrow(UsageError);
    await expect(run('import', 'worldbank', 'nowhere', '--vintage', 'x')).rejects.toThrow(UsageError);
    for (const [option, ...others] of [
      ['--since', '--live'],
      ['--vintage', 'nowhere'],
    ] as const) {
      await expect(run('import', 'ecb', ...others, option, '2026-08-02')).rejects.toThrow(
        `${option} '2026-08-02' lies in the future: today is 2026-08-01 in UTC`,
      );
    }
    expect([out, err]).toEqual([[], []]);
  });

  it.each([
    [['--live', 'nowhere'], 'either paths or --live'],
    [['nowhere', '--since', '2026-07-01'], '--since needs --live'],
    [['nowhere', '--reason', 'x'], '--reason needs --accept'],
    [['--live', '--vintage', '2026-07-01'], '--vintage is for files'],
  ])('refuse %j before anything is read or fetched', async (options, why) => {
    await expect(run('import', 'ecb', ...options)).rejects.toThrow(why);
    await expect(run('import', 'ecb', ...options)).rejects.toThrow(UsageError);
    expect([out, err]).toEqual([[], []]);
  });

  it('import a folder without the file of another publisher, and name it', async () => {
    const mixed = join(folder, 'mixed');
    await mkdir(mixed);
    await copyFile(join(folder, 'first.csv'), join(mixed, 'first.csv'));
    await writeFile(join(mixed, 'rates.csv'), 'Date,USD,\n2026-01-09,1.1684,\n');
    await run('import', 'worldbank', mixed, '--vintage', '2026-01-10');
    expect(err[0]).toBe(`left out: ${join(mixed, 'rates.csv')} is a file of ecb: import it with that name`);
    await run('import', 'worldbank', mixed, '--vintage', '2026-01-10', '--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({ strays: [{ publisher: 'ecb' }] });
  });

  it('fail if nothing was taken, and name the code that the catalogue lacks', async () => {
    const unknown = growth('1.5,0.1,').replace('NY.GDP.MKTP.KD.ZG', 'SP.DYN.TFRT.IN');
    await writeFile(join(folder, 'unknown.csv'), unknown);
    await expect(run('import', 'worldbank', join(folder, 'unknown.csv'), '--vintage', '2026-03-10')).rejects.toThrow(
      'indicator SP.DYN.TFRT.IN, to be added to data/catalogue/indicators.json',
    );
  });

  it('say that they wait while another publication runs', async () => {
    const other = await scratch.connect();
    const blocker = other.createQueryRunner();
    await blocker.query('SELECT pg_advisory_lock(7140001)');
    const waits = new Promise<string>((resolve) => (heard = resolve));
    const withheld = expect(run('sources', 'withhold', 'nowhere', '--yes')).rejects.toThrow('no source');
    await expect(waits).resolves.toBe('waiting: another publication is running');
    await blocker.query('SELECT pg_advisory_unlock(7140001)');
    await withheld;
    await blocker.release();
    await other.destroy();
  });

  it('publish a withdrawal and a withholding, and list both as versions', async () => {
    const { id } = await oneRow(scratch.sql<{ id: string }>("SELECT id FROM changes WHERE kind = 'release'"));
    const withdrawal = ['changes', 'withdraw', id, '--reason', 'misprint'];
    await expect(run(...withdrawal)).rejects.toThrow(UsageError);
    await expect(run('changes', 'withdraw', id.slice(0, -3), '--reason', 'misprint', '--yes')).rejects.toThrow(
      `Did you mean ${id}?`,
    );
    await run(...withdrawal, '--yes');
    expect(out).toEqual([`${id} withdrawn in data version 3`]);
    await run(...withdrawal, '--yes');
    expect(out).toEqual([`${id} was withdrawn before, nothing changed`]);
    await run('sources', 'withhold', 'worldbank-wdi', '--yes');
    expect(out).toEqual(['worldbank-wdi withheld in data version 4: 1 series, 2 changes deleted']);
    await run('sources', 'list');
    expect(out[0]).toMatch(/^ID +SERIES +RETRIEVED +LICENCE +STATE +NAME$/);
    expect(out.find((line) => line.startsWith('worldbank-wdi '))).toMatch(
      / 1 {2}2026-02-10 {2}\S.* withheld {2}World Development Indicators/,
    );
    await run('versions', 'list');
    expect(out[1]).toMatch(/^ +4 {2}now +source_withheld {2}Source worldbank-wdi withheld {2}/);
    await run('versions', 'list', '--json');
    const { versions } = JSON.parse(out.join('\n')) as { readonly versions: readonly { kind: string }[] };
    expect(versions.map(({ kind }) => kind)).toEqual(['source_withheld', 'withdrawal', 'import', 'import']);
  });

  it('name the unknown thing in an error', async () => {
    await expect(run('changes', 'withdraw', 'chg_none', '--reason', 'x', '--yes')).rejects.toThrow(
      "no change 'chg_none'",
    );
    await expect(run('sources', 'withhold', 'worldbnk-wdi', '--yes')).rejects.toThrow(
      "no source 'worldbnk-wdi'. Did you mean worldbank-wdi?",
    );
  });
});
