import { importFiles } from '../../src/publish/import/import-files.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { deliveryOf, OWN } from './deliveries.js';
import { oneRow, openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const NOW = new Date('2026-08-01T10:00:00Z');
const now = () => NOW;

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await openScratchDatabase();
});
afterAll(() => scratch.close());

/** Three series: one freely served, one with another origin, and one whose publisher will be withheld. */
beforeEach(async () => {
  await scratch.sql("TRUNCATE series, publications CASCADE; UPDATE sources SET withheld = (id = 'bis')");
  await publish('2026-01-10', '1');
  await publish('2026-02-10', '2');
});

const publish = (day: string, value: string) =>
  importFiles(
    scratch.publisher,
    OWN,
    [
      deliveryOf(day, {
        figures: {
          'current-account-balance JP': { 2024: value },
          'unemployment-rate JP': { 2024: value },
          'population JP': { 2024: value },
        },
      }),
    ],
    { accept: 'a test', now },
  );

const QUESTION = (table: string): string =>
  `SELECT DISTINCT s.indicator FROM ${table} t JOIN series s ON s.id = t.series_id ORDER BY 1`;

interface Named {
  readonly indicator: string;
}

const indicatorsOf = async (table: string): Promise<string[]> =>
  (await scratch.sql<Named>(QUESTION(table))).map(({ indicator }) => indicator);

const indicatorsServedOf = async (table: string): Promise<string[]> =>
  (await scratch.reader.query<Named[]>(QUESTION(table))).map(({ indicator }) => indicator);

const ALL = ['current-account-balance', 'population', 'unemployment-rate'];

const originOf = async (indicator: string): Promise<string> => {
  const series = scratch.sql<{ origin: string }>('SELECT origins[1] AS origin FROM series WHERE indicator = $1', [
    indicator,
  ]);
  return (await oneRow(series)).origin;
};

describe('A withheld source', () => {
  it('takes its derived changes with it, also as the origin of a series', async () => {
    expect(await indicatorsOf('changes')).toEqual(ALL);
    const origin = await originOf('unemployment-rate');
    const withheld = await withholdSource(scratch.publisher, origin, () => NOW);
    expect(withheld).toMatchObject({ series: 1, changesDeleted: 1, publication: { dataVersion: 3 } });
    expect(await indicatorsOf('changes')).toEqual(['current-account-balance', 'population']);
    const [publication] = await scratch.sql('SELECT kind FROM publications WHERE data_version = 3');
    expect(publication).toEqual({ kind: 'source_withheld' });
  });

  it('hides its figures from the API role and keeps them for the operator', async () => {
    await withholdSource(scratch.publisher, await originOf('unemployment-rate'), () => NOW);
    expect(await indicatorsOf('observations')).toEqual(ALL);
    expect(await indicatorsServedOf('observations')).not.toContain('unemployment-rate');
    expect(await indicatorsServedOf('series_vintages')).not.toContain('unemployment-rate');
    const sources = await scratch.reader.query<unknown[]>("SELECT id FROM sources WHERE withheld OR id = 'bis'");
    expect(sources).toEqual([]);
  });

  it('derives nothing from its later figures, and counts nowhere', async () => {
    await withholdSource(scratch.publisher, await originOf('unemployment-rate'), () => NOW);
    await publish('2026-03-10', '3');
    expect(await indicatorsOf('changes')).toEqual(['current-account-balance', 'population']);
    const [counted] = await scratch.sql(
      "SELECT changes_total AS total FROM coverage_domains WHERE key = (SELECT coverage FROM indicator_coverage WHERE indicator = 'unemployment-rate' LIMIT 1)",
    );
    const [linked] = await scratch.sql(
      "SELECT count(*) AS total FROM change_coverage WHERE coverage = (SELECT coverage FROM indicator_coverage WHERE indicator = 'unemployment-rate' LIMIT 1)",
    );
    expect(counted).toEqual(linked);
  });

  it('is withheld by the catalogue even if no figure changes', async () => {
    await scratch.sql(`UPDATE sources SET withheld = false WHERE id = 'bis'`);
    await scratch.sql(`UPDATE series SET source_id = 'bis' WHERE indicator = 'population'`);
    await publish('2026-02-10', '2');
    const [publication] = await scratch.sql('SELECT kind, counts FROM publications ORDER BY data_version DESC LIMIT 1');
    expect(publication).toEqual({ kind: 'source_withheld', counts: { series: 1, changesDeleted: 1 } });
    expect(await indicatorsOf('changes')).toEqual(['current-account-balance', 'unemployment-rate']);
  });

  it('makes no publication when it is withheld again', async () => {
    expect(await withholdSource(scratch.publisher, 'bis', () => NOW)).toMatchObject({ publication: null });
  });

  it('has no derived changes from the first import on, as the publisher of a series', async () => {
    await scratch.sql(`UPDATE series SET origins = '{bis}' WHERE indicator = 'population'`);
    const [row] = await scratch.sql(`SELECT withheld FROM series WHERE indicator = 'population'`);
    expect(row).toEqual({ withheld: true });
    await scratch.sql(`UPDATE series SET source_id = 'bis', origins = '{}' WHERE indicator = 'population'`);
    await publish('2026-03-10', '3');
    const changes = await scratch.sql(
      `SELECT c.id FROM changes c JOIN series s ON s.id = c.series_id
       WHERE s.indicator = 'population' AND c.vintage_day = '2026-03-10'`,
    );
    expect(changes).toEqual([]);
  });
});

describe('The database roles', () => {
  it.each([
    "INSERT INTO publications VALUES (9, now(), 'import', 'x')",
    'UPDATE observations SET value = 1',
    'DELETE FROM changes',
    "UPDATE sources SET withheld = false WHERE id = 'bis'",
    'SELECT * FROM derivable_series',
    'SELECT analyze_content()',
  ])('keep the API from: %s', async (statement) => {
    await expect(scratch.reader.query(statement)).rejects.toThrow(/permission denied/);
  });

  it.each(['accounts', 'api_keys', 'daily_usage', 'usage_writers', 'access_version', 'changed_accounts'])(
    'keep an import from reading %s',
    async (table) => {
      await expect(scratch.publisher.query(`SELECT * FROM ${table}`)).rejects.toThrow(/permission denied/);
    },
  );
});
