// runs: in full only
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { exportStarter } from '../../src/publish/starter/export-starter.js';
import { awaitsStarter, loadStarter } from '../../src/publish/starter/load-starter.js';
import { deliveryOf, OWN } from './deliveries.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const NOW = new Date('2026-08-01T10:00:00Z');
const now = () => NOW;

const CHANGES = `
  SELECT id, position, kind, headline, importance, occurred_at, period, actual_value, previous_value,
         previous_missing, delta FROM changes ORDER BY position`;
const RANGES = `
  SELECT s.indicator, s.region, o.period, o.valid_from, o.valid_to, o.value FROM observations o
  JOIN series s ON s.id = o.series_id ORDER BY 1, 2, 3, 4`;

describe('The starter set', () => {
  let folder: string;
  let source: ScratchDatabase;
  let target: ScratchDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-starter-'));
    source = await openScratchDatabase();
    target = await openScratchDatabase();
    const deliveries = [
      deliveryOf('2026-01-10', { figures: { 'gdp-growth JP': { 2023: '1.5', 2024: '0.10' } } }),
      deliveryOf('2026-02-10', {
        figures: { 'gdp-growth JP': { 2024: '0.2', 2025: '1' }, 'population AD': { 2024: '80000' } },
        speaks: { 'gdp-growth JP': ['2023', '2025'], 'population AD': ['2024', '2024'] },
      }),
    ];
    await importFiles(source.publisher, OWN, deliveries, { accept: 'a test', now });
    await exportStarter(source.publisher, folder);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
    await rm(folder, { recursive: true });
  });

  it('replays the board with its vintages, changes and recorded times', async () => {
    const reports = await loadStarter(target.publisher, folder, now);
    expect(reports.map(({ publishedAt }) => publishedAt)).toEqual([
      '2026-01-10T12:00:00.000Z',
      '2026-02-10T12:00:00.000Z',
    ]);
    expect(await target.sql(CHANGES)).toEqual(await source.sql(CHANGES));
    const ranges = await source.sql<{ region: string }>(RANGES);
    const board = ranges.filter(({ region }) => region === 'JP');
    expect(board).toHaveLength(4);
    expect(await target.sql(RANGES)).toEqual(board);
  });

  it('changes nothing on a second load', async () => {
    const reports = await loadStarter(target.publisher, folder, now);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
  });

  it('is reproduced by an export from its own data', async () => {
    const again = await mkdtemp(join(tmpdir(), 'tidemark-starter-'));
    const { files } = await exportStarter(target.publisher, again);
    for (const { name } of files) {
      expect(await readFile(join(again, name))).toEqual(await readFile(join(folder, name)));
    }
    await rm(again, { recursive: true });
  });

  it('skips data versions in the future of a slow clock', async () => {
    const early = () => new Date('2026-01-15T00:00:00Z');
    const reports = await loadStarter(target.publisher, folder, early);
    expect(reports.map(({ vintage }) => vintage)).toEqual(['2026-01-10']);
  });

  it('is pending until its newest data version is stored, also after an interrupted load', async () => {
    const scratch = await openScratchDatabase();
    try {
      const awaited = () => awaitsStarter(scratch.publisher, folder, now);
      expect(await awaited()).toBe(true);
      await loadStarter(scratch.publisher, folder, () => new Date('2026-01-15T00:00:00Z'));
      expect(await awaited()).toBe(true);
      const reports = await loadStarter(scratch.publisher, folder, now);
      expect(reports.map(({ outcome }) => outcome)).toEqual(['unchanged', 'published']);
      expect(await awaited()).toBe(false);
      expect(await scratch.sql(CHANGES)).toEqual(await source.sql(CHANGES));
    } finally {
      await scratch.close();
    }
  });

  it('is not pending after any other publication', async () => {
    const scratch = await openScratchDatabase();
    try {
      const own = deliveryOf('2026-01-05', { figures: { 'gdp-growth JP': { 2024: '0.1' } } });
      await importFiles(scratch.publisher, OWN, [own], { accept: 'a test', now });
      expect(await awaitsStarter(scratch.publisher, folder, now)).toBe(false);
    } finally {
      await scratch.close();
    }
  });

  it('is refused with file and line if it violates the format', async () => {
    await expect(loadStarter(target.publisher, tmpdir(), now)).rejects.toThrow('contains no starter set');
  });
});
