// Checks that find figures of another series or another period, or lost at the end of a file.
import type { Check } from '../publication/check.js';

/** The first five digits: publishers' last ones move. The logarithm of a double takes a tenth of the time. */
export const digitsOf = (value: string): string =>
  `round(${value}, 4 - floor(log(abs(nullif(${value}, 0))::float8))::integer)`;

/** So many digits of a figure two countries have in common by a mistake, or because they share a currency. */
const DIGITS_OF_ONE = 7;

/** A shifted file may restate some figures a little as well. */
const nearTo = (neighbour: string): string => `abs(c.value - ${neighbour}) <= 0.02 * abs(c.value - c.held_value)`;

export const MISPLACED = {
  swapped: {
    reads: ['added', 'closed', 'restated'],
    sql: `
  twins AS (
    SELECT c.*, o.series_id AS other, a.before, count(*) OVER (PARTITION BY c.series_id, o.series_id) AS shared,
           count(*) OVER (PARTITION BY c.series_id, c.period) AS others
    FROM audited_figures c JOIN staged_observations o ON o.period = c.period AND o.value = c.value AND o.series_id <> c.series_id
      JOIN series s ON s.id = c.series_id JOIN series t ON t.id = o.series_id AND t.indicator = s.indicator
      -- The median of a group is the figure of one of its countries.
      JOIN regions r ON r.code = s.region AND r.kind = 'country' JOIN regions q ON q.code = t.region AND q.kind = 'country'
      LEFT JOIN audited_additions a ON a.series_id = c.series_id AND a.period = c.period
    WHERE length(trim('0' FROM replace(trim_scale(abs(c.value))::text, '.', ''))) >= ${DIGITS_OF_ONE}),
  delivered AS (
    SELECT c.*, s.indicator, s.region, s.source_id, ${digitsOf('c.value')} AS digits
    FROM audited_figures c JOIN series s ON s.id = c.series_id
    WHERE c.value <> 0 AND abs(c.value - coalesce(c.held_value, 0)) > abs(coalesce(c.held_value, 0)) / 1000),
  others AS (
    SELECT series_id, period, ${digitsOf('value')} AS digits, is_stored, is_replaced
    FROM (SELECT series_id, period, held_value AS value, true AS is_stored, true AS is_replaced FROM audited_figures
          UNION ALL SELECT series_id, period, value, false, false FROM staged_observations
          UNION ALL SELECT series_id, period, value, true, false FROM observations
            WHERE known_on($1::date - 1, valid_from, valid_to)) f
    WHERE value <> 0),
  moved AS (
    SELECT DISTINCT a.*, o.series_id AS other,
           count(*) FILTER (WHERE NOT o.is_stored) OVER (PARTITION BY a.series_id, a.period) AS alike
    FROM delivered a JOIN others o ON o.period = a.period AND o.digits = a.digits AND o.series_id <> a.series_id
      JOIN series t ON t.id = o.series_id AND (t.indicator = a.indicator OR t.region = a.region
        OR t.source_id = a.source_id AND t.instrument IS NOT NULL)
    -- A new series equals others: groups of countries have the same members.
    WHERE a.held_value IS NOT NULL OR o.is_replaced
      OR t.instrument IS NOT NULL AND NOT o.is_stored AND length(translate(trim_scale(abs(a.value))::text, '.', '')) >= 4),
  likely AS (
    -- Members of the euro have one exchange rate.
    SELECT m.series_id, m.other FROM moved m WHERE m.alike <= 2 GROUP BY m.series_id, m.other
    HAVING count(*) >= 3 AND (count(*) >= 5 AND bool_and(m.indicator IS NULL)
        OR count(*) * 2 >= (SELECT count(*) FROM delivered a WHERE a.series_id = m.series_id))
      -- They were alike before: the dollars of the United States are its international dollars.
      AND NOT coalesce((SELECT avg((${digitsOf('a.value')} = ${digitsOf('b.value')})::integer) >= 0.02 FROM observations a JOIN observations b USING (period)
        WHERE a.series_id = m.series_id AND b.series_id = m.other AND a.valid_to IS NULL AND b.valid_to IS NULL), false)),
  cells AS (
    SELECT DISTINCT ON (m.series_id, m.period) m.subject, m.series_id, m.period, m.value, m.held_value, 0 AS many, 0 AS most
    FROM moved m JOIN likely USING (series_id, other)
    UNION
    SELECT w.subject, w.series_id, w.period, w.value, w.held_value, 0, 0 FROM twins w
    -- Countries that share a currency have more figures in common.
    WHERE w.shared <= 2 AND w.others = 1
      AND abs(w.value - coalesce(w.held_value, w.before)) > abs(w.value) / 50 AND NOT EXISTS (
      SELECT FROM observations a JOIN observations b USING (period)
      WHERE a.series_id = w.series_id AND b.series_id = w.other AND a.value = b.value))`,
    says: () => 'what another series is: a file or a row may stand under another name',
  },
  swapped_new: {
    reads: ['added'],
    sql: `
  quoted AS (
    SELECT a.*, s.source_id FROM audited_additions a JOIN series s ON s.id = a.series_id
    WHERE s.instrument IS NOT NULL AND a.before IS NOT NULL AND a.value <> a.before),
  crossed AS (
    SELECT a.*, b.series_id AS other
    FROM quoted a JOIN quoted b ON b.period = a.period AND b.source_id = a.source_id AND b.series_id <> a.series_id
    -- Two short yields crossed on 24 June 2025: each came within a quarter of its step of where the other one had stood.
    WHERE (abs(a.value - b.before) + abs(b.value - a.before)) * 6 < abs(a.value - a.before) + abs(b.value - b.before)),
  nearer AS (
    SELECT a.series_id, a.period FROM quoted a
    WHERE EXISTS (
      SELECT FROM quoted b WHERE b.period = a.period AND b.source_id = a.source_id AND b.series_id <> a.series_id
        AND abs(a.value - b.before) * 4 < abs(a.value - a.before))),
  usual AS (
    SELECT c.series_id, o.step FROM (
      SELECT series_id FROM crossed UNION SELECT series_id FROM nearer) c CROSS JOIN LATERAL (
      SELECT avg(abs(value - before)) AS step FROM (
        SELECT value, lag(value) OVER (ORDER BY period) AS before FROM (
          SELECT period, value FROM observations
          WHERE series_id = c.series_id AND known_on($1::date, valid_from, valid_to)
          ORDER BY period DESC LIMIT 250) newest) steps) o),
  far AS (
    SELECT c.* FROM crossed c JOIN usual u USING (series_id) WHERE abs(c.value - c.before) > 6 * u.step),
  shifted AS (
    SELECT q.source_id, q.period FROM quoted q LEFT JOIN nearer n USING (series_id, period) LEFT JOIN usual u USING (series_id)
    GROUP BY q.source_id, q.period
    HAVING count(*) >= 5
      AND count(*) FILTER (WHERE n.series_id IS NOT NULL AND abs(q.value - q.before) > 6 * u.step) >= count(*) * 0.8),
  cells AS (
    SELECT DISTINCT ON (f.series_id, f.period) f.subject, f.series_id, f.period, f.value, f.before AS held_value,
           0 AS many, 0 AS most
    FROM far f JOIN far g ON g.series_id = f.other AND g.period = f.period AND g.other = f.series_id
    UNION
    SELECT q.subject, q.series_id, q.period, q.value, q.before, 0, 0 FROM quoted q JOIN shifted USING (source_id, period))`,
    says: () => 'where another series stood, which is new where this one stood: columns may be swapped',
  },
  moved: {
    reads: ['restated'],
    sql: `
  restated AS (
    SELECT DISTINCT series_id FROM audited_figures WHERE value IS NOT NULL AND held_value IS NOT NULL),
  stored AS (
    SELECT o.series_id, o.period, lag(o.value) OVER s AS before, lead(o.value) OVER s AS after
    FROM restated JOIN observations o USING (series_id)
    WHERE known_on($1::date, o.valid_from, o.valid_to)
    WINDOW s AS (PARTITION BY o.series_id ORDER BY o.period)),
  compared AS (
    SELECT c.*, coalesce(n.indicator, n.source_id) AS column_key, s.before, s.after,
           coalesce(${nearTo('s.before')}, false) AS later, coalesce(${nearTo('s.after')}, false) AS earlier
    FROM audited_figures c JOIN stored s USING (series_id, period) JOIN series n ON n.id = c.series_id
    WHERE c.value IS NOT NULL AND c.held_value IS NOT NULL),
  healed AS (
    -- A figure with so many decimals does not recur by chance: the stored series had a period twice.
    SELECT DISTINCT series_id FROM compared
    WHERE scale(trim_scale(held_value)) >= 6 AND value <> held_value
      AND held_value = CASE WHEN earlier THEN before WHEN later THEN after END),
  rows AS (
    SELECT series_id FROM compared WHERE series_id NOT IN (SELECT series_id FROM healed) GROUP BY series_id
    HAVING greatest(count(*) FILTER (WHERE later), count(*) FILTER (WHERE earlier)) >= greatest(3, count(*) / 2.0)),
  columns AS (
    SELECT column_key, period FROM compared GROUP BY column_key, period
    HAVING count(*) FILTER (WHERE later) >= greatest(5, count(*) * 0.9)),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most FROM compared c
    WHERE (c.later OR c.earlier) AND (
      c.series_id IN (SELECT series_id FROM rows) OR (c.column_key, c.period) IN (SELECT column_key, period FROM columns)))`,
    says: () => 'what the period beside it was: rows or columns may have moved by one',
  },
  partial: {
    reads: ['added'],
    sql: `
  given AS (
    SELECT l.source, l.frequency, a.period, count(*) AS count
    FROM audited_additions a JOIN series s ON s.id = a.series_id JOIN audit_limits l USING (subject)
    WHERE s.instrument IS NOT NULL GROUP BY l.source, l.frequency, a.period),
  stood AS (
    SELECT l.source, l.frequency, o.period, count(*) AS count
    FROM audit_limits l JOIN series s ON s.instrument = l.subject CROSS JOIN LATERAL (
      SELECT period FROM observations
      WHERE series_id = s.id AND known_on($1::date, valid_from, valid_to)
      ORDER BY period DESC LIMIT 1) o
    WHERE l.source IN (SELECT source FROM given) GROUP BY l.source, l.frequency, o.period),
  newest AS (SELECT DISTINCT ON (source, frequency) * FROM stood ORDER BY source, frequency, period DESC),
  cells AS (
    SELECT g.source AS subject, null::integer AS series_id, g.period, null::numeric AS value,
           null::numeric AS held_value, g.count AS many, n.count AS most
    FROM given g JOIN newest n USING (source, frequency) WHERE g.period > n.period AND n.count >= 5 AND g.count * 2 <= n.count)`,
    says: (many, most) => `given for ${many} instruments, after ${most} on the last stored day: columns may be missing`,
  },
  inverted: {
    reads: ['added', 'restated'],
    sql: `
  quoted AS (
    SELECT a.*, 10 AS most FROM audited_additions a JOIN series s ON s.id = a.series_id JOIN instruments i ON i.key = s.instrument
    WHERE i.kind = 'fx' AND a.before > 0 AND a.value > 0 AND abs(ln(a.value * a.before)) < 0.02
    UNION ALL
    -- An average of a year moves more.
    SELECT a.*, 5 FROM audited_additions a JOIN series s ON s.id = a.series_id JOIN indicators i ON i.slug = s.indicator
    WHERE i.unit LIKE 'lcu_per_%' AND a.before > 0 AND a.value > 0 AND abs(ln(a.value * a.before)) < 0.1),
  cells AS (
    SELECT q.subject, q.series_id, q.period, q.value, q.before AS held_value, 0 AS many, 0 AS most
    FROM quoted q CROSS JOIN LATERAL (
      SELECT avg(abs(ln(value / before))) AS step FROM (
        SELECT value, lag(value) OVER (ORDER BY period) AS before FROM (
          SELECT period, value FROM observations
          WHERE series_id = q.series_id AND known_on($1::date, valid_from, valid_to)
            AND value > 0
          ORDER BY period DESC LIMIT 250) newest) steps) o
    WHERE abs(ln(q.value / q.before)) > q.most * o.step
    UNION ALL
    SELECT subject, series_id, period, value, held_value, 0, 0 FROM audited_figures JOIN (
      SELECT series_id FROM audited_figures WHERE value > 0 AND held_value > 0 AND value <> held_value
      GROUP BY series_id HAVING count(*) >= 3 AND max(abs(ln(value * held_value))) < 0.001) reciprocal USING (series_id))`,
    says: () => 'the reciprocal of the rate before: the rate may be inverted',
  },
  other_base: {
    reads: ['added'],
    sql: `
  quoted AS (
    SELECT a.*, s.source_id, CASE WHEN l.frequency = 'D' THEN
             a.period::date - coalesce(lag(a.period) OVER (PARTITION BY a.series_id ORDER BY a.period), n.period)::date
           END AS days
    FROM audited_additions a JOIN audited_last_figures n USING (series_id) JOIN series s ON s.id = a.series_id
      JOIN instruments i ON i.key = s.instrument JOIN audit_limits l ON l.subject = a.subject
    WHERE i.kind = 'fx' AND a.before > 0 AND a.value > 0),
  moves AS MATERIALIZED (
    SELECT source_id, period, exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY ln((value / before)::float8))) AS ratio
    FROM quoted WHERE days <= 5 GROUP BY source_id, period HAVING count(*) >= 5),
  cells AS (
    -- The euro moved by 3 % against the median of its currencies on the day of its largest step, in January 2015.
    SELECT q.subject, q.series_id, q.period, q.value, q.before AS held_value, m.ratio::numeric AS many, 0 AS most
    FROM quoted q JOIN moves m USING (source_id, period) WHERE m.ratio NOT BETWEEN 0.95 AND 1.05)`,
    says: (many) =>
      `new, and on the whole ${Number(many.toPrecision(3))} times those of the day before: the base may be another currency`,
  },
  gone: {
    reads: ['closed'],
    sql: `
  whole AS (
    SELECT c.subject, c.series_id FROM audited_figures c GROUP BY c.subject, c.series_id
    HAVING bool_and(c.value IS NULL) AND NOT EXISTS (SELECT FROM staged_observations t WHERE t.series_id = c.series_id)
      -- One that had ended before may be given no more.
      AND max(substring(c.period FROM '[0-9]{4}'))::integer >= extract(year FROM $1::date) - 5),
  many AS (
    SELECT w.subject, count(*), l.gone FROM whole w JOIN audit_limits l USING (subject) GROUP BY w.subject, l.gone HAVING count(*) > l.gone),
  emptied AS (
    -- A country that is missing from file after file, once in each.
    SELECT s.region, count(*) AS count FROM whole w JOIN series s ON s.id = w.series_id
    WHERE s.region IS NOT NULL GROUP BY s.region HAVING count(*) > 2),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, coalesce(m.count, e.count) AS many, coalesce(m.gone, 2) AS most
    FROM audited_figures c JOIN whole USING (subject, series_id) JOIN series s ON s.id = c.series_id
      LEFT JOIN many m USING (subject) LEFT JOIN emptied e USING (region)
    WHERE m.count IS NOT NULL OR e.count IS NOT NULL)`,
    says: (many, most) => `of ${many} series that are gone whole; at most ${most} may go at once`,
  },
  cut: {
    reads: ['closed'],
    sql: `
  closed AS (
    SELECT c.*, coalesce(r.alpha3, r.code) || ' ' || c.period COLLATE "C" AS place
    FROM audited_figures c JOIN series s ON s.id = c.series_id JOIN regions r ON r.code = s.region WHERE c.value IS NULL),
  given AS (
    SELECT s.indicator AS subject, t.file, t.line, coalesce(r.alpha3, r.code) || ' ' || t.period COLLATE "C" AS place
    FROM staged_observations t JOIN series s ON s.id = t.series_id JOIN regions r ON r.code = s.region
    WHERE s.indicator IN (SELECT subject FROM closed)),
  sorted AS (
    -- A file in the order of its regions and periods: what is missing after its last row was cut off.
    SELECT subject, max(place) AS last FROM (
      SELECT *, place < lag(place) OVER (PARTITION BY subject ORDER BY file, line, place) AS falls FROM given) g
    GROUP BY subject HAVING NOT coalesce(bool_or(falls), false)),
  ends AS (
    SELECT subject FROM closed JOIN sorted USING (subject) GROUP BY subject, last HAVING min(place) > last),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM closed c JOIN ends USING (subject))`,
    says: () => 'no longer given, all of which would follow the last row: the file may be cut',
  },
} satisfies Readonly<Record<string, Check>>;
