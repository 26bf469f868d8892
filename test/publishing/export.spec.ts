import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import type { DataSource } from 'typeorm';
import { exportDataVersion, type ExportedVersion } from '../../src/publish/export/export-data-version.js';
import { withholdSource } from '../../src/publish/versions/withhold-source.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

type Row = Readonly<Record<string, unknown>>;

const nothing = (): void => undefined;
const WITHHELD_AT = new Date('2026-12-01T10:00:00Z');

const SERIES = `coalesce('macro/' || s.indicator || '@' || s.region, 'markets/' || s.instrument)`;

/** What the files must hold, asked as the owner: `WHERE` instead of row-level security. */
const HELD: Readonly<Record<string, string>> = {
  observations: `
    SELECT ${SERIES} AS series, o.period, o.value::text AS value, o.valid_from::text AS "knownSince",
      o.valid_to::text AS "knownUntil", o.data_version AS "dataVersion", o.source_id AS source
    FROM observations o JOIN series s ON s.id = o.series_id
    WHERE NOT EXISTS (SELECT FROM sources p WHERE p.withheld AND (p.id = s.source_id OR p.id = ANY (s.origins)))`,
  changes: `
    SELECT c.id, c.kind, c.status, c.headline ->> 'ja' AS "headlineJa", c.summary ->> 'en' AS "summaryEn",
      c.importance, c.occurred_at AS "occurredAt", c.actual_value::float8 AS actual, c.source_id AS source
    FROM changes c WHERE c.status <> 'withdrawn'`,
  events: `
    SELECT e.id, e.indicator, e.region, e.period, e.scheduled_on::text AS "scheduledOn", e.scheduled_at AS "scheduledAt"
    FROM calendar_events e WHERE NOT e.withheld`,
  entities: `SELECT e.id, e.lei, e.cik, e.name, e.other_names AS "otherNames" FROM entities e`,
  relations: `
    SELECT r.child, r.parent, r.kind, r.since::text AS since, r.valid_from::text AS "knownSince",
      r.valid_to::text AS "knownUntil" FROM relations r`,
};

describe('An exported data version', () => {
  let database: TestDatabase;
  let publisher: DataSource;
  let reader: DataSource;
  let folder: string;
  let exported: ExportedVersion;

  beforeAll(async () => {
    database = await createTestDatabase('full');
    publisher = await database.open('import');
    reader = await database.open('api');
    folder = await mkdtemp(join(tmpdir(), 'tidemark-export-'));
    exported = await exportDataVersion(reader, folder, nothing);
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  async function jsonOf(from: string, table: string): Promise<Row[]> {
    const text = gunzipSync(await readFile(join(from, `${table}.ndjson.gz`))).toString();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  }

  async function parquetOf(from: string, table: string): Promise<Row[]> {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(from, `${table}.parquet`)) });
    return rows as Row[];
  }

  /** Days and instants as the JSON has them, by the types of the manifest. */
  function asJson(row: Row, { columns }: ExportedVersion['tables'][number]): Row {
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        if (!(value instanceof Date)) return [name, value ?? null];
        const text = value.toISOString();
        return [name, columns[name] === 'date' ? text.slice(0, 10) : text];
      }),
    );
  }

  const lines = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

  async function held(table: string): Promise<Row[]> {
    return publisher.query<Row[]>(HELD[table] ?? '');
  }

  /** The members of `like`, as the statement gives them. */
  function picked(rows: readonly Row[], like: Row): Row[] {
    return rows.map((row) =>
      Object.fromEntries(
        Object.keys(like).map((name) => [
          name,
          name === 'value' ? (row['value'] as number).toFixed(row['decimals'] as number) : row[name],
        ]),
      ),
    );
  }

  it.each(Object.keys(HELD))('equals the database in %s, row by row, in both formats', async (table) => {
    const expected = await held(table);
    const [like] = expected;
    if (like === undefined) throw new Error(`The fixtures have no ${table}`);
    const described = exported.tables.find(({ name }) => name === table);
    const json = await jsonOf(exported.folder, table);
    expect(lines(picked(json, like))).toEqual(lines(expected));
    const parquet = await parquetOf(exported.folder, table);
    expect(parquet.map((row) => described && asJson(row, described))).toEqual(json);
    expect(described?.rows).toBe(expected.length);
  });

  it('names the first and the last day of each period', async () => {
    const rows = await jsonOf(exported.folder, 'observations');
    const year = rows.find(({ period }) => period === '2024');
    expect([year?.['periodFrom'], year?.['periodTo']]).toEqual(['2024-01-01', '2024-12-31']);
  });

  it('has the attribution and the licence of every source that it names', async () => {
    const sources = new Map((await jsonOf(exported.folder, 'sources')).map((row) => [row['id'], row]));
    for (const table of Object.keys(HELD)) {
      for (const { source } of await jsonOf(exported.folder, table)) {
        const { licenceUrl, attributionZh } = sources.get(source) ?? {};
        expect([source, licenceUrl]).toEqual([source, expect.stringMatching(/^https?:/)]);
        expect([source, attributionZh]).toEqual([source, expect.stringMatching(/./)]);
      }
    }
  });

  it('lists the size and the SHA-256 of each file', async () => {
    const files = exported.tables.flatMap(({ files: both }) => both);
    const written = (await readdir(exported.folder)).filter((name) => name !== 'manifest.json');
    expect(files.map(({ file }) => file).sort()).toEqual(written.sort());
    for (const { file, bytes, sha256 } of files) {
      const content = await readFile(join(exported.folder, file));
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256]);
    }
  });

  it('is not written again, and elsewhere has the same bytes', async () => {
    expect(await exportDataVersion(reader, folder, nothing)).toEqual({ ...exported, existed: true });
    const elsewhere = join(folder, 'elsewhere');
    const again = await exportDataVersion(reader, elsewhere, nothing);
    expect(again.tables).toEqual(exported.tables);
  });

  it('leaves nothing behind when it fails', async () => {
    const other = join(folder, 'failing');
    const failing = exportDataVersion(reader, other, (table) => {
      if (table === 'changes') throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    await expect(failing).rejects.toThrow(`The disk of ${other} is full: nothing was exported`);
    expect(await readdir(other)).toEqual([]);
  });

  it('lacks what the API does not serve', async () => {
    await withholdSource(publisher, 'ecb', () => WITHHELD_AT);
    const { folder: without } = await exportDataVersion(reader, folder, nothing);
    const ids = (await jsonOf(without, 'sources')).map(({ id }) => id);
    expect(ids).not.toContain('ecb');
    const named = (await jsonOf(exported.folder, 'observations')).filter(({ source }) => source === 'ecb');
    expect(named).not.toEqual([]);
    expect(lines(picked(await jsonOf(without, 'observations'), (await held('observations'))[0] ?? {}))).toEqual(
      lines(await held('observations')),
    );
    const text = JSON.stringify([await jsonOf(without, 'observations'), await jsonOf(without, 'changes')]);
    expect(text).not.toContain('"ecb"');
  });
});
