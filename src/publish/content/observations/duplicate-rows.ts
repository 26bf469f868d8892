import pg from 'pg';
import { MOST_LISTED, type BadRows } from '../../publication/bad-rows.js';

const UNIQUE_VIOLATION = '23505';

const FIND = `
  WITH numbered AS (
    SELECT s.*, row_number() OVER cell AS number, first_value(file) OVER cell AS first_file,
           first_value(line) OVER cell AS first_line, first_value(place) OVER cell AS first_place,
           first_value(value) OVER cell AS first_value
    FROM staged_observations s WINDOW cell AS (PARTITION BY series_id, period ORDER BY file, line, ctid))
  SELECT file, line, place, value::text, period,
         coalesce(instrument, concat_ws(' ', indicator, region)) AS subject,
         first_file, first_line, first_place, first_value::text, count(*) OVER () AS total
  FROM numbered JOIN series ON series.id = series_id
  WHERE number > 1 ORDER BY file, line, place LIMIT $1`;

/** One of several equal rows stays; differing rows are all dropped, and their observation is excluded. */
const DROP = `
  INSERT INTO excluded_observations SELECT series_id, period FROM staged_observations
    GROUP BY series_id, period HAVING min(value) <> max(value);
  DELETE FROM staged_observations s USING excluded_observations u WHERE s.series_id = u.series_id AND s.period = u.period;
  DELETE FROM staged_observations s USING (
    SELECT ctid, row_number() OVER (PARTITION BY series_id, period ORDER BY file, line, ctid) AS number FROM staged_observations
  ) n WHERE s.ctid = n.ctid AND n.number > 1;`;

interface Duplicate {
  readonly file: number;
  readonly line: number;
  readonly place: string;
  readonly value: string;
  readonly period: string;
  readonly subject: string;
  readonly first_file: number;
  readonly first_line: number;
  readonly first_place: string;
  readonly first_value: string;
  readonly total: number;
}

/** Drops figures that the delivery gives twice and reports them as bad rows with both positions. */
export async function dropDuplicates(client: pg.PoolClient, files: readonly string[], bad: BadRows): Promise<void> {
  if (await isUnique(client)) return;
  const { rows } = await client.query<Duplicate>(FIND, [MOST_LISTED]);
  for (const row of rows) {
    bad.add({
      place: { file: files[row.file] ?? '', line: row.line, column: row.place },
      reason:
        `${row.subject} ${row.period} is given twice: ${row.value} here, ` +
        `${row.first_value} in ${files[row.first_file] ?? ''}:${row.first_line}, ${row.first_place}`,
    });
  }
  bad.addUnlisted((rows[0]?.total ?? 0) - rows.length);
  await client.query(DROP);
  await isUnique(client);
}

/** The index is the cheapest check; the savepoint keeps the transaction alive when it fails. */
async function isUnique(client: pg.PoolClient): Promise<boolean> {
  await client.query('SAVEPOINT staged_index');
  try {
    await client.query('CREATE UNIQUE INDEX staged_cell ON staged_observations (series_id, period)');
    await client.query('ANALYZE staged_observations (series_id, period)');
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error;
    await client.query('ROLLBACK TO SAVEPOINT staged_index');
    return false;
  } finally {
    await client.query('RELEASE SAVEPOINT staged_index').catch(() => undefined);
  }
}
