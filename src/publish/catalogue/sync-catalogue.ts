import type pg from 'pg';
import { isRenderedBy, renderingFingerprint } from './fingerprint.js';
import { timetableOf, type Catalogue } from './catalogue.js';

/** Rows of a table by column name; other members of a row are ignored. */
interface Sheet {
  readonly table: string;
  readonly key: string;
  /** The other columns. */
  readonly rest: string;
  readonly rows: readonly object[];
}

/** A table of two columns, each row one link. */
type LinkSheet = readonly [
  table: string,
  from: string,
  to: string,
  links: readonly (readonly [from: string, to: readonly string[]])[],
];

/**
 * Updates the catalogue's tables from its files, writing only rows that differ; the publication with this catalogue's
 * fingerprint has done so already. Existing sources keep their `withheld`; `newlyWithheld` lists those that the caller
 * must withhold.
 */
export async function syncCatalogue(
  client: pg.PoolClient,
  catalogue: Catalogue,
): Promise<{ readonly changed: number; readonly newlyWithheld: readonly string[] }> {
  let changed = 0;
  if (!(await isRenderedBy(client, renderingFingerprint()))) {
    for (const sheet of sheets(catalogue)) changed += await upsert(client, sheet);
    for (const sheet of linkSheets(catalogue)) changed += await replaceLinks(client, sheet);
  }
  changed += await alignOrigins(client, catalogue);
  const withheld = catalogue.sources.filter((source) => source.withheld).map(({ id }) => id);
  const open = await client.query<{ id: string }>('SELECT id FROM sources WHERE id = ANY ($1) AND NOT withheld', [
    withheld,
  ]);
  return { changed, newlyWithheld: open.rows.map(({ id }) => id) };
}

function sheets(catalogue: Catalogue): Sheet[] {
  const { sources, coverage, topics, regions, indicators, instruments } = catalogue;
  const ordered = (entries: readonly { readonly order: number }[]) =>
    entries.map((entry) => ({ ...columnsOf(entry), ordinal: entry.order }));
  return [
    {
      table: 'sources',
      key: 'id',
      rest: 'name, publisher, url, level, licence, attribution, notice, portal, modelled',
      rows: sources,
    },
    { table: 'coverage_domains', key: 'key', rest: 'name, description, ordinal', rows: ordered(coverage) },
    { table: 'topics', key: 'slug', rest: 'name, description, ordinal', rows: ordered(topics) },
    {
      table: 'regions',
      key: 'code',
      rest: 'alpha3, kind, name, currency, weight, board_order',
      rows: regions.map((entry) => ({ ...entry, board_order: entry.board ? entry.order : null })),
    },
    {
      table: 'indicators',
      key: 'slug',
      rest:
        'provider, provider_code, series_url, timetable, unit, frequency, seasonal_adjustment, price_basis, base_year, name, ' +
        'short_name, description, attention, wording, source_id, on_board, decision, ordinal',
      rows: ordered(
        indicators.map((entry) => ({
          ...entry,
          timetable: timetableOf(catalogue, entry),
          sourceId: entry.source,
          onBoard: entry.board,
        })),
      ),
    },
    {
      table: 'instruments',
      key: 'key',
      rest:
        'provider, provider_code, series_url, timetable, kind, unit, currency, native_timeframe, average, discontinued, name, ' +
        'curve, description, attention, source_id, ordinal',
      rows: ordered(
        instruments.map((entry) => ({ ...entry, timetable: timetableOf(catalogue, entry), sourceId: entry.source })),
      ),
    },
  ];
}

/** `providerCode` as `provider_code`. */
const columnsOf = (entry: object): object =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );

const linkSheets = ({ topics, indicators, instruments }: Catalogue): LinkSheet[] => [
  ['topic_coverage', 'topic', 'coverage', topics.map(({ slug, coverage }) => [slug, coverage])],
  ['indicator_coverage', 'indicator', 'coverage', indicators.map(({ slug, coverage }) => [slug, coverage])],
  ['indicator_topics', 'indicator', 'topic', indicators.map(({ slug, topics: own }) => [slug, own])],
  ['instrument_regions', 'instrument', 'region', instruments.map(({ key, regions }) => [key, regions])],
  ['instrument_coverage', 'instrument', 'coverage', instruments.map(({ key, coverage }) => [key, coverage])],
  ['instrument_topics', 'instrument', 'topic', instruments.map(({ key, topics: own }) => [key, own])],
];

async function upsert(client: pg.PoolClient, { table, key, rest, rows }: Sheet): Promise<number> {
  const of = (row: string): string => rest.replace(/\w+/g, `${row}.$&`);
  const changed = await client.query(
    `INSERT INTO ${table} AS held (${key}, ${rest})
     SELECT ${key}, ${rest} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)
     ON CONFLICT (${key}) DO UPDATE SET (${rest}) = ROW (${of('excluded')})
       WHERE (${of('held')}) IS DISTINCT FROM (${of('excluded')})`,
    [JSON.stringify(rows)],
  );
  return changed.rowCount ?? 0;
}

async function replaceLinks(client: pg.PoolClient, [table, from, to, links]: LinkSheet): Promise<number> {
  const pairs = links.flatMap(([one, members]) => members.map((other) => [one, other] as const));
  const values = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  const [names, given] = [`${from}, ${to}`, 'unnest($1::text[], $2::text[])'];
  const gone = await client.query(`DELETE FROM ${table} WHERE (${names}) NOT IN (SELECT * FROM ${given})`, values);
  const made = await client.query(
    `INSERT INTO ${table} (${names}) SELECT * FROM ${given} ON CONFLICT DO NOTHING`,
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
