// runs: in full only
import { join } from 'node:path';
import { importFiles } from '../../src/publish/import/import-files.js';
import { worldbank } from '../../src/publish/publishers/worldbank/worldbank.importer.js';
import { usePublishing } from './publishing.js';

// A publisher whose list states that one of its indicators comes from a withheld source.

const FOLDER = join(__dirname, '../fixtures/noted');
const now = () => new Date('2026-08-01T10:00:00Z');
const publishing = usePublishing();

const importFrom = async (...paths: string[]) =>
  importFiles(
    publishing.publisher(),
    worldbank,
    await worldbank.open(
      paths.map((path) => join(FOLDER, path)),
      null,
    ),
    { accept: 'a test', now },
  );

const withheld = () =>
  publishing.sql<{ series: string; origins: string[] }>(
    `SELECT concat_ws(' ', indicator, region) AS series, origins FROM series WHERE withheld ORDER BY 1`,
  );

const changed = () =>
  publishing.sql<{ indicator: string }>(
    `SELECT DISTINCT s.indicator FROM changes c JOIN series s ON s.id = c.series_id ORDER BY 1`,
  );

beforeEach(() => publishing.sql('TRUNCATE declared_sources'));

describe('A source named in a publisher’s own note', () => {
  it('withholds the series of its indicator from the import with the note on', async () => {
    await importFrom('2026-06-01', '2026-07-01');
    expect((await withheld()).map(({ series }) => series)).toEqual([
      'private-credit-to-gdp DE',
      'private-credit-to-gdp JP',
    ]);
    expect(await changed()).toEqual([{ indicator: 'cpi-inflation' }]);
    const held = await publishing.sql(
      `SELECT count(*) AS figures FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.indicator = 'private-credit-to-gdp'`,
    );
    expect(held).toEqual([{ figures: 5 }]);
  });

  it('deletes earlier derived content, even in an import without figures', async () => {
    await importFrom('2026-06-01');
    await importFrom('2026-07-01/FP.CPI.TOTL.ZG.csv', '2026-07-01/FS.AST.PRVT.GD.ZS.csv');
    expect(await changed()).toEqual([{ indicator: 'cpi-inflation' }, { indicator: 'private-credit-to-gdp' }]);
    const [report] = await importFrom('2026-07-01/WDISeries.csv');
    expect(report).toMatchObject({ outcome: 'published', counts: { rows: 0 } });
    expect(await changed()).toEqual([{ indicator: 'cpi-inflation' }]);
    expect(await importFrom('2026-07-01/WDISeries.csv')).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('withholds a series that is created later', async () => {
    await importFrom('2026-07-01/WDISeries.csv');
    await importFrom('2026-07-01/FS.AST.PRVT.GD.ZS.csv');
    expect(await withheld()).toEqual([
      { series: 'private-credit-to-gdp DE', origins: expect.arrayContaining(['bis']) as string[] },
      { series: 'private-credit-to-gdp JP', origins: expect.arrayContaining(['bis']) as string[] },
    ]);
  });
});
