// Checks that compare the step to a new figure with those that its series made, and with those of its peers.
import type { Check } from '../publication/check.js';

/** Steps that its series must have made before one is unusual. */
const LEAST_STEPS = 10;
/** Years are few, and have more steps that none before was like: none under a fifth, or under two points, is unusual. */
const LEAST_RATIO = 1.2;
const LEAST_POINTS = 2;

/** Figures of fewer digits repeat by chance. */
const PRECISE = "length(ltrim(abs(trim_scale(value))::text, '0.')) >= 4";

export const AGAINST_HISTORY = {
  unusual: {
    reads: ['added', 'restated'],
    sql: `
  peers AS (
    SELECT kin, period, percentile_cont(0.5) WITHIN GROUP (ORDER BY step) AS usual,
           percentile_cont(0.9) WITHIN GROUP (ORDER BY abs(step)) AS wide
    FROM audited_steps GROUP BY kin, period HAVING count(step) >= 5),
  far AS (
    SELECT t.*, l.unusual AS most, least(abs(t.step), abs(t.step - coalesce(p.usual, 0))) / t.largest AS often
    FROM audited_steps t JOIN audit_limits l USING (subject) LEFT JOIN peers p USING (kin, period)
    WHERE t.many >= ${LEAST_STEPS} AND t.largest > 0 AND abs(t.step) > 1.5 * coalesce(abs(t.stored_step), 0)
      AND abs(t.step) > 2 * coalesce(p.wide, 0)
      AND (t.many >= 100 OR abs(t.step) > CASE WHEN t.is_ratio THEN ln(${LEAST_RATIO}) ELSE ${LEAST_POINTS} END)),
  cells AS (
    SELECT f.subject, f.series_id, f.period, f.value, f.before AS held_value, f.often AS many, f.most FROM far f
    -- In a crash, other figures of the country move as far the same way.
    WHERE f.often > f.most AND NOT EXISTS (
      SELECT FROM audited_steps o
      WHERE o.region = f.region AND o.period = f.period AND o.series_id <> f.series_id AND o.is_ratio = f.is_ratio
        AND abs(o.step) > o.largest AND abs(o.step - f.step) < abs(f.step) / 2))`,
    says: (many) =>
      `a step of ${Number(many.toPrecision(3))} times the largest that the series made, and nothing else moved so`,
  },
  copied: {
    reads: ['added', 'restated'],
    sql: `
  cells AS (
    SELECT subject, series_id, period, value, before AS held_value, 0 AS many, 0 AS most FROM audited_steps
    -- A price may well close where it did.
    WHERE step = 0 AND NOT still AND region IS NOT NULL AND many >= ${LEAST_STEPS} AND ${PRECISE})`,
    says: () => 'the same as the period before, to the last digit, which no figure of the series ever was',
  },
  turned: {
    reads: ['added', 'restated'],
    sql: `
  mirrored AS (
    SELECT t.*, value * before < 0 AND abs(value + before) < 0.3 * abs(value - before) AS turns FROM audited_steps t
    WHERE held_value IS NULL AND many >= ${LEAST_STEPS}),
  often AS (
    -- Growth turns in a recession, but not into the same figure with the other sign.
    SELECT kin, period FROM mirrored GROUP BY kin, period
    HAVING count(*) FILTER (WHERE turns) >= greatest(5, count(*) * 0.4)),
  cells AS (
    SELECT subject, series_id, period, value, held_value, 0 AS many, 0 AS most FROM audited_steps
    WHERE value <> 0 AND abs(value + held_value) <= abs(held_value) / 1000000 AND ${PRECISE}
    UNION ALL
    SELECT subject, series_id, period, value, before, 0, 0 FROM mirrored JOIN often USING (kin, period) WHERE turns)`,
    says: () => 'what was given with the other sign before',
  },
} satisfies Readonly<Record<string, Check>>;
