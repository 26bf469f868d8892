// One algorithm for imports in order, backfills and replacements: a delivery asserts a value or an absence for
// each cell it covers, from its day up to the next vintage that covers the cell.
import type pg from 'pg';
import type { Delivery } from '../../batches/importer.js';

const FIND_AFFECTED = `
  INSERT INTO observation_differences (series_id, period, value, held_value, in_order)
  SELECT e.series_id, coalesce(s.period, h.period), s.value, h.value, NOT (e.held OR e.newer)
  FROM staged_observations s
  FULL JOIN (
    SELECT o.series_id, o.period, o.value
    FROM declared_coverage e JOIN observations o ON o.series_id = e.series_id
      AND o.period BETWEEN e.first_period AND e.last_period
    WHERE known_on($1::date, o.valid_from, o.valid_to)
  ) h ON h.series_id = s.series_id AND h.period = s.period
  JOIN declared_coverage e ON e.series_id = coalesce(s.series_id, h.series_id)
  WHERE s.value IS DISTINCT FROM h.value AND ($2::boolean OR s.value IS NOT NULL)
    AND NOT EXISTS (
      SELECT FROM excluded_observations u
      WHERE u.series_id = e.series_id AND u.period = coalesce(s.period, h.period))`;

const COMPARE_RANGES = `
  UPDATE declared_coverage e SET
    held = EXISTS (SELECT FROM series_vintages v WHERE v.series_id = e.series_id AND v.day = $1::date),
    newer = EXISTS (SELECT FROM series_vintages v WHERE v.series_id = e.series_id AND v.day > $1::date)`;

const COUNT_AFFECTED = `
  UPDATE declared_coverage e SET affected = a.count
  FROM (SELECT series_id, count(*) FROM observation_differences GROUP BY series_id) a WHERE a.series_id = e.series_id`;

const FIND_NEXT_DAY = `
  UPDATE observation_differences a SET next_day = (
    SELECT min(v.day) FROM series_vintages v
    WHERE v.series_id = a.series_id AND v.day > $1::date AND a.period BETWEEN v.first_period AND v.last_period)
  FROM declared_coverage e WHERE e.series_id = a.series_id AND e.newer`;

/** The usual case: no row begins or ends on the day or later, so the open row ends and a new one begins. */
const END_OPEN = `
  UPDATE observations o SET valid_to = $1::date FROM observation_differences a
  WHERE a.in_order AND o.series_id = a.series_id AND o.period = a.period AND o.valid_to IS NULL`;

const BEGIN_NEW = `
  INSERT INTO observations (series_id, period, valid_from, value, source_id, withheld, data_version)
  SELECT a.series_id, a.period, $1::date, a.value, s.source_id, s.withheld, $2::integer
  FROM observation_differences a JOIN series s ON s.id = a.series_id
  WHERE a.in_order AND a.value IS NOT NULL
  ORDER BY a.series_id, a.period`;

/** Rows that overlap the range of a difference, or touch it and may merge with it. */
const TAKE_OUT = `
  WITH taken AS (
    DELETE FROM observations o USING observation_differences a
    WHERE NOT a.in_order AND o.series_id = a.series_id AND o.period = a.period
      AND (o.valid_to IS NULL OR o.valid_to >= $1::date) AND (a.next_day IS NULL OR o.valid_from <= a.next_day)
    RETURNING o.*)
  INSERT INTO replaced_observations SELECT * FROM taken`;

const PUT_BACK = `
  WITH pieces AS (
    SELECT series_id, period, valid_from, least(valid_to, $1::date) AS valid_to, value, data_version
    FROM replaced_observations WHERE valid_from < $1::date
    UNION ALL
    SELECT series_id, period, $1::date, next_day, value, $2::integer
    FROM observation_differences WHERE NOT in_order AND value IS NOT NULL
    UNION ALL
    SELECT r.series_id, r.period, greatest(r.valid_from, a.next_day), r.valid_to, r.value, r.data_version
    FROM replaced_observations r JOIN observation_differences a ON a.series_id = r.series_id AND a.period = r.period
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
           (array_agg(data_version ORDER BY valid_from))[1] AS data_version
    FROM runs GROUP BY series_id, period, run
  )
  INSERT INTO observations (series_id, period, valid_from, valid_to, value, source_id, withheld, data_version)
  SELECT j.series_id, j.period, j.valid_from, j.valid_to, j.value, s.source_id, s.withheld, j.data_version
  FROM joined j JOIN series s ON s.id = j.series_id
  ORDER BY j.series_id, j.period, j.valid_from`;

/** Years by which an indicator of a stale copy ends before the others: some are always a year or two late. */
const STALE_YEARS = 3;
/** With fewer indicators, one that ends early has rather ended than been left out. */
const FEWEST_INDICATORS = 5;

const NOTE_VINTAGES = `
  WITH ends AS (
    SELECT s.indicator, max(substring(t.period FROM '\\d{4}')::integer) AS year
    FROM staged_observations t JOIN series s ON s.id = t.series_id WHERE s.indicator IS NOT NULL GROUP BY s.indicator)
  INSERT INTO series_vintages AS v (series_id, day, first_period, last_period, basis, backfilled, changed, partial, data_version)
  SELECT e.series_id, $1::date, e.first_period, e.last_period, $3, e.newer, e.affected > 0,
         coalesce(n.year <= (SELECT max(year) FROM ends HAVING count(*) >= ${FEWEST_INDICATORS}) - ${STALE_YEARS}, false), $2::integer
  FROM declared_coverage e JOIN series s ON s.id = e.series_id LEFT JOIN ends n USING (indicator)
  WHERE NOT e.held OR e.affected > 0
  ON CONFLICT (series_id, day) DO UPDATE SET
    changed = v.changed OR excluded.changed, partial = excluded.partial,
    first_period = least(v.first_period, excluded.first_period),
    last_period = greatest(v.last_period, excluded.last_period)`;

const NOTE_UNHELD = `
  INSERT INTO declared_vintages AS v (indicator, region, day, first_period, last_period, basis, data_version)
  SELECT indicator, region, $1::date, min(first_period), max(last_period), $3, $2::integer
  FROM declared_coverage_without_series GROUP BY indicator, region
  ON CONFLICT (indicator, region, day) DO UPDATE SET
    first_period = least(v.first_period, excluded.first_period),
    last_period = greatest(v.last_period, excluded.last_period)`;

/** A replacement is the whole vintage of its series: the publisher whose delivery it replaces; null: it replaces none. */
export type Replaced = string | null;

/** Series whose vintage of the day is the publisher's own. */
const OWN_VINTAGES = `
  SELECT v.series_id FROM series_vintages v JOIN publications p USING (data_version)
  WHERE v.day = $1::date AND split_part(p.description, ':', 1) = $2`;

/** Outside of what a replacement covers, figures are again what they were before the vintage. */
const TAKE_BACK = `
  INSERT INTO observation_differences (series_id, period, value, held_value, in_order)
  SELECT c.series_id, c.period, b.value, a.value, false
  FROM (
    SELECT DISTINCT o.series_id, o.period FROM declared_coverage e JOIN observations o USING (series_id)
    WHERE e.held AND e.series_id IN (${OWN_VINTAGES})
      AND (o.valid_from = $1::date OR o.valid_to = $1::date)
      AND o.period NOT BETWEEN e.first_period AND e.last_period) c
    LEFT JOIN observations b ON b.series_id = c.series_id AND b.period = c.period
      AND known_on($1::date - 1, b.valid_from, b.valid_to)
    LEFT JOIN observations a ON a.series_id = c.series_id AND a.period = c.period
      AND known_on($1::date, a.valid_from, a.valid_to)
  WHERE b.value IS DISTINCT FROM a.value`;

const NOTE_REPLACED = `
  UPDATE series_vintages v SET first_period = e.first_period, last_period = e.last_period
  FROM declared_coverage e
  WHERE e.series_id = v.series_id AND v.day = $1::date AND e.series_id IN (${OWN_VINTAGES})`;

/** Fills `observation_differences` and completes `declared_coverage`. Without `closes`, absence closes nothing. */
export async function compareWithHeld(
  client: pg.PoolClient,
  day: string,
  closes: boolean,
  replaced: Replaced,
): Promise<void> {
  await client.query(COMPARE_RANGES, [day]);
  await client.query(FIND_AFFECTED, [day, closes]);
  if (replaced !== null && closes) await client.query(TAKE_BACK, [day, replaced]);
  await client.query(COUNT_AFFECTED);
  await client.query('ANALYZE observation_differences');
}

/** Stores the differences as validity ranges and records the vintage. */
export async function assignValidityRanges(
  client: pg.PoolClient,
  { vintage: day, basis }: Pick<Delivery, 'vintage' | 'basis'>,
  dataVersion: number,
  replaced: Replaced,
): Promise<void> {
  await client.query(END_OPEN, [day]);
  await client.query(BEGIN_NEW, [day, dataVersion]);
  await storeRanges(client, day, dataVersion);
  await client.query(NOTE_VINTAGES, [day, dataVersion, basis]);
  await client.query(NOTE_UNHELD, [day, dataVersion, basis]);
  if (replaced !== null) await client.query(NOTE_REPLACED, [day, replaced]);
}

/** Stores the differences that are not in order: rows of later vintages may follow them. */
export async function storeRanges(client: pg.PoolClient, day: string, dataVersion: number): Promise<void> {
  await client.query(FIND_NEXT_DAY, [day]);
  await client.query(TAKE_OUT, [day]);
  await client.query(PUT_BACK, [day, dataVersion]);
}
