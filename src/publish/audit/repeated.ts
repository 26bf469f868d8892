// Checks that find figures which are no new statements: they repeat the period before, each other or an older vintage, or are
// the stored ones by one factor.
import { NOISE } from '../../domain/figures/noise.js';
import type { Check } from '../publication/check.js';

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/**
 * Restated figures, without the last digits of floating-point numbers, and without those that move by more than half:
 * there the stored one may have been the error.
 */
const RESTATED = `
  restated AS (
    SELECT * FROM audited_figures
    WHERE value IS NOT NULL AND held_value IS NOT NULL
      AND abs(value - held_value) > abs(held_value) * ${NOISE}
      AND abs(value - held_value) <= greatest(abs(value), abs(held_value)) / 2)`;

/** Lists the restated figures with a property, if at least ten of a subject and four fifths have it. */
const mostOf = (property: string): string => `
  suspects AS (
    SELECT subject FROM judged GROUP BY subject
    HAVING count(*) FILTER (WHERE ${property}) >= greatest(10, count(*) * 0.8)),
  cells AS (
    SELECT subject, series_id, period, value, held_value, 0 AS many, 0 AS most
    FROM judged JOIN suspects USING (subject) WHERE ${property})`;

export const REPEATED = {
  repeated: {
    reads: ['added'],
    sql: `
  together AS (
    SELECT a.*, CASE WHEN s.instrument IS NULL THEN a.subject ELSE l.source END AS kind, l.frequency, l.repeated
    FROM audited_additions a JOIN series s ON s.id = a.series_id JOIN audit_limits l USING (subject)),
  shares AS (
    SELECT kind, frequency, period, avg(CASE WHEN value = before THEN 1 ELSE 0 END) AS share, min(repeated) AS most
    FROM together GROUP BY kind, frequency, period
    HAVING count(*) >= 5 AND avg(CASE WHEN value = before THEN 1 ELSE 0 END) > min(repeated)),
  cells AS (
    SELECT t.kind AS subject, t.series_id, t.period, t.value, t.before AS held_value, f.share AS many, f.most
    FROM together t JOIN shares f USING (kind, frequency, period) WHERE t.value = t.before)`,
    says: (many, most) =>
      `new, but ${percent(many)} of them equal those of the period before; at most ${percent(most)} passes`,
  },
  constant: {
    reads: ['added', 'restated'],
    sql: `
  compared AS (
    SELECT subject, series_id, period, value, held_value, held_value AS before FROM audited_figures
    WHERE value IS NOT NULL AND held_value IS NOT NULL
    UNION ALL SELECT subject, series_id, period, value, null, before FROM audited_additions),
  often AS (
    SELECT subject, period, value FROM compared GROUP BY subject, period, value HAVING count(*) >= 5),
  across AS (
    -- Not the eleven countries of the euro among all others.
    SELECT subject, period, value FROM compared c JOIN often USING (subject, period, value)
    GROUP BY subject, period, value
    HAVING count(DISTINCT before) * 2 > count(*) AND count(*) * 2 > (
      SELECT count(*) FROM staged_observations t JOIN series s ON s.id = t.series_id
      WHERE coalesce(s.instrument, s.indicator) = subject AND t.period = c.period)),
  along AS (
    SELECT series_id, value FROM compared c
      JOIN (SELECT series_id, value FROM compared GROUP BY series_id, value HAVING count(*) >= 5) f USING (series_id, value)
    GROUP BY series_id, value
    HAVING count(DISTINCT before) * 2 > count(*) AND count(*) * 2 > (
      SELECT count(*) FROM staged_observations t WHERE t.series_id = c.series_id)),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most FROM compared c
    WHERE (c.subject, c.period, c.value) IN (SELECT subject, period, value FROM across)
      OR (c.series_id, c.value) IN (SELECT series_id, value FROM along))`,
    says: () => 'all the same, where there were different ones: a cell may have been filled down or across',
  },
  superseded: {
    reads: ['restated'],
    sql: `${RESTATED},
  judged AS (
    SELECT r.*, EXISTS (
      SELECT FROM observations o
      WHERE o.series_id = r.series_id AND o.period = r.period AND o.value = r.value AND o.valid_from < $1::date) AS returns
    FROM restated r),
  ${mostOf('returns')}`,
    says: () => 'what an older vintage had: an old file may have been given as a new one',
  },
  rounded: {
    reads: ['restated'],
    sql: `${RESTATED},
  shortened AS (
    SELECT *, value = round(held_value, scale(trim_scale(value))) AS fewer FROM restated),
  judged AS (
    -- A price of 1487.857 that is printed as 1487.86 lost nothing.
    SELECT *, fewer AND max(abs(value / held_value - 1)) FILTER (WHERE fewer) OVER (PARTITION BY subject) > 0.00005 AS short
    FROM shortened),
  ${mostOf('short')}`,
    says: () => 'the stored ones with fewer digits: decimals may have been lost',
  },
  alike: {
    reads: ['restated'],
    sql: `
  compared AS (
    SELECT c.*, (value / held_value)::float8 AS ratio, (value - held_value)::float8 AS more,
           -- A share of GDP has one factor where GDP alone is rebased.
           l.factor IS NOT NULL AND l.points = 0 AS is_level
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE value <> 0 AND held_value <> 0 AND abs(value - held_value) > abs(held_value) / 1000),
  middles AS (
    SELECT subject, series_id, percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio) AS ratio,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY more) AS more
    FROM compared GROUP BY GROUPING SETS ((subject), (subject, series_id))
    HAVING count(*) >= CASE WHEN series_id IS NULL THEN 20 ELSE 5 END),
  suspects AS (
    SELECT m.subject, m.series_id, min(m.ratio) AS ratio FROM middles m JOIN compared c
      ON c.subject = m.subject AND (m.series_id IS NULL OR c.series_id = m.series_id)
    GROUP BY m.subject, m.series_id
    -- A power of ten is a unit, and a method moves the figures of a group of countries by half a percent.
    HAVING (m.series_id IS NULL OR bool_and(c.is_level)
          AND count(*) * 2 > (SELECT count(*) FROM staged_observations t WHERE t.series_id = m.series_id))
        AND abs(log(nullif(greatest(min(m.ratio), 0), 0)) - round(log(nullif(greatest(min(m.ratio), 0), 0)))) > 0.002
        AND avg((abs(c.ratio / m.ratio - 1) < CASE WHEN m.series_id IS NULL THEN 1e-3 ELSE 1e-4 END)::int)
          >= CASE WHEN m.series_id IS NULL THEN 0.5 ELSE 0.8 END
      OR avg((abs(c.more - m.more) < abs(m.more) * 1e-4)::int) >= 0.8),
  cells AS (
    SELECT DISTINCT ON (c.series_id, c.period) c.subject, c.series_id, c.period, c.value, c.held_value, s.ratio AS many, 0 AS most
    FROM compared c JOIN suspects s ON s.subject = c.subject AND (s.series_id IS NULL OR s.series_id = c.series_id))`,
    says: (many) =>
      `the stored ones by one factor, about ${Number(many.toPrecision(4))}, or by one amount: another base, unit or definition`,
  },
} satisfies Readonly<Record<string, Check>>;
