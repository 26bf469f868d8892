import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { UsageError, type CommandContext } from '../../src/process/command-context.js';
import { importCommand } from '../../src/publishing/import/import.command.js';
import { changesCommand } from '../../src/publishing/versions/changes.command.js';
import { versionsCommand } from '../../src/publishing/versions/versions.command.js';
import { sourcesCommand } from '../../src/publishing/versions/sources.command.js';
import { oneRow, openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const HEADER = 'Country Name,Country Code,Indicator Name,Indicator Code,2023,2024,2025\n';
const growth = (figures: string) => `${HEADER}Japan,JPN,GDP growth (annual %),NY.GDP.MKTP.KD.ZG,${figures}\n`;

describe('The operator’s commands', () => {
  let scratch: ScratchDatabase;
  let folder: string;
  let out: string[];
  let err: string[];
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

  const run = async (...argv: string[]): Promise<void> => {
    out = [];
    err = [];
    const context: CommandContext = {
      connect: () => scratch.connect(),
      now: () => new Date('2026-08-01T10:00:00Z'),
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      json: argv.includes('--json'),
      tty: false,
      dataDir: folder,
    };
    const quiet = { writeErr: () => undefined };
    const program = new Command('tidemark').exitOverride().configureOutput(quiet);
    for (const make of [importCommand, versionsCommand, changesCommand, sourcesCommand]) {
      program.addCommand(make(context).exitOverride().configureOutput(quiet));
    }
    await program.parseAsync(argv, { from: 'user' });
  };

  it('print the phases and the result of an import', async () => {
    await run('import', 'worldbank', join(folder, 'first.csv'), '--vintage', '2026-01-10');
    expect(err).toEqual([
      '2026-01-10: reading',
      '2026-01-10: comparing with what is held',
      '2026-01-10: storing',
      '2026-01-10: deriving changes',
      '2026-01-10: publishing',
    ]);
    expect(out[0]).toMatch(/^2026-01-10: data version 1 \(import\): 2 figures of 1 series in \d+\.\d s$/);
    await run('import', 'worldbank', join(folder, 'first.csv'), '--vintage', '2026-01-10');
    expect(out).toEqual(['2026-01-10: 2 figures of 1 series are already stored, nothing changed']);
  });

  it('print one document for import --json', async () => {
    await run('import', 'worldbank', join(folder, 'second.csv'), '--vintage', '2026-02-10', '--json');
    const { reports } = JSON.parse(out.join('\n')) as { readonly reports: readonly unknown[] };
    expect(reports).toMatchObject([{ dataVersion: 2, counts: { releases: 1, revisions: 1 } }]);
    expect(err).toEqual([]);
  });

  it('list the bad rows of an import, and fail', async () => {
    await expect(
      run('import', 'worldbank', join(folder, 'bad.csv'), '--vintage', '2026-03-10'),
    ).rejects.toThrow('1 bad row, nothing was published');
    expect(err.at(-1)).toMatch(/bad\.csv:2, .*n\/a/);
  });

  it('refuse an import with neither paths nor --live', async () => {
    await expect(run('import', 'worldbank')).rejects.toThrow(UsageError);
    await expect(run('import', 'nobody', 'x')).rejects.toMatchObject({ code: 'commander.invalidArgument' });
  });

  it('publish a withdrawal and a withholding, and list both as versions', async () => {
    const { id } = await oneRow(scratch.sql<{ id: string }>("SELECT id FROM changes WHERE kind = 'release'"));
    await run('changes', 'withdraw', id, '--reason', 'misprint');
    expect(out).toEqual([`${id} withdrawn in data version 3`]);
    await run('sources', 'withhold', 'worldbank-wdi');
    expect(out).toEqual(['worldbank-wdi withheld in data version 4: 1 series, 2 changes deleted']);
    await run('versions', '--json');
    const { versions } = JSON.parse(out.join('\n')) as { readonly versions: readonly { kind: string }[] };
    expect(versions.map(({ kind }) => kind)).toEqual(['source_withheld', 'withdrawal', 'import', 'import']);
  });

  it('name the unknown thing in an error', async () => {
    await expect(run('changes', 'withdraw', 'chg_none', '--reason', 'x')).rejects.toThrow(
      "no change 'chg_none'",
    );
    await expect(run('sources', 'withhold', 'none')).rejects.toThrow("no source 'none'");
  });
});
