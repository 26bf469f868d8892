import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeldError, type CommandContext } from '../../src/commands/context/command-context.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { runProgram } from '../support/program.js';

const HEADER = 'Country Name,Country Code,Indicator Name,Indicator Code,2021,2022,2023,2024\n';
const row = (name: string, code: string, figures: string) => `${name},${code},Population,SP.POP.TOTL,${figures}\n`;
const RIGHT = `${HEADER}${row('Japan', 'JPN', '125682000,125125000,124517000,123975000')}`;
const OTHER = row('Germany', 'DEU', '83196000,83798000,83280000,83511000');
const THIRD = row('France', 'FRA', '67764000,67989000,68287000,68516000');
const THOUSANDS = `${HEADER}${row('Japan', 'JPN', '125682,125125,124517,123975')}`;
const ALL_THOUSANDS =
  THOUSANDS + row('Germany', 'DEU', '83196,83798,83280,83511') + row('France', 'FRA', '67764,67989,68287,68516');

describe('tidemark deliveries', () => {
  let scratch: ScratchDatabase;
  let folder: string;
  let out: string[];
  beforeAll(async () => {
    scratch = await openScratchDatabase();
    folder = await mkdtemp(join(tmpdir(), 'tidemark-held-'));
    await writeFile(join(folder, 'right.csv'), RIGHT + OTHER + THIRD);
    await writeFile(join(folder, 'thousands.csv'), ALL_THOUSANDS);
    await writeFile(join(folder, 'lone.csv'), THOUSANDS);
    await writeFile(join(folder, 'mixed.csv'), THOUSANDS + OTHER.replace('83511000', '83600000'));
  });
  afterAll(async () => {
    await scratch.close();
    await rm(folder, { recursive: true });
  });

  const run = async (...argv: string[]): Promise<void> => {
    out = [];
    const context: CommandContext = {
      connect: () => scratch.connect(),
      now: () => new Date('2026-08-01T10:00:00Z'),
      out: (line) => void out.push(line),
      err: () => undefined,
      json: argv.includes('--json'),
      tty: false,
      dataDir: folder,
    };
    await runProgram(context, argv);
  };
  const importing = (file: string, vintage: string, ...options: string[]) =>
    run('import', 'worldbank', join(folder, file), '--vintage', vintage, ...options);
  const open = async (): Promise<number[]> => {
    await run('deliveries', 'list', '--json');
    const { deliveries } = JSON.parse(out.join('\n')) as { deliveries: { id: number }[] };
    return deliveries.map(({ id }) => id);
  };
  const current = () =>
    scratch.sql<{ region: string; value: string }>(
      `SELECT s.region, o.value FROM observations o JOIN series s ON s.id = o.series_id
       WHERE o.valid_to IS NULL AND o.period = '2024' ORDER BY 1`,
    );

  it('shows what an import held, once, with the command to go on with', async () => {
    await importing('right.csv', '2026-01-10');
    await expect(importing('thousands.csv', '2026-02-10')).rejects.toThrow(HeldError);
    expect(out[0]).toBe('2026-02-10: held, nothing was published: 12 figures of 3 series');
    expect(out.join('\n')).toMatch(
      /scale: population: 12 figures 0\.001 times [^]*population JP 2024: 123975000 -> 123975, in/,
    );
    expect(out.at(-2)).toContain('tidemark deliveries show 1');
    await expect(importing('thousands.csv', '2026-02-10', '--json')).rejects.toThrow(HeldError);
    expect(JSON.parse(out.join('\n'))).toMatchObject({ reports: [{ outcome: 'held', heldDelivery: 1 }] });
    expect(await open()).toEqual([1]);
    await run('deliveries', 'show', '1');
    expect(out[1]).toMatch(/^ +1 {2}now {3}worldbank {2}2026-02-10 {2}all {4}held {3}\w+, scale/);
  });

  it('leaves the later deliveries of an import alone', async () => {
    const days = join(folder, 'days');
    for (const [day, text] of [
      ['2026-02-10', ALL_THOUSANDS],
      ['2026-03-10', RIGHT],
    ] as const) {
      await mkdir(join(days, day), { recursive: true });
      await writeFile(join(days, day, 'population.csv'), text);
    }
    await expect(run('import', 'worldbank', days)).rejects.toThrow('those after it were not imported');
    expect(await scratch.sql('SELECT FROM publications')).toHaveLength(1);
    expect(await open()).toEqual([3, 1]);
  });

  it('publishes an accepted delivery only together with the record of the decision', async () => {
    await scratch.sql(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no record'; END $$;
      CREATE TRIGGER refused BEFORE UPDATE ON held_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(run('deliveries', 'accept', '1')).rejects.toThrow('no record');
    await scratch.sql('DROP TRIGGER refused ON held_deliveries; DROP FUNCTION refuse()');
    expect(await scratch.sql('SELECT FROM publications')).toHaveLength(1);
    expect(await open()).toContain(1);
  });

  it('accepts a delivery without some of its series, also when its file is gone', async () => {
    await rm(join(folder, 'thousands.csv'));
    await run('deliveries', 'accept', '1', '--without', 'population JP', '--reason', 'two are right');
    expect(out[0]).toMatch(/^2026-02-10: data version 2 \(import\): /);
    expect((await current()).map(({ value }) => value)).toEqual(['83511', '68516', '123975000']);
    const [held] = await scratch.sql(
      'SELECT state, reason, data_version, decided_by <> $1 AS named FROM held_deliveries WHERE id = 1',
      [''],
    );
    expect(held).toEqual({ state: 'accepted', reason: 'two are right', data_version: 2, named: true });
    await expect(run('deliveries', 'accept', '1')).rejects.toThrow('The delivery 1 was accepted before');
  });

  it('checks the order of an accepted delivery again', async () => {
    await importing('right.csv', '2026-04-10', '--accept');
    await expect(run('deliveries', 'accept', '3')).rejects.toThrow('is older than a stored one (2026-04-10)');
    expect(await open()).toEqual([3]);
  });

  it('forgets what is dropped', async () => {
    await expect(run('deliveries', 'drop', '3')).rejects.toThrow('confirm it with --yes');
    await run('deliveries', 'drop', '3', '--reason', 'a wrong file', '--yes');
    expect(await open()).toEqual([]);
    expect(await scratch.sql('SELECT FROM held_delivery_parts')).toEqual([]);
    await run('deliveries', 'list', '--all');
    expect(out).toHaveLength(3);
    await expect(run('deliveries', 'show', '9')).rejects.toThrow('There is no held delivery 9');
  });

  it('lets the only series of a delivery wait, which the next delivery ends', async () => {
    await expect(importing('lone.csv', '2026-05-08')).rejects.toThrow(HeldError);
    expect(out.slice(0, 2)).toEqual([
      '2026-05-08: held, no figure was published',
      '  1 series wait, of 1, because their figures are implausible:',
    ]);
    await run('deliveries', 'list');
    expect(out[1]).toMatch(/ 2026-05-08 {2}1 series {2}held /);
    await importing('right.csv', '2026-05-09');
    expect(out[0]).toMatch(/^2026-05-09: data version \d+ \(import\)/);
    expect(await open()).toEqual([]);
  });

  it('publishes the other series of a delivery, and shows those that wait before and after', async () => {
    await importing('mixed.csv', '2026-05-10');
    expect(out.join('\n')).toMatch(
      / 1 series wait, of 2, because their figures are implausible:\n.*: population: 4 figures/,
    );
    expect((await current()).map(({ value }) => value)).toEqual(['83600000', '68516000', '123975000']);
    const [id = 0] = await open();
    await run('deliveries', 'list');
    expect(out[1]).toMatch(/ 2026-05-10 {2}1 series {2}held /);
    await run('deliveries', 'show', String(id));
    expect(out[2]).toBe('    population JP  ████ -> ▁▁▁▁  since 2026-05-10: jump, restated_by_half, scale');
  });

  it('accepts and drops series by name', async () => {
    const [id = 0] = await open();
    await expect(run('deliveries', 'drop', String(id), '--series', 'population DE', '--yes')).rejects.toThrow(
      "no waiting series 'population DE'",
    );
    await run('deliveries', 'accept', String(id), '--series', 'population JP', '--reason', 'a new unit');
    expect((await current()).map(({ value }) => value)).toEqual(['83600000', '68516000', '123975']);
    expect(await open()).toEqual([]);
    await run('deliveries', 'exceptions', '--json');
    const { exceptions } = JSON.parse(out.join('\n')) as { exceptions: { series: string; check: string }[] };
    expect(exceptions).toContainEqual(
      expect.objectContaining({ series: 'population JP', check: 'scale', period: '2024', value: '123975' }),
    );
  });
});
