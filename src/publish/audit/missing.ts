// Checks that find figures which stand for a missing one, and days of one instrument that are missing among others.
import type { Check } from '../publication/check.js';

export const MISSING = {
  zero: {
    reads: 'all',
    sql: `
  zeros AS (
    SELECT c.*, l.factor, l.points FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE c.value = 0 AND c.held_value IS DISTINCT FROM 0),
  own AS (
    -- Levels grow: their newest figures say how far from zero they are. Shares and rates return to where they were.
    SELECT z.series_id, count(*) AS count, min(abs(o.value)) AS least,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(o.value)) AS median
    FROM (SELECT DISTINCT series_id, factor FROM zeros) z CROSS JOIN LATERAL (
      SELECT value, row_number() OVER (ORDER BY period DESC) AS number FROM observations
      WHERE series_id = z.series_id AND known_on($1::date - 1, valid_from, valid_to)) o
    WHERE z.factor IS NULL OR o.number <= 10 GROUP BY z.series_id),
  others AS (
    SELECT coalesce(s.instrument, s.indicator) AS subject
    FROM series s JOIN observations o ON o.series_id = s.id
    WHERE coalesce(s.instrument, s.indicator) IN (
        SELECT subject FROM zeros WHERE series_id NOT IN (SELECT series_id FROM own))
      AND known_on($1::date - 1, o.valid_from, o.valid_to)
    GROUP BY 1 HAVING count(*) >= 100 AND bool_and(o.value <> 0)),
  given AS (SELECT series_id, min(abs(value)) AS least FROM audited_figures WHERE value <> 0 GROUP BY series_id),
  cells AS (
    SELECT z.subject, z.series_id, z.period, z.value, z.held_value, 0 AS many, 0 AS most
    FROM zeros z LEFT JOIN own w USING (series_id) LEFT JOIN others o ON w.series_id IS NULL AND o.subject = z.subject
      LEFT JOIN given g ON g.series_id = z.series_id
    -- Short yields were a few hundredths of a percent before they reached zero in 2021, also in a file of older years.
    WHERE o.subject IS NOT NULL
      OR w.count >= 5 AND least(w.least, g.least) > w.median / 5
        AND (z.factor IS NOT NULL OR least(w.least, g.least) >= z.points / 5))`,
    says: () => 'zero, which no figure before was near: it may be missing',
  },
  missing_code: {
    reads: 'all',
    sql: `
  coded AS (
    SELECT c.*, count(*) OVER (PARTITION BY c.subject, c.value) AS times
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE l.codes AND c.value IN (-99, -99.9, -99.99, -999, -999.9, -999.99, -9999, -99999, -999999, 9999, 99999, 999999, 9999999)),
  cells AS (
    -- One price of 9999 may be a price.
    SELECT subject, series_id, period, value, held_value, 0 AS many, 0 AS most FROM coded WHERE value < 0 OR times > 1)`,
    says: () => 'which is a usual code for a missing figure',
  },
  missing_days: {
    reads: ['closed', 'added'],
    sql: `
  closed AS (
    SELECT c.series_id, c.subject, c.period, c.held_value, l.source
    FROM audited_figures c JOIN audit_limits l USING (subject) WHERE c.value IS NULL AND l.frequency = 'D'),
  spans AS (
    -- Not of an instrument that had prices no more: the krona of Iceland came back after nine years.
    SELECT * FROM (
      SELECT a.series_id, a.subject, l.source, n.period AS after, max(a.period) AS until,
             max(n.period) OVER (PARTITION BY l.source) AS newest
      FROM audited_additions a JOIN audited_last_figures n USING (series_id) JOIN audit_limits l ON l.subject = a.subject
      WHERE l.frequency = 'D' GROUP BY a.series_id, a.subject, l.source, n.period) f
    WHERE after::date >= newest::date - 7),
  days AS (
    SELECT l.source, t.period, row_number() OVER (PARTITION BY l.source ORDER BY t.period) AS number
    FROM staged_observations t JOIN series s ON s.id = t.series_id JOIN audit_limits l ON l.subject = s.instrument
    WHERE l.frequency = 'D'
      AND t.period >= (SELECT min(first) FROM (SELECT period AS first FROM closed UNION ALL SELECT after FROM spans) f)
    GROUP BY l.source, t.period HAVING count(*) >= 2),
  lacking AS (
    SELECT c.series_id, c.subject, c.period, c.held_value, d.number FROM closed c JOIN days d USING (source, period)
    UNION ALL
    SELECT p.series_id, p.subject, d.period, null, d.number
    FROM spans p JOIN days d ON d.source = p.source AND d.period > p.after AND d.period < p.until
    WHERE NOT EXISTS (SELECT FROM staged_observations t WHERE t.series_id = p.series_id AND t.period = d.period)),
  runs AS (
    SELECT *, number - row_number() OVER (PARTITION BY series_id ORDER BY number) AS run FROM lacking),
  long AS (
    -- Henry Hub had no price for nine days of 2005, after a hurricane.
    SELECT series_id, run FROM runs GROUP BY series_id, run
    HAVING count(*) >= CASE WHEN bool_or(held_value IS NOT NULL) THEN 5 ELSE 15 END),
  cells AS (
    SELECT r.subject, r.series_id, r.period, null::numeric AS value, r.held_value, 0 AS many, 0 AS most
    FROM runs r JOIN long USING (series_id, run))`,
    says: () => 'missing for days in a row, on which others of the publisher have prices',
  },
} satisfies Readonly<Record<string, Check>>;
