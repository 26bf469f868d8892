// modules: loaded anew
import './own-catalogue.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currencyAmount, currencyName } from '../../src/domain/figures/currencies.js';
import { HeldError, type CommandContext } from '../../src/commands/context/command-context.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';
import { runProgram } from '../support/program.js';

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];

/** Sales of Germany, in thousands of euros. */
const sales = (figures: readonly number[], source = ''): string =>
  `Month,Country,Measure,Amount,Source\n${figures
    .map((amount, at) => `${MONTHS[at] ?? ''},DE,SALES,${amount},${source}\n`)
    .join('')}`;
const RIGHT = [8400, 8510, 8450, 8600, 8580, 8700];

it('An operator’s own catalogue names currencies in texts', () => {
  expect([currencyAmount('JPY').zh, currencyName('JPY').en]).toEqual(['日圆', 'yen']);
});

describe('A delivery of a mapped file', () => {
  let scratch: ScratchDatabase;
  let folder: string;
  let out: string[];
  beforeAll(async () => {
    scratch = await openScratchDatabase();
  });
  afterAll(() => scratch.close());
  beforeEach(async () => {
    await scratch.sql('TRUNCATE series, publications, held_deliveries, declared_sources CASCADE');
    folder = await mkdtemp(join(tmpdir(), 'tidemark-mapped-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (...argv: string[]): Promise<void> => {
    out = [];
    const context: CommandContext = {
      connect: () => scratch.connect(),
      now: () => new Date('2026-08-10T10:00:00Z'),
      out: (line) => void out.push(line),
      err: () => undefined,
      json: false,
      tty: false,
      dataDir: folder,
    };
    await runProgram(context, argv);
  };
  const importSales = async (vintage: string, text: string): Promise<void> => {
    const path = join(folder, 'monthly.csv');
    await writeFile(path, text);
    await run('import', 'nordwind', path, '--vintage', vintage);
  };
  const held = async (): Promise<string> => {
    const [row] = await scratch.sql<{ id: number }>(`SELECT id FROM held_deliveries WHERE state = 'held'`);
    return String(row?.id);
  };
  const stored = async () => {
    const rows = await scratch.sql<{ value: string }>(
      'SELECT value::text FROM observations WHERE valid_to IS NULL ORDER BY period COLLATE "C"',
    );
    return rows.map(({ value }) => Number(value));
  };
  const EUROS = RIGHT.map((amount) => amount * 1_000);

  it('is held if its figures are in another scale, and published when it is accepted', async () => {
    await importSales('2026-07-06', sales(RIGHT));
    await expect(importSales('2026-08-05', sales(EUROS))).rejects.toThrow(HeldError);
    expect(out.join('\n')).toMatch(/scale: nordwind-sales: 6 figures 1000 times/);
    expect(await stored()).toEqual(RIGHT);
    await run('deliveries', 'accept', await held(), '--reason', 'now in euros');
    expect(await stored()).toEqual(EUROS);
  });

  it('is forgotten when it is dropped, and the right one of its day is imported', async () => {
    await importSales('2026-07-06', sales(RIGHT));
    await expect(importSales('2026-08-05', sales(EUROS))).rejects.toThrow(HeldError);
    await run('deliveries', 'drop', await held(), '--reason', 'in euros', '--yes');
    expect(await scratch.sql('SELECT FROM held_delivery_parts')).toEqual([]);
    const right = [...RIGHT.slice(0, 5), 8710];
    await importSales('2026-08-05', sales(right));
    expect(await stored()).toEqual(right);
  });

  it('withholds its series if a note names a withheld source', async () => {
    await importSales('2026-07-06', sales(RIGHT));
    await importSales('2026-08-05', sales([...RIGHT.slice(0, 5), 8710], 'Bank for International Settlements'));
    expect(await scratch.sql('SELECT indicator, region, withheld, origins FROM series')).toEqual([
      { indicator: 'nordwind-sales', region: 'DE', withheld: true, origins: ['bis'] },
    ]);
    expect(await scratch.sql('SELECT FROM changes')).toEqual([]);
  });
});
