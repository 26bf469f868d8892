// Checks of new figures beside other series of the same delivery: another column, another row, another day, fewer digits.
import type { Check } from '../publication/check.js';
import { digitsOf } from './misplaced.js';

/** How many digits a figure has, without zeros at either end. */
const countOfDigits = (value: string): string =>
  `length(trim('0' FROM replace(trim_scale(abs(${value}))::text, '.', '')))`;

/** The newest of the new figures of each series: a delivery of years would be compared with all that is stored. */
const NEWEST = `
  newest AS (SELECT DISTINCT ON (series_id) * FROM audited_additions ORDER BY series_id, period DESC)`;

/** Those of indicators, with their region and the line of the file. */
const COLUMNS = `${NEWEST},
  given AS (
    SELECT a.*, s.region, t.file, t.line FROM newest a JOIN series s ON s.id = a.series_id
      -- The median of a group is the figure of one of its countries.
      JOIN regions r ON r.code = s.region AND r.kind = 'country'
      JOIN staged_observations t ON t.series_id = a.series_id AND t.period = a.period
    WHERE a.before IS NOT NULL)`;

export const BESIDE_OTHERS = {
  borrowed: {
    reads: ['added'],
    sql: `${COLUMNS},
  alike AS (
    SELECT g.*, o.indicator AS other FROM given g
      JOIN series o ON o.region = g.region AND o.indicator <> g.subject
      JOIN staged_observations t ON t.series_id = o.id AND t.period = g.period AND ${digitsOf('t.value')} = ${digitsOf('g.value')}
      JOIN audited_last_figures n ON n.series_id = g.series_id
      LEFT JOIN observations b ON b.series_id = o.id AND b.period = n.period AND known_on($1::date - 1, b.valid_from, b.valid_to)
    -- Two indicators of one meaning were alike before.
    WHERE b.value IS NULL OR ${digitsOf('b.value')} <> ${digitsOf('n.value')}),
  columns AS (
    SELECT subject, period FROM alike a GROUP BY subject, period, other
    HAVING count(*) >= greatest(3, (SELECT count(*) FROM given g WHERE g.subject = a.subject AND g.period = a.period) / 2)),
  cells AS (
    SELECT g.subject, g.series_id, g.period, g.value, g.before AS held_value, 0 AS many, 0 AS most
    FROM given g WHERE (g.subject, g.period) IN (SELECT subject, period FROM columns))`,
    says: () => 'new, and what another indicator has in these countries: a column may stand under another name',
  },
  neighbours: {
    reads: ['added'],
    sql: `${COLUMNS},
  ordered AS (
    SELECT *, lag(before) OVER w AS above, lead(before) OVER w AS below, abs(value - before) AS own
    FROM given WINDOW w AS (PARTITION BY subject, period ORDER BY file, line)),
  columns AS (
    SELECT subject, period FROM ordered GROUP BY subject, period
    HAVING greatest(count(*) FILTER (WHERE abs(value - above) * 4 < own), count(*) FILTER (WHERE abs(value - below) * 4 < own))
      >= greatest(5, count(*) * 0.6)),
  pairs AS (
    SELECT a.region, b.region AS other,
           (abs(a.value - b.before) + abs(b.value - a.before)) * 6 < a.own + b.own AS crossed
    FROM ordered a JOIN ordered b ON b.subject = a.subject AND b.period = a.period AND b.region <> a.region
    WHERE a.own > abs(a.before) / 10 AND b.own > abs(b.before) / 10),
  exchanged AS (
    SELECT region FROM pairs p GROUP BY region, other
    HAVING count(*) FILTER (WHERE crossed) >= greatest(5, (SELECT count(*) FROM ordered o WHERE o.region = p.region) * 0.4)),
  cells AS (
    SELECT o.subject, o.series_id, o.period, o.value, o.before AS held_value, 0 AS many, 0 AS most FROM ordered o
    WHERE (o.subject, o.period) IN (SELECT subject, period FROM columns) OR o.region IN (SELECT region FROM exchanged))`,
    says: () => 'new, and nearer to what another country had: rows may be moved or exchanged',
  },
  shared: {
    reads: ['added'],
    sql: `${COLUMNS},
  equal AS (
    -- Some currencies are of several countries.
    SELECT subject, period, value FROM given JOIN indicators i ON i.slug = subject AND i.unit NOT LIKE 'lcu_per_%'
    GROUP BY subject, period, value
    HAVING count(DISTINCT before) > 1 AND count(*) >= CASE
      WHEN ${countOfDigits('value')} >= 8 THEN 2 WHEN ${countOfDigits('value')} >= 5 THEN 3 END),
  cells AS (
    SELECT g.subject, g.series_id, g.period, g.value, g.before AS held_value, 0 AS many, 0 AS most
    FROM given g JOIN equal USING (subject, period, value))`,
    says: () => 'new, and equal to the last digit in countries that differed before: a cell may have been filled down',
  },
  coarse: {
    reads: ['added'],
    sql: `${NEWEST},
  given AS (
    SELECT a.*, coalesce(s.indicator, s.source_id || l.frequency) AS kin, ${countOfDigits('a.value')} AS digits, o.least, o.usual,
           coalesce(i.unit LIKE 'lcu_per_%', false) AS is_rate
    FROM newest a JOIN series s ON s.id = a.series_id LEFT JOIN indicators i ON i.slug = s.indicator
      JOIN audit_limits l USING (subject) CROSS JOIN LATERAL (
      SELECT count(*) AS many, min(digits) AS least, percentile_disc(0.5) WITHIN GROUP (ORDER BY digits) AS usual FROM (
        SELECT ${countOfDigits('value')} AS digits FROM observations
        WHERE series_id = a.series_id AND known_on($1::date - 1, valid_from, valid_to) AND value <> 0
        ORDER BY period DESC LIMIT 10) n) o
    WHERE o.many >= 8),
  columns AS (
    SELECT kin, period, count(*) FILTER (WHERE digits <= least(3, usual - 2)) >= greatest(5, count(*) * 0.8) AS are_coarse,
           percentile_disc(0.5) WITHIN GROUP (ORDER BY digits - usual) > -2 AS stay
    FROM given GROUP BY kin, period),
  cells AS (
    SELECT subject, series_id, period, value, before AS held_value, digits AS many, usual AS most
    FROM given JOIN columns USING (kin, period)
    -- One figure among others that have their digits; a currency may be pegged to a round number.
    WHERE least >= 6 AND digits <= 2 AND stay AND NOT is_rate OR are_coarse AND digits <= usual - 2)`,
    says: (many, most) =>
      `new, with ${many} digits where there were ${most}: decimals may be lost, or the figure may stand for a missing one`,
  },
  older: {
    reads: ['added'],
    sql: `${NEWEST},
  given AS (
    SELECT a.*, coalesce(s.indicator, s.source_id || l.frequency) AS kin
    FROM newest a JOIN series s ON s.id = a.series_id JOIN audit_limits l USING (subject)),
  again AS (
    SELECT g.kin, g.period FROM given g JOIN observations o ON o.series_id = g.series_id AND o.value = g.value
      AND known_on($1::date - 1, o.valid_from, o.valid_to) AND o.value <> 0
    GROUP BY g.kin, g.period, o.period
    HAVING count(*) >= greatest(5, (SELECT count(*) FROM given k WHERE k.kin = g.kin AND k.period = g.period) * 0.8)),
  cells AS (
    SELECT g.subject, g.series_id, g.period, g.value, g.before AS held_value, 0 AS many, 0 AS most
    FROM given g WHERE (g.kin, g.period) IN (SELECT kin, period FROM again))`,
    says: () => 'new, and what an older period has: an old day may have been given as a new one',
  },
  average: {
    reads: ['added', 'restated'],
    sql: `
  averages AS (
    SELECT c.*, d.id AS daily FROM audited_figures c JOIN series d
      ON d.instrument = regexp_replace(c.subject, '-(weekly|monthly)-average$', '') AND d.instrument <> c.subject
    WHERE c.value <> 0),
  closes AS (
    SELECT a.series_id, a.period, avg(f.value) AS mean, array_agg(f.period) AS days FROM averages a JOIN (
        SELECT series_id, period, value FROM staged_observations
        UNION SELECT series_id, period, value FROM observations WHERE known_on($1::date, valid_from, valid_to)) f
      ON f.series_id = a.daily AND CASE WHEN a.period LIKE '%W%' THEN to_char(f.period::date, 'IYYY-"W"IW') ELSE left(f.period, 7) END = a.period
    GROUP BY a.series_id, a.period),
  off AS (
    SELECT a.*, m.mean, m.days FROM averages a JOIN closes m USING (series_id, period)
    WHERE cardinality(m.days) >= CASE WHEN a.period LIKE '%W%' THEN 4 ELSE 17 END AND abs(a.value / m.mean - 1) > 0.015),
  cells AS (
    SELECT subject, series_id, period, value, held_value, mean AS many, 0 AS most FROM off
    UNION ALL
    -- Of several averages, the days may as well be the error.
    SELECT DISTINCT ON (c.series_id, c.period) c.subject, c.series_id, c.period, c.value, c.held_value, o.mean, 0
    FROM off o JOIN audited_figures c ON c.series_id = o.daily AND c.period = ANY (o.days)
    WHERE c.value IS NOT NULL AND (SELECT count(*) FROM off w WHERE w.daily = o.daily) >= 2)`,
    says: (many) => `an average, and the mean of its days, ${Number(many.toPrecision(4))}, differ`,
  },
  hole: {
    reads: ['closed'],
    sql: `
  closed AS (
    SELECT c.*, s.indicator FROM audited_figures c JOIN series s ON s.id = c.series_id
    WHERE c.value IS NULL AND s.indicator IS NOT NULL
      AND EXISTS (SELECT FROM staged_observations t WHERE t.series_id = c.series_id AND t.period > c.period)),
  columns AS (
    SELECT c.subject, c.period FROM closed c GROUP BY c.subject, c.period
    HAVING count(*) >= 5 AND count(*) >= 0.5 * (
      SELECT count(*) FROM series s JOIN observations o ON o.series_id = s.id AND o.period = c.period
      WHERE s.indicator = c.subject AND known_on($1::date, o.valid_from, o.valid_to))),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM closed c JOIN columns USING (subject, period))`,
    says: () => 'no longer given for most countries, though later ones are: a column may be missing',
  },
} satisfies Readonly<Record<string, Check>>;
