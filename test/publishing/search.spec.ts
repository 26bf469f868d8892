// runs: in full only
import type { DataSource } from 'typeorm';
import aliases from '../../data/catalogue/aliases.json' with { type: 'json' };
import indicators from '../../data/catalogue/indicators.json' with { type: 'json' };
import instruments from '../../data/catalogue/instruments.json' with { type: 'json' };
import regions from '../../data/catalogue/regions.json' with { type: 'json' };
import { importFiles } from '../../src/publish/import/import-files.js';
import { withdrawChange } from '../../src/publish/versions/withdraw-change.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { deliveryOf, OWN, type Figures } from './deliveries.js';
import { groupOf, leiOf } from './registers.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const NOW = new Date('2026-08-01T10:00:00Z');

let scratch: ScratchDatabase;
let publisher: DataSource;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  publisher = scratch.publisher;
});
afterAll(() => scratch.close());
beforeEach(() =>
  scratch.sql(`TRUNCATE series, publications, entities CASCADE; UPDATE sources SET withheld = (id = 'bis');
    UPDATE search_horizon SET data_version = 0`),
);

const publish = (vintage: string, figures: Figures) =>
  importFiles(publisher, OWN, [deliveryOf(vintage, { figures })], { accept: 'a test', now: () => NOW });
const WORLD: Figures = { 'unemployment-rate JP': { 2024: '1' }, 'population DE': { 2024: '1' } };
/** What the API sees. */
const documents = async (where = 'until IS NULL'): Promise<string[]> =>
  (
    await scratch.reader.query<{ name: string }[]>(
      `SELECT type || ':' || key AS name FROM search_documents WHERE ${where} ORDER BY 1`,
    )
  ).map(({ name }) => name);
const found = (word: string) => documents(`until IS NULL AND words @@ ('''' || partition || ':${word}''')::tsquery`);
const count = async (table: string): Promise<number> =>
  (await scratch.sql<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))[0]?.count ?? -1;

/** On the day of a register; again to replace it. */
const nameEntity = (name: string) =>
  importFiles(publisher, OWN, [groupOf('2026-01-05', { entities: { one: { name, status: 'inactive' } } })], {
    accept: 'a test',
    replace: true,
    now: () => NOW,
  });
const entity = async (): Promise<string> => {
  const [row] = await scratch.sql<{ id: string }>('SELECT id FROM entities WHERE lei = $1', [leiOf('one')]);
  return `entity:${row?.id ?? ''}`;
};

describe('The search index', () => {
  it('contains the subjects that have a figure, and nothing else of the catalogue', async () => {
    await publish('2026-01-10', WORLD);
    expect(await documents()).toEqual([
      'country:DE',
      'country:JP',
      'indicator:population',
      'indicator:unemployment-rate',
    ]);
    expect(await found('失业')).toEqual(['indicator:unemployment-rate']);
    expect(await found('germany')).toEqual(['country:DE']);
  });

  it('keeps a document that has not changed', async () => {
    await publish('2026-01-10', WORLD);
    const ids = () => scratch.sql('SELECT id, since, until FROM search_documents ORDER BY id');
    const before = await ids();
    await publish('2026-02-10', { 'unemployment-rate JP': { 2024: '2' } });
    expect(await ids()).toEqual(before);
  });

  it('finds a subject by its new name, and by its old one only in a walk that began with it', async () => {
    await nameEntity('Oldname Holding');
    await publish('2026-01-10', WORLD);
    expect(await found('oldname')).toEqual([await entity()]);
    await nameEntity('Newname Holding');
    await publish('2026-02-10', { 'population DE': { 2024: '2' } });
    expect(await found('oldname')).toEqual([]);
    expect(await found('newname')).toEqual([await entity()]);
    expect(await documents('until = 3')).toEqual([await entity()]);
    await scratch.sql(`UPDATE search_documents SET closed_at = closed_at - interval '11 minutes' WHERE until = 3`);
    await publish('2026-03-10', { 'population DE': { 2024: '3' } });
    expect(await documents('until IS NOT NULL')).toEqual([]);
    expect(await scratch.sql('SELECT data_version FROM search_horizon')).toEqual([{ data_version: 3 }]);
    expect(await scratch.sql(`SELECT word FROM search_words WHERE word IN ('oldname', 'newname', 'holding')`)).toEqual(
      expect.arrayContaining([{ word: 'newname' }, { word: 'holding' }]),
    );
    expect(await scratch.sql(`SELECT word FROM search_words WHERE word = 'oldname'`)).toEqual([]);
  });

  it('is independent of the order of imports', async () => {
    const state = () =>
      scratch.sql(
        `SELECT type, key, rank, regexp_replace(words::text, '\\d+:', '', 'g') AS words, names, sources FROM search_documents d
         JOIN search_texts t ON t.document = d.id WHERE until IS NULL ORDER BY 1, 2`,
      );
    const [one, other] = [{ 'population DE': { 2024: '1' } }, { 'unemployment-rate JP': { 2024: '1' } }];
    await publish('2026-01-10', one);
    await publish('2026-01-10', other);
    const before = await state();
    await scratch.sql('TRUNCATE series, publications, entities CASCADE');
    await publish('2026-01-10', other);
    await publish('2026-01-10', one);
    expect(await state()).toEqual(before);
  });
});

describe('A withheld source', () => {
  it('has nothing in the index from the first import on', async () => {
    await scratch.sql(`UPDATE sources SET withheld = true WHERE id IN ('worldbank-wdi', 'gleif')`);
    await nameEntity('Secretname Holding');
    await publish('2026-01-10', WORLD);
    expect([await count('search_documents'), await count('search_words'), await count('change_words')]).toEqual([
      0, 0, 0,
    ]);
  });

  it('takes its documents, their older versions, names and words with it', async () => {
    await nameEntity('Secretname Holding');
    await publish('2026-01-10', WORLD);
    await nameEntity('Otherwise Holding');
    await publish('2026-02-10', { 'unemployment-rate JP': { 2024: '2' }, 'population DE': { 2024: '2' } });
    expect(await count('change_words')).toBeGreaterThan(0);
    expect(await documents('until IS NOT NULL')).toEqual([await entity()]);
    await withholdSource(publisher, 'worldbank-wdi', () => NOW);
    await withholdSource(publisher, 'gleif', () => NOW);
    for (const table of ['search_documents', 'search_texts', 'search_names', 'search_words', 'change_words']) {
      expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 });
    }
  });

  it('takes only the series that it originates', async () => {
    await publish('2026-01-10', WORLD);
    const [{ origin } = { origin: '' }] = await scratch.sql<{ origin: string }>(
      `SELECT origins[1] AS origin FROM series WHERE indicator = 'unemployment-rate'`,
    );
    await withholdSource(publisher, origin, () => NOW);
    expect(await documents()).toEqual(['country:DE', 'indicator:population']);
    expect(await scratch.sql(`SELECT word FROM search_words WHERE word = 'unemployment'`)).toEqual([]);
  });
});

describe('The words of a change', () => {
  const change = async () =>
    (
      await scratch.sql<{ id: string; words: string }>(
        'SELECT c.id, w.words::text FROM changes c LEFT JOIN change_words w USING (position)',
      )
    )[0];

  it('follow its correction, stay after its withdrawal and disappear after its deletion', async () => {
    await publish('2026-01-10', { 'population DE': { 2024: '1000000' } });
    await publish('2026-02-10', { 'population DE': { 2024: '2000000' } });
    const made = await change();
    expect(made?.words).toContain("'0:r=DE'");
    await importFiles(
      publisher,
      OWN,
      [deliveryOf('2026-02-10', { figures: { 'population DE': { 2024: '7000000' } } })],
      { accept: 'a test', now: () => NOW, replace: true },
    );
    expect((await change())?.words).not.toBe(made?.words);
    await withdrawChange(publisher, made?.id ?? '', 'wrong', () => NOW);
    expect((await change())?.words).toContain("'0:r=DE'");
    await withholdSource(publisher, 'worldbank-wdi', () => NOW);
    expect(await count('change_words')).toBe(0);
  });
});

describe('Aliases', () => {
  it('belong to entries of the catalogue', () => {
    const known = {
      country: regions.map(({ code }) => code),
      indicator: indicators.map(({ slug }) => slug),
      instrument: instruments.map(({ key }) => key),
    };
    for (const type of ['country', 'indicator', 'instrument'] as const) {
      expect(Object.keys(aliases[type]).filter((key) => !known[type].includes(key))).toEqual([]);
    }
    expect(Object.keys(aliases.related.indicator).filter((key) => !(key in aliases.indicator))).toEqual([]);
  });
});
