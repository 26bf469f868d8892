import type pg from 'pg';
import type { RecordedRevision } from '../../revisions/record-revision.js';

/** Days of the data's own clock whose changes are others than before. Most publications touch few. */
const DAYS = `
  CREATE TEMP TABLE heated ON COMMIT DROP AS SELECT DISTINCT occurred_at::date AS day FROM touched`;

const CLEAR = 'DELETE FROM heat_days h USING heated d WHERE h.day = d.day';

/** By domain, and over all domains, where a change of two of them counts once. */
const SUM = `
  INSERT INTO heat_days (region, coverage, day, importance, changes, top, revision_id)
  SELECT region, coverage, day, sum(importance), count(*),
         (array_agg(position ORDER BY importance DESC, position DESC))[1:3], $1
  FROM (
    SELECT l.region, k.coverage, d.day, c.importance, c.position
    FROM heated d JOIN changes c ON c.occurred_at >= d.day::timestamptz AND c.occurred_at < (d.day + 1)::timestamptz
      JOIN change_regions l ON l.position = c.position
      CROSS JOIN LATERAL (
        SELECT '' AS coverage UNION ALL SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) k
    WHERE c.status <> 'withdrawn') counted
  GROUP BY region, coverage, day
  ORDER BY coverage, region, day`;

/** How much changed in each economy on each day that the publication has touched. */
export async function digestHeat(client: pg.PoolClient, revision: RecordedRevision): Promise<number> {
  await client.query(DAYS);
  await client.query('ANALYZE heated');
  const cleared = (await client.query(CLEAR)).rowCount ?? 0;
  const summed = (await client.query(SUM, [revision.id])).rowCount ?? 0;
  return cleared + summed;
}
