import type pg from 'pg';
import type { Publication } from '../../versions/record-publication.js';

/** Days of the data's own clock with affected changes: few in most publications. */
const DAYS = `
  CREATE TEMP TABLE affected_days ON COMMIT DROP AS SELECT DISTINCT occurred_at::date AS day FROM affected_changes`;

const CLEAR = 'DELETE FROM heat_days h USING affected_days d WHERE h.day = d.day';

/** Sums by domain, and over all domains, where a change of two domains counts once. */
const SUM = `
  INSERT INTO heat_days (region, coverage, day, importance, changes, top, data_version)
  SELECT region, coverage, day, sum(importance), count(*),
         (array_agg(position ORDER BY importance DESC, position DESC))[1:3], $1
  FROM (
    SELECT l.region, k.coverage, d.day, c.importance, c.position
    FROM affected_days d JOIN changes c ON c.occurred_at >= d.day::timestamptz AND c.occurred_at < (d.day + 1)::timestamptz
      JOIN change_regions l ON l.position = c.position
      CROSS JOIN LATERAL (
        SELECT '' AS coverage UNION ALL SELECT x.coverage FROM change_coverage x WHERE x.position = c.position) k
    WHERE c.status <> 'withdrawn') counted
  GROUP BY region, coverage, day
  ORDER BY coverage, region, day`;

/** Refreshes country heat of the affected days. */
export async function refreshHeat(client: pg.PoolClient, publication: Publication): Promise<number> {
  await client.query(DAYS);
  await client.query('ANALYZE affected_days');
  const cleared = (await client.query(CLEAR)).rowCount ?? 0;
  const summed = (await client.query(SUM, [publication.dataVersion])).rowCount ?? 0;
  return cleared + summed;
}
