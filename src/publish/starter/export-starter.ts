import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { readSnapshot, type Read } from '../../store/snapshots.js';
import { ImportError } from '../batches/importer.js';
import { headerOf, OBSERVATIONS, PUBLICATIONS, ROWS, VINTAGES, type ListFormat } from './starter-format.js';

/** First period of the set: a quarter of a century, yet small enough for the repository. */
const FIRST_YEAR = '2000';
/** First day of daily quotes: a move needs the 250 before it. */
const FIRST_DAY = '2023-01-01';
const AGGREGATES = ['WLD', 'EMU'];
/**
 * Providers whose figures a file may redistribute. It omits the statistics portal, which demands a notice wherever its
 * figures appear.
 */
const PROVIDERS = ['worldbank', 'bls', 'bea', 'frb', 'ecb', 'eia', 'us-treasury', 'worldbank-pinksheet', 'frb-h15'];
const MOST_BYTES = 3_000_000;

/** Series of the board's economies and of instruments that are still quoted, unless their source is withheld. */
const PICKED = `
  WITH picked AS (
    SELECT s.id, coalesce(s.indicator, s.instrument) AS indicator, coalesce(s.region, '') AS region,
           CASE WHEN n.native_timeframe = 'D1' THEN $3::text ELSE $2::text END AS first
    FROM derivable_series s LEFT JOIN regions r ON r.code = s.region
      LEFT JOIN indicators i ON i.slug = s.indicator
      LEFT JOIN instruments n ON n.key = s.instrument AND NOT n.discontinued
    WHERE (n.key IS NOT NULL OR r.board_order IS NOT NULL OR r.code = ANY ($1))
      AND coalesce(i.provider, n.provider) = ANY ($4)
  ), declared AS (
    SELECT p.*, v.day, v.basis, v.last_period, r.published_at,
           greatest(v.first_period, CASE WHEN v.first_period LIKE 'FY%' THEN 'FY' ELSE '' END || p.first)
             AS first_period
    FROM picked p JOIN series_vintages v ON v.series_id = p.id JOIN publications r ON r.data_version = v.data_version
    WHERE ltrim(v.last_period, 'FY') >= p.first
  ), scheduled AS (
    -- An event without an address is a line of a list of releases, and became known on its day.
    SELECT e.*, r.published_at, CASE WHEN e.source_url IS NULL THEN 'released' ELSE 'retrieved' END AS basis
    FROM calendar_events e JOIN publications r ON r.data_version = e.data_version
      JOIN indicators i ON i.slug = e.indicator
    WHERE i.provider = ANY ($4) AND NOT e.withheld
  ), registered AS (
    SELECT v.source_id, v.day, v.basis, r.published_at
    FROM register_vintages v JOIN publications r ON r.data_version = v.data_version JOIN sources o ON o.id = v.source_id
    WHERE NOT o.withheld
  ), dated AS (
    SELECT day, basis, published_at FROM declared
    UNION ALL SELECT vintage_day, basis, published_at FROM scheduled
    UNION ALL SELECT day, basis, published_at FROM registered
  ), recorded AS (
    -- Backfilled history gets noon of its day as time of publication.
    SELECT row_number() OVER (ORDER BY day, basis) AS publication, day, basis,
           least(min(published_at), (day + time '12:00') AT TIME ZONE 'UTC') AS published_at
    FROM dated GROUP BY day, basis
  ), rows AS (
    SELECT r.publication, 1 AS part, 'events' AS kind, e.source_id AS source, jsonb_build_object(
      'indicator', e.indicator, 'region', e.region, 'period', e.period, 'estimate', e.estimate,
      'scheduledOn', e.scheduled_on, 'timeZone', e.time_zone,
      'scheduledAt', to_char(e.scheduled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
      'status', e.status, 'sourceUrl', e.source_url) AS row
    FROM scheduled e JOIN recorded r ON r.day = e.vintage_day AND r.basis = e.basis
    UNION ALL
    SELECT r.publication, 2, 'entities', e.source_id, jsonb_build_object(
      'lei', e.lei, 'name', e.name, 'language', e.name_language, 'type', e.type, 'country', e.country,
      'jurisdiction', e.jurisdiction, 'status', e.status)
        || CASE e.other_names WHEN '{}' THEN '{}' ELSE jsonb_build_object('otherNames', e.other_names) END
    FROM entities e JOIN registered v ON v.source_id = e.source_id AND v.day = e.known_on
      JOIN recorded r USING (day, basis)
    WHERE e.lei IS NOT NULL AND e.name IS NOT NULL AND e.status <> 'unknown'
    UNION ALL
    SELECT r.publication, 3, 'relation-extents', x.source_id, jsonb_build_object(
      'lei', a.lei, 'side', x.side, 'kind', x.kind, 'stated', x.stated, 'from', 'record')
    FROM relation_vintages x JOIN entities a ON a.id = x.anchor
      JOIN registered v ON v.source_id = x.source_id AND v.day = x.day
      JOIN recorded r ON r.day = v.day AND r.basis = v.basis
    UNION ALL
    SELECT r.publication, 4, 'relations', o.source_id, jsonb_build_object(
      'child', c.lei, 'parent', p.lei, 'kind', o.kind, 'state', 'active', 'since', o.since, 'until', o.until,
      'from', 'record')
    FROM relations o JOIN entities c ON c.id = o.child JOIN entities p ON p.id = o.parent
      JOIN registered v ON v.source_id = o.source_id AND v.day BETWEEN o.valid_from AND o.seen_on
      JOIN recorded r ON r.day = v.day AND r.basis = v.basis
    WHERE o.valid_to IS NULL AND (v.day = o.seen_on OR v.day = o.valid_from)
    UNION ALL
    SELECT r.publication, 5, 'registrants', g.source_id, jsonb_build_object(
      'cik', g.cik, 'name', g.name, 'ticker', t.ticker, 'ordinal', t.ordinal)
    FROM registrants g JOIN company_tickers t USING (cik)
      JOIN registered v ON v.source_id = g.source_id AND v.day = g.known_on
      JOIN recorded r ON r.day = v.day AND r.basis = v.basis
    WHERE g.listed
  )`;

const LISTS: readonly { readonly format: ListFormat; readonly sql: string }[] = [
  {
    format: PUBLICATIONS,
    sql: `${PICKED}
      SELECT concat_ws(',', publication, day,
               to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), basis) AS line
      FROM recorded ORDER BY publication`,
  },
  {
    format: VINTAGES,
    sql: `${PICKED}
      SELECT concat_ws(',', s.indicator, s.region, r.publication, s.first_period, s.last_period) AS line
      FROM declared s JOIN recorded r USING (day, basis)
      ORDER BY s.indicator COLLATE "C", s.region COLLATE "C", r.publication`,
  },
  {
    format: OBSERVATIONS,
    sql: `${PICKED}
      SELECT concat_ws(',', p.indicator, p.region, o.period, o.valid_from, coalesce(o.valid_to::text, ''),
               o.value) AS line
      FROM picked p JOIN derivable_observations o ON o.series_id = p.id
      WHERE ltrim(o.period, 'FY') >= p.first
      ORDER BY p.indicator COLLATE "C", p.region COLLATE "C", o.period, o.valid_from`,
  },
  {
    format: ROWS,
    sql: `${PICKED}
      SELECT jsonb_build_object('publication', publication, 'kind', kind, 'source', source, 'row', row - 'ordinal') AS line
      FROM rows
      ORDER BY publication, part, (row ->> 'cik')::integer, (row ->> 'ordinal')::integer, row::text COLLATE "C"`,
  },
];

export interface ExportedStarter {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly lines: number; readonly bytes: number }[];
}

/** Writes the starter set from the database. The same figures give the same bytes. */
export async function exportStarter(dataSource: DataSource, folder: string): Promise<ExportedStarter> {
  const lists = await readSnapshot(dataSource, readLists);
  const files = await Promise.all(
    lists.map(async ({ format, lines }) => {
      const text = Buffer.from([...headerOf(format), ...lines, ''].join('\n'));
      const bytes = format.file.endsWith('.gz') ? await promisify(gzip)(text, { level: 9 }) : text;
      return { name: format.file, lines: lines.length, bytes };
    }),
  );
  if (files.some(({ name, lines }) => lines === 0 && name !== ROWS.file))
    throw new ImportError('The database contains nothing to export');
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > MOST_BYTES) {
    throw new ImportError(`The starter set would take ${total} bytes, more than ${MOST_BYTES}`);
  }
  // Not recursive: below some folders Node would retry for ever.
  await mkdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  for (const { name, bytes } of files) {
    await writeFile(join(folder, `${name}.new`), bytes);
    await rename(join(folder, `${name}.new`), join(folder, name));
  }
  return { folder, files: files.map(({ name, lines, bytes }) => ({ name, lines, bytes: bytes.length })) };
}

async function readLists(read: Read): Promise<{ format: ListFormat; lines: string[] }[]> {
  const lists: { format: ListFormat; lines: string[] }[] = [];
  for (const { format, sql } of LISTS) {
    const rows = await read<{ line: string | object }>(sql, [AGGREGATES, FIRST_YEAR, FIRST_DAY, PROVIDERS]);
    const lines = rows.map(({ line }) => (typeof line === 'string' ? line : JSON.stringify(line)));
    lists.push({ format, lines });
  }
  return lists;
}
