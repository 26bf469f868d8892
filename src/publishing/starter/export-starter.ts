import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { readSnapshot, type Read } from '../../database/snapshots.js';
import { ImportError } from '../importers/importer.js';
import { OBSERVATIONS, REVISIONS, VINTAGES, type ListFormat } from './starter-format.js';

/** From here on: enough to see a quarter of a century, and small enough to come with the sources. */
const FIRST_YEAR = '2000';
const AGGREGATES = ['WLD', 'EMU'];
const MOST_BYTES = 1_500_000;

/** Series of the board's economies, unless their source is withheld. */
const PICKED = `
  WITH picked AS (
    SELECT s.id, s.indicator, s.region
    FROM derivable_series s JOIN regions r ON r.code = s.region
    WHERE r.board_order IS NOT NULL OR r.code = ANY ($1)
  ), spoken AS (
    SELECT p.*, v.day, v.basis, v.last_period, r.published_at,
           greatest(v.first_period, CASE WHEN v.first_period LIKE 'FY%' THEN 'FY' ELSE '' END || $2)
             AS first_period
    FROM picked p JOIN series_vintages v ON v.series_id = p.id JOIN revisions r ON r.id = v.revision_id
    WHERE ltrim(v.last_period, 'FY') >= $2
  ), recorded AS (
    -- What was imported later as history is recorded as published at noon of its day.
    SELECT row_number() OVER (ORDER BY day, basis) AS revision, day, basis,
           least(min(published_at), (day + time '12:00') AT TIME ZONE 'UTC') AS published_at
    FROM spoken GROUP BY day, basis
  )`;

const LISTS: readonly { readonly format: ListFormat; readonly sql: string }[] = [
  {
    format: REVISIONS,
    sql: `${PICKED}
      SELECT concat_ws(',', revision, day,
               to_char(published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), basis) AS line
      FROM recorded ORDER BY revision`,
  },
  {
    format: VINTAGES,
    sql: `${PICKED}
      SELECT concat_ws(',', s.indicator, s.region, r.revision, s.first_period, s.last_period) AS line
      FROM spoken s JOIN recorded r USING (day, basis)
      ORDER BY s.indicator COLLATE "C", s.region COLLATE "C", r.revision`,
  },
  {
    format: OBSERVATIONS,
    sql: `${PICKED}
      SELECT concat_ws(',', p.indicator, p.region, o.period, o.valid_from, coalesce(o.valid_to::text, ''),
               o.value) AS line
      FROM picked p JOIN derivable_observations o ON o.series_id = p.id
      WHERE ltrim(o.period, 'FY') >= $2
      ORDER BY p.indicator COLLATE "C", p.region COLLATE "C", o.period, o.valid_from`,
  },
];

export interface ExportedStarter {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly lines: number; readonly bytes: number }[];
}

/** Writes the starter set from what is imported. The same figures give the same bytes. */
export async function exportStarter(dataSource: DataSource, folder: string): Promise<ExportedStarter> {
  const lists = await readSnapshot(dataSource, readLists);
  const files = await Promise.all(
    lists.map(async ({ format, lines }) => {
      const text = Buffer.from([format.columns.join(','), ...lines, ''].join('\n'));
      const bytes = format.file.endsWith('.gz') ? await promisify(gzip)(text, { level: 9 }) : text;
      return { name: format.file, lines: lines.length, bytes };
    }),
  );
  if (files.some(({ lines }) => lines === 0))
    throw new ImportError('Nothing is imported that could be exported');
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > MOST_BYTES) {
    throw new ImportError(`The starter set would take ${total} bytes, more than ${MOST_BYTES}`);
  }
  // Not recursively: below some folders that would be tried for ever.
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
    const rows = await read<{ line: string }>(sql, [AGGREGATES, FIRST_YEAR]);
    lists.push({ format, lines: rows.map(({ line }) => line) });
  }
  return lists;
}
