import type pg from 'pg';
import type { Catalogue } from './catalogue.js';
import { sourceOf } from './catalogue.js';
import type { InstrumentEntry } from './catalogue.schema.js';

/** Table, key columns, other columns with their types. The rows come as one JSON document. */
interface Sheet {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  readonly rest: Readonly<Record<string, string>>;
  readonly rows: readonly object[];
}

/**
 * Updates the catalogue's tables from its files, writing only rows that differ. Existing sources keep their
 * `withheld`; `newlyWithheld` lists those that the caller must withhold.
 */
export async function syncCatalogue(
  client: pg.PoolClient,
  catalogue: Catalogue,
): Promise<{ readonly changed: number; readonly newlyWithheld: readonly string[] }> {
  let changed = 0;
  for (const sheet of sheets(catalogue)) changed += await upsert(client, sheet);
  for (const sheet of links(catalogue)) changed += await replaceLinks(client, sheet);
  changed += await alignOrigins(client, catalogue);
  const withheld = catalogue.sources.filter((source) => source.withheld).map(({ id }) => id);
  const open = await client.query<{ id: string }>(
    'SELECT id FROM sources WHERE id = ANY ($1) AND NOT withheld',
    [withheld],
  );
  return { changed, newlyWithheld: open.rows.map(({ id }) => id) };
}

function sheets(catalogue: Catalogue): Sheet[] {
  const named = { name: 'jsonb', description: 'jsonb', ordinal: 'smallint' };
  return [
    {
      table: 'sources',
      key: { id: 'text' },
      rest: {
        name: 'jsonb',
        publisher: 'jsonb',
        url: 'text',
        level: 'text',
        licence: 'text',
        attribution: 'jsonb',
        notice: 'jsonb',
      },
      rows: catalogue.sources,
    },
    {
      table: 'coverage_domains',
      key: { key: 'text' },
      rest: named,
      rows: catalogue.coverage.map((entry) => ({ ...entry, ordinal: entry.order })),
    },
    {
      table: 'topics',
      key: { slug: 'text' },
      rest: named,
      rows: catalogue.topics.map((entry) => ({ ...entry, ordinal: entry.order })),
    },
    {
      table: 'regions',
      key: { code: 'text' },
      rest: {
        alpha3: 'text',
        kind: 'text',
        name: 'jsonb',
        currency: 'text',
        weight: 'smallint',
        board_order: 'smallint',
      },
      rows: catalogue.regions.map((entry) => ({ ...entry, board_order: entry.board ? entry.order : null })),
    },
    {
      table: 'indicators',
      key: { slug: 'text' },
      rest: {
        provider: 'text',
        provider_code: 'text',
        series_url: 'text',
        unit: 'text',
        frequency: 'text',
        seasonal_adjustment: 'text',
        price_basis: 'text',
        base_year: 'smallint',
        name: 'jsonb',
        short_name: 'jsonb',
        description: 'jsonb',
        wording: 'jsonb',
        source_id: 'text',
        on_board: 'boolean',
        decision: 'boolean',
        ordinal: 'smallint',
      },
      rows: catalogue.indicators.map((entry) => ({
        ...entry,
        provider_code: entry.providerCode,
        series_url: entry.seriesUrl,
        seasonal_adjustment: entry.seasonalAdjustment,
        price_basis: entry.priceBasis,
        base_year: entry.baseYear,
        short_name: entry.shortName,
        source_id: sourceOf(entry),
        on_board: entry.board,
        ordinal: entry.order,
      })),
    },
    {
      table: 'instruments',
      key: { key: 'text' },
      rest: {
        provider: 'text',
        provider_code: 'text',
        series_url: 'text',
        kind: 'text',
        unit: 'text',
        currency: 'text',
        native_timeframe: 'text',
        average: 'boolean',
        discontinued: 'boolean',
        name: 'jsonb',
        description: 'jsonb',
        source_id: 'text',
        ordinal: 'smallint',
      },
      rows: catalogue.instruments.map((entry) => ({
        ...entry,
        provider_code: entry.providerCode,
        series_url: entry.seriesUrl,
        native_timeframe: entry.nativeTimeframe,
        source_id: entry.source,
        ordinal: entry.order,
      })),
    },
  ];
}

function links(catalogue: Catalogue): Sheet[] {
  return [
    {
      table: 'topic_coverage',
      key: { topic: 'text', coverage: 'text' },
      rest: {},
      rows: catalogue.topics.flatMap(({ slug, coverage }) =>
        coverage.map((key) => ({ topic: slug, coverage: key })),
      ),
    },
    {
      table: 'indicator_coverage',
      key: { indicator: 'text', coverage: 'text' },
      rest: {},
      rows: catalogue.indicators.flatMap(({ slug, coverage }) =>
        coverage.map((key) => ({ indicator: slug, coverage: key })),
      ),
    },
    {
      table: 'indicator_topics',
      key: { indicator: 'text', topic: 'text' },
      rest: {},
      rows: catalogue.indicators.flatMap(({ slug, topics }) =>
        topics.map((topic) => ({ indicator: slug, topic })),
      ),
    },
    ...instrumentLinks(catalogue),
  ];
}

function instrumentLinks({ instruments }: Catalogue): Sheet[] {
  const sheet = (table: string, column: string, members: (entry: InstrumentEntry) => readonly string[]) => ({
    table,
    key: { instrument: 'text', [column]: 'text' },
    rest: {},
    rows: instruments.flatMap((entry) =>
      members(entry).map((member) => ({ instrument: entry.key, [column]: member })),
    ),
  });
  return [
    sheet('instrument_regions', 'region', ({ regions }) => regions),
    sheet('instrument_coverage', 'coverage', ({ coverage }) => coverage),
    sheet('instrument_topics', 'topic', ({ topics }) => topics),
  ];
}

const names = (columns: Readonly<Record<string, string>>, prefix = ''): string =>
  Object.keys(columns)
    .map((column) => prefix + column)
    .join(', ');

const typed = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ');

async function upsert(client: pg.PoolClient, { table, key, rest, rows }: Sheet): Promise<number> {
  const all = { ...key, ...rest };
  const changed = await client.query(
    `INSERT INTO ${table} AS held (${names(all)})
     SELECT ${names(all)} FROM jsonb_to_recordset($1::jsonb) AS given (${typed(all)})
     ON CONFLICT (${names(key)}) DO UPDATE
       SET (${names(rest)}) = ROW (${names(rest, 'excluded.')})
       WHERE (${names(rest, 'held.')}) IS DISTINCT FROM (${names(rest, 'excluded.')})`,
    [JSON.stringify(rows)],
  );
  return changed.rowCount ?? 0;
}

async function replaceLinks(client: pg.PoolClient, { table, key, rows }: Sheet): Promise<number> {
  const given = `jsonb_to_recordset($1::jsonb) AS given (${typed(key)})`;
  const values = [JSON.stringify(rows)];
  const gone = await client.query(
    `DELETE FROM ${table} WHERE (${names(key)}) NOT IN (SELECT ${names(key)} FROM ${given})`,
    values,
  );
  const made = await client.query(
    `INSERT INTO ${table} (${names(key)}) SELECT ${names(key)} FROM ${given} ON CONFLICT DO NOTHING`,
    values,
  );
  return (gone.rowCount ?? 0) + (made.rowCount ?? 0);
}

/**
 * Series take the origins of the catalogue; triggers then decide on withholding. A withheld origin that a file
 * declared stays: a catalogue that does not know it must not unveil the series.
 */
async function alignOrigins(client: pg.PoolClient, catalogue: Catalogue): Promise<number> {
  const changed = await client.query(
    `UPDATE series s SET origins = wanted.origins
     FROM series held
     JOIN jsonb_to_recordset($1::jsonb) AS given (slug text, origins text[]) ON given.slug = held.indicator
     CROSS JOIN LATERAL (
       SELECT given.origins || ARRAY(
         SELECT o.id FROM unnest(held.origins) AS o (id) JOIN sources USING (id)
         WHERE withheld AND o.id <> ALL (given.origins) ORDER BY o.id) AS origins) AS wanted
     WHERE s.id = held.id AND s.origins <> wanted.origins`,
    [JSON.stringify(catalogue.indicators.map(({ slug, origins }) => ({ slug, origins })))],
  );
  return changed.rowCount ?? 0;
}
