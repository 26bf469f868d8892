// One algorithm for a delivery in order, a backfill and a replacement: the delivery of a day asserts a value
// or an absence for each cell it speaks of, from that day up to the next vintage that speaks of the cell.
import type pg from 'pg';

const FIND_AFFECTED = `
  INSERT INTO affected (series_id, period, value, held_value, in_order)
  SELECT e.series_id, coalesce(s.period, h.period), s.value, h.value, NOT (e.held OR e.newer)
  FROM staged s
  FULL JOIN (
    SELECT o.series_id, o.period, o.value
    FROM spoken e JOIN observations o ON o.series_id = e.series_id
      AND o.period BETWEEN e.first_period AND e.last_period
    WHERE o.valid_from <= $1::date AND (o.valid_to IS NULL OR o.valid_to > $1::date)
  ) h ON h.series_id = s.series_id AND h.period = s.period
  JOIN spoken e ON e.series_id = coalesce(s.series_id, h.series_id)
  WHERE s.value IS DISTINCT FROM h.value AND ($2::boolean OR s.value IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM unspoken u
      WHERE u.series_id = e.series_id AND u.period = coalesce(s.period, h.period))`;

const JUDGE = `
  UPDATE spoken e SET
    held = EXISTS (SELECT FROM series_vintages v WHERE v.series_id = e.series_id AND v.day = $1::date),
    newer = EXISTS (SELECT FROM series_vintages v WHERE v.series_id = e.series_id AND v.day > $1::date)`;

const COUNT_AFFECTED = `
  UPDATE spoken e SET affected = a.count
  FROM (SELECT series_id, count(*) FROM affected GROUP BY series_id) a WHERE a.series_id = e.series_id`;

const FIND_NEXT_DAY = `
  UPDATE affected a SET next_day = (
    SELECT min(v.day) FROM series_vintages v
    WHERE v.series_id = a.series_id AND v.day > $1::date AND a.period BETWEEN v.first_period AND v.last_period)
  FROM spoken e WHERE e.series_id = a.series_id AND e.newer`;

/** In order, which is the rule, no row begins or ends on the day or after it: the open row ends, a new one begins. */
const END_OPEN = `
  UPDATE observations o SET valid_to = $1::date FROM affected a
  WHERE a.in_order AND o.series_id = a.series_id AND o.period = a.period AND o.valid_to IS NULL`;

const BEGIN_NEW = `
  INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, revision_id)
  SELECT a.series_id, a.period, $1::date, a.value, s.source_id, s.withheld, $2::integer
  FROM affected a JOIN series s ON s.id = a.series_id
  WHERE a.in_order AND a.value IS NOT NULL
  ORDER BY a.series_id, a.period`;

/** Rows that overlap the span of an affected cell, or touch it and may have to become one with it. */
const TAKE_OUT = `
  WITH taken AS (
    DELETE FROM observations o USING affected a
    WHERE NOT a.in_order AND o.series_id = a.series_id AND o.period = a.period
      AND (o.valid_to IS NULL OR o.valid_to >= $1::date) AND (a.next_day IS NULL OR o.valid_from <= a.next_day)
    RETURNING o.*)
  INSERT INTO replaced SELECT * FROM taken`;

const PUT_BACK = `
  WITH pieces AS (
    SELECT series_id, period, valid_from, least(valid_to, $1::date) AS valid_to, value, revision_id
    FROM replaced WHERE valid_from < $1::date
    UNION ALL
    SELECT series_id, period, $1::date, next_day, value, $2::integer
    FROM affected WHERE NOT in_order AND value IS NOT NULL
    UNION ALL
    SELECT r.series_id, r.period, greatest(r.valid_from, a.next_day), r.valid_to, r.value, r.revision_id
    FROM replaced r JOIN affected a ON a.series_id = r.series_id AND a.period = r.period
    WHERE a.next_day IS NOT NULL AND (r.valid_to IS NULL OR r.valid_to > a.next_day)
  ), marked AS (
    SELECT *, (lag(valid_to) OVER cell = valid_from AND lag(value) OVER cell = value) IS NOT TRUE AS begins
    FROM pieces WINDOW cell AS (PARTITION BY series_id, period ORDER BY valid_from)
  ), runs AS (
    SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY series_id, period ORDER BY valid_from) AS run
    FROM marked
  ), joined AS (
    SELECT series_id, period, min(valid_from) AS valid_from,
           CASE WHEN bool_or(valid_to IS NULL) THEN NULL ELSE max(valid_to) END AS valid_to,
           (array_agg(value ORDER BY valid_from))[1] AS value,
           (array_agg(revision_id ORDER BY valid_from))[1] AS revision_id
    FROM runs GROUP BY series_id, period, run
  )
  INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, revision_id)
  SELECT j.series_id, j.period, j.valid_from, j.valid_to, j.value, s.source_id, s.withheld, j.revision_id
  FROM joined j JOIN series s ON s.id = j.series_id
  ORDER BY j.series_id, j.period, j.valid_from`;

const NOTE_VINTAGES = `
  INSERT INTO series_vintages AS v (series_id, day, first_period, last_period, basis, backfilled, revision_id)
  SELECT series_id, $1::date, first_period, last_period, $3, newer, $2::integer FROM spoken WHERE NOT held OR affected > 0
  ON CONFLICT (series_id, day) DO UPDATE SET
    first_period = least(v.first_period, excluded.first_period),
    last_period = greatest(v.last_period, excluded.last_period)`;

const NOTE_UNHELD = `
  INSERT INTO spoken_vintages AS v (indicator, region, day, first_period, last_period, basis, revision_id)
  SELECT indicator, region, $1::date, min(first_period), max(last_period), $3, $2::integer
  FROM spoken_unheld GROUP BY indicator, region
  ON CONFLICT (indicator, region, day) DO UPDATE SET
    first_period = least(v.first_period, excluded.first_period),
    last_period = greatest(v.last_period, excluded.last_period)`;

/** Fills `affected` and judges each series in `spoken`. Without `closes`, absence says nothing. */
export async function compareStates(client: pg.PoolClient, day: string, closes: boolean): Promise<void> {
  await client.query(JUDGE, [day]);
  await client.query(FIND_AFFECTED, [day, closes]);
  await client.query(COUNT_AFFECTED);
  await client.query('ANALYZE affected');
}

/** Makes the new states hold, and notes that the vintage is now held. */
export async function assignStates(
  client: pg.PoolClient,
  day: string,
  revision: number,
  basis: 'released' | 'retrieved',
): Promise<void> {
  await client.query(END_OPEN, [day]);
  await client.query(BEGIN_NEW, [day, revision]);
  await client.query(FIND_NEXT_DAY, [day]);
  await client.query(TAKE_OUT, [day]);
  await client.query(PUT_BACK, [day, revision]);
  await client.query(NOTE_VINTAGES, [day, revision, basis]);
  await client.query(NOTE_UNHELD, [day, revision, basis]);
}
