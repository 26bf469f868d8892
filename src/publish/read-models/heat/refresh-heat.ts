import type pg from 'pg';
import type { Publication } from '../../publication/record-publication.js';

/** Days of the data's own clock with affected changes: few in most publications. */
const DAYS = `
  CREATE TEMP TABLE affected_days ON COMMIT DROP AS SELECT DISTINCT occurred_at::date AS day FROM affected_changes`;

const CLEAR = 'DELETE FROM heat_days h USING affected_days d WHERE h.day = d.day';

/** Less important changes are housekeeping: thousands of them would drown what happened. */
const COUNTED_IMPORTANCE = 20;

/**
 * Sums by domain, and over all domains, where a change of two domains counts once. A day with only unimportant changes
 * has a row of zeros: its country is known to change.
 */
const SUM = `
  INSERT INTO heat_days (region, coverage, day, importance, changes, retrieved, top, data_version)
  SELECT region, coverage, day, coalesce(sum(importance) FILTER (WHERE counts), 0), count(*) FILTER (WHERE counts),
         coalesce(bool_or(occurred_basis = 'retrieved') FILTER (WHERE counts), false),
         coalesce((array_agg(position ORDER BY importance DESC, position DESC) FILTER (WHERE counts))[1:3], '{}'), $1
  FROM (
    SELECT l.region, k.coverage, d.day, c.importance, c.importance >= ${COUNTED_IMPORTANCE} AS counts, c.occurred_basis,
           c.position
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
