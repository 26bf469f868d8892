// Checks that compare the step to a new figure with those that its series made, and with those of its peers.
import { NOISE } from '../../domain/figures/noise.js';
import type { Check } from '../publication/check.js';

/** Steps that its series must have made before one is unusual. */
const LEAST_STEPS = 10;
/** A price may be calm for months. */
const LEAST_PRICES = 100;
/** Years are few, and have more steps that none before was like: none under a fifth, or under two points, is unusual. */
const LEAST_RATIO = 1.2;
const LEAST_POINTS = 2;
/** Beyond so many times the largest step, a twentieth is unusual. */
const FAR_BEYOND = 4;

/** A yield moves with the others: so many times as far from them as ever in a year is unusual. */
const APART = 1.75;
/** A price stood still for five days three times among forty currencies in 27 years, and then often. */
const DAYS_STILL = 5;

/** Figures of fewer digits repeat by chance. */
const PRECISE = "length(ltrim(abs(trim_scale(value))::text, '0.')) >= 4";

export const AGAINST_HISTORY = {
  unusual: {
    reads: ['added', 'restated'],
    sql: `
  peers AS (
    SELECT kin, period, percentile_cont(0.5) WITHIN GROUP (ORDER BY step) AS usual,
           -- Of peers that moved as they never did, most are wrong as well.
           least(percentile_cont(0.9) WITHIN GROUP (ORDER BY abs(step)),
                 1.5 * percentile_cont(0.9) WITHIN GROUP (ORDER BY largest)) AS wide
    FROM audited_steps GROUP BY kin, period HAVING count(step) >= 5),
  far AS (
    SELECT t.*, l.unusual AS most, least(abs(t.step), abs(t.step - coalesce(p.usual, 0))) / t.largest AS often
    FROM audited_steps t JOIN audit_limits l USING (subject) LEFT JOIN peers p USING (kin, period)
    WHERE t.many >= CASE WHEN t.is_ratio AND t.region IS NULL THEN ${LEAST_PRICES} ELSE ${LEAST_STEPS} END AND t.largest > 0 AND abs(t.step) > 1.5 * coalesce(abs(t.stored_step), 0)
      AND abs(t.step) > 2 * coalesce(p.wide, 0)
      AND (t.many >= 100 OR abs(t.step) > CASE WHEN t.is_ratio THEN ln(${LEAST_RATIO}) ELSE ${LEAST_POINTS} END
        OR t.is_ratio AND abs(t.step) > greatest(${FAR_BEYOND} * t.largest, ln(1.05)))
    UNION ALL
    SELECT t.*, ${APART}, abs(t.step - p.usual) / t.apart
    FROM audited_steps t JOIN peers p USING (kin, period)
    WHERE NOT t.is_ratio AND t.region IS NULL AND t.apart > 0),
  cells AS (
    SELECT DISTINCT ON (f.series_id, f.period)
           f.subject, f.series_id, f.period, f.value, f.before AS held_value, f.often AS many, f.most FROM far f
    -- In a crash, other figures of the country move as far the same way.
    WHERE f.often > f.most AND NOT EXISTS (
      SELECT FROM audited_steps o
      WHERE o.region = f.region AND o.period = f.period AND o.series_id <> f.series_id AND o.is_ratio = f.is_ratio
        AND abs(o.step) > o.largest AND abs(o.step - f.step) < abs(f.step) / 2)
    ORDER BY f.series_id, f.period, f.often DESC)`,
    says: (many) =>
      `a step of ${Number(many.toPrecision(3))} times the largest that the series made, by itself or beside its peers, and nothing else moved so`,
  },
  together: {
    reads: ['added'],
    sql: `
  newest AS (
    SELECT DISTINCT ON (series_id) * FROM audited_steps WHERE held_value IS NULL AND region IS NOT NULL AND step IS NOT NULL
    ORDER BY series_id, period DESC),
  now AS (
    SELECT kin, period, bool_or(is_ratio) AS is_ratio, percentile_cont(0.5) WITHIN GROUP (ORDER BY step) AS step
    FROM newest GROUP BY kin, period HAVING count(*) >= 10),
  stored AS (
    SELECT n.kin, n.is_ratio, o.period, o.value::float8 AS value,
           lag(o.value::float8) OVER (PARTITION BY o.series_id ORDER BY o.period) AS before
    FROM (SELECT DISTINCT kin, is_ratio FROM now) n JOIN series s ON s.indicator = n.kin JOIN observations o ON o.series_id = s.id
    WHERE known_on($1::date - 1, o.valid_from, o.valid_to)),
  medians AS (
    SELECT kin, abs(percentile_cont(0.5) WITHIN GROUP (ORDER BY CASE WHEN NOT is_ratio THEN value - before
             WHEN value > 0 AND before > 0 THEN ln(value / before) END)) AS step
    FROM stored WHERE before IS NOT NULL GROUP BY kin, period HAVING count(*) >= 10),
  usual AS (SELECT kin, max(step) AS largest FROM medians GROUP BY kin HAVING count(*) >= ${LEAST_STEPS}),
  cells AS (
    SELECT n.subject, n.series_id, n.period, n.value, n.before AS held_value, abs(m.step) / u.largest AS many, 0 AS most
    FROM newest n JOIN now m USING (kin, period) JOIN usual u USING (kin) WHERE abs(m.step) > 2.5 * u.largest)`,
    says: (many) =>
      `new, and on the median ${Number(many.toPrecision(3))} times farther from the period before than in any year: another definition`,
  },
  copied: {
    reads: ['added', 'restated'],
    sql: `
  cells AS (
    SELECT subject, series_id, period, value, before AS held_value, 0 AS many, 0 AS most
    FROM audited_steps JOIN audit_limits USING (subject)
    -- A price may well close where it did, but hardly average the same in two months.
    WHERE step = 0 AND NOT still AND (region IS NOT NULL OR frequency = 'M') AND many >= ${LEAST_STEPS} AND ${PRECISE})`,
    says: () => 'the same as the period before, to the last digit, which no figure of the series ever was',
  },
  still: {
    reads: ['added'],
    sql: `
  standing AS (SELECT DISTINCT series_id FROM audited_steps JOIN audit_limits USING (subject)
    WHERE step = 0 AND region IS NULL AND frequency = 'D' AND many >= 100),
  closes AS (
    SELECT series_id, subject, period, value, true AS is_new FROM audited_additions JOIN standing USING (series_id)
    UNION ALL
    SELECT d.series_id, null, o.period, o.value, false FROM standing d CROSS JOIN LATERAL (
      SELECT period, value FROM observations WHERE series_id = d.series_id AND known_on($1::date, valid_from, valid_to)
      ORDER BY period DESC LIMIT 250) o),
  begun AS (
    SELECT *, (value IS DISTINCT FROM lag(value) OVER (PARTITION BY series_id ORDER BY period))::int AS begins FROM closes),
  runs AS (SELECT *, sum(begins) OVER (PARTITION BY series_id ORDER BY period) AS run FROM begun),
  lengths AS (
    SELECT series_id, run, count(*) AS days, max(run) OVER (PARTITION BY series_id) AS newest
    FROM runs GROUP BY series_id, run),
  cells AS (
    SELECT r.subject, r.series_id, r.period, r.value, r.value AS held_value, n.days AS many, 0 AS most
    FROM runs r JOIN lengths n USING (series_id, run)
    -- A price that moved on stood still in earnest.
    WHERE r.is_new AND n.run = n.newest AND n.days >= ${DAYS_STILL}
      AND n.days > 2 * (SELECT max(b.days) FROM lengths b WHERE b.series_id = n.series_id AND b.run < n.run))`,
    says: (many) => `the same price on ${many} days in a row, more than twice as many as ever in the year before`,
  },
  turned: {
    reads: ['added', 'restated'],
    sql: `
  mirrored AS (
    SELECT t.*, value * before < 0 AND abs(value + before) < 0.3 * abs(value - before) AS turns,
           before < 0 AND value > 0 AND value BETWEEN abs(before) / 3 AND abs(before) * 3 AS lost FROM audited_steps t
    WHERE held_value IS NULL AND many >= ${LEAST_STEPS}),
  often AS (
    -- Growth turns in a recession, but not into the same figure with the other sign.
    SELECT kin, period FROM mirrored GROUP BY kin, period
    HAVING count(*) FILTER (WHERE turns) >= greatest(5, count(*) * 0.4)
      -- All that were below zero are above: brackets for a minus sign were lost.
      OR count(*) FILTER (WHERE lost) >= greatest(5, 0.6 * count(*) FILTER (WHERE before < 0))
        AND count(*) FILTER (WHERE before < 0 AND value < 0) = 0),
  cells AS (
    SELECT subject, series_id, period, value, held_value, 0 AS many, 0 AS most FROM audited_steps
    WHERE value <> 0 AND abs(value + held_value) <= abs(held_value) * ${NOISE} AND ${PRECISE}
    UNION ALL
    SELECT subject, series_id, period, value, before, 0, 0 FROM mirrored JOIN often USING (kin, period) WHERE turns OR lost
    UNION ALL
    -- Oil fell below zero once, to twice what it had been above it.
    SELECT subject, series_id, period, value, before, 0, 0 FROM mirrored WHERE turns AND is_ratio AND region IS NULL
    UNION ALL
    -- A first figure below zero is closer to it than those above it were.
    SELECT m.subject, m.series_id, m.period, m.value, m.before, 0, 0 FROM mirrored m CROSS JOIN LATERAL (
      SELECT min(o.value) AS least, percentile_cont(0.5) WITHIN GROUP (ORDER BY o.value) AS usual FROM observations o
      WHERE o.series_id = m.series_id AND known_on($1::date - 1, o.valid_from, o.valid_to)) o
    WHERE m.value < 0 AND m.before > 0 AND m.region IS NOT NULL AND o.least > 0 AND -m.value > o.usual / 2)`,
    says: () => 'what was given with the other sign before',
  },
} satisfies Readonly<Record<string, Check>>;
