import type { FigureCheck } from '../publication/finding.js';
import type { Check } from '../publication/check.js';
import { AGAINST_HISTORY } from './against-history.js';
import { BESIDE_OTHERS } from './beside-others.js';
import { IDENTITIES } from './identities.js';
import { MISPLACED } from './misplaced.js';
import { MISSING } from './missing.js';
import { REPEATED } from './repeated.js';

// The checks of figures. Each lists the figures that fail it; docs/explanation/audit.md describes them.

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
const times = (ratio: number): string => `${Number(ratio.toPrecision(3))}`;

/** Shares of the stored figures inside the covered periods, of subjects where `few` figures are concerned. */
const shareOf = (which: string, few: number, limit: string): string => `
  hit AS (SELECT c.* FROM audited_figures c JOIN audit_limits l USING (subject) WHERE ${which}),
  suspects AS (SELECT subject FROM hit GROUP BY subject HAVING count(*) >= ${few}),
  stored AS (
    SELECT f.subject, count(*) AS count
    FROM suspects f JOIN series s ON coalesce(s.instrument, s.indicator) = f.subject
      JOIN declared_coverage e ON e.series_id = s.id
      JOIN observations o ON o.series_id = e.series_id AND o.period BETWEEN e.first_period AND e.last_period
    WHERE known_on($1::date, o.valid_from, o.valid_to)
    GROUP BY f.subject),
  shares AS (
    SELECT h.subject, count(*)::numeric / t.count AS share, l.${limit} AS most
    FROM hit h JOIN stored t USING (subject) JOIN audit_limits l USING (subject)
    GROUP BY h.subject, t.count, l.${limit} HAVING count(*)::numeric / t.count > l.${limit}),
  cells AS (
    SELECT h.subject, h.series_id, h.period, h.value, h.held_value, f.share AS many, f.most
    FROM hit h JOIN shares f USING (subject))`;

/** Twofold: ratio of two positive figures, larger than 1. */
const RATIO = 'CASE WHEN p.before > 0 AND p.value > 0 THEN greatest(p.value / p.before, p.before / p.value) END';

/** Twofold between two years: the largest of 67 economies is 5.5, of reserves. */
const LEAST_OF_A_HISTORY = 20;

export const CHECK_QUERIES: Readonly<Record<FigureCheck, Check>> = {
  bounds: {
    reads: 'all',
    sql: `
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, c.value AS many,
           CASE WHEN c.value < l.min THEN l.min ELSE l.max END AS most
    FROM audited_figures c JOIN audit_limits l USING (subject) WHERE c.value < l.min OR c.value > l.max)`,
    says: (many, most) => `outside of what is possible: ${many}, with the bound ${most}`,
  },
  future_period: {
    reads: 'all',
    sql: `
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE c.value IS NOT NULL AND (
      CASE WHEN c.period LIKE 'FY%' THEN c.period >= l.fiscal_year ELSE c.period > l.running END
      OR NOT l.unfinished AND c.period = l.running AND c.period <> l.ended))`,
    says: () => 'of a period that had not ended on the day of the vintage',
  },
  weekend: {
    reads: 'all',
    sql: `
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE c.value IS NOT NULL AND NOT l.weekends
      AND CASE WHEN l.frequency = 'D'
        THEN extract(isodow FROM c.period::date) >= 6 OR EXISTS (SELECT FROM audit_holidays h WHERE (h.holidays, h.day) = (l.holidays, c.period)) ELSE false END)`,
    says: () => 'on a Saturday, a Sunday or a holiday, when nothing is traded',
  },
  gaps: {
    reads: 'all',
    sql: `
  days AS (
    SELECT DISTINCT l.source, l.frequency, l.density, c.period
    FROM staged_observations c JOIN series s ON s.id = c.series_id
      JOIN audit_limits l ON l.subject = coalesce(s.instrument, s.indicator)
    WHERE l.density IS NOT NULL AND l.frequency IN ('D', 'M', 'Q')),
  spans AS (
    SELECT source, frequency, density, count(*) AS given, min(period) AS first, max(period) AS last
    FROM days GROUP BY source, frequency, density),
  wanted AS (
    SELECT p.source, p.frequency, p.density, p.given, p.first, p.last,
           CASE p.frequency WHEN 'Q'
             THEN (left(p.last, 4)::int - left(p.first, 4)::int) * 4 + right(p.last, 1)::int - right(p.first, 1)::int + 1
           WHEN 'M'
             THEN (left(p.last, 4)::int - left(p.first, 4)::int) * 12 + right(p.last, 2)::int - right(p.first, 2)::int + 1
           ELSE (p.last::date - p.first::date) * 5 / 7 + 1 END AS count
    FROM spans p),
  cells AS (
    SELECT w.source AS subject, null::integer AS series_id, w.first || ' to ' || w.last AS period, null::numeric AS value,
           null::numeric AS held_value, w.given::numeric / w.count AS many, w.density AS most
    FROM wanted w WHERE w.count >= 10 AND w.given::numeric / w.count < w.density)`,
    says: (many, most) => `spans periods of which it gives ${percent(many)}; a history has at least ${percent(most)}`,
  },
  closed: {
    reads: ['closed'],
    sql: shareOf('value IS NULL', 3, 'closed'),
    says: (many, most) => `no longer given: ${percent(many)} of what is stored; at most ${percent(most)} passes`,
  },
  vanished_code: {
    reads: ['closed'],
    sql: `
  gone AS (
    SELECT c.subject, c.series_id FROM audited_figures c GROUP BY c.subject, c.series_id
    HAVING count(*) FILTER (WHERE c.value IS NULL) > 0 AND NOT EXISTS (
      SELECT FROM staged_observations t WHERE t.series_id = c.series_id)),
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM audited_figures c JOIN gone g USING (series_id)
    WHERE cardinality($2::text[]) > 0)`,
    says: () => 'of a series that is gone whole, while codes appeared that the catalogue lacks',
  },
  restated: {
    reads: ['restated'],
    sql: shareOf('value IS NOT NULL AND held_value IS NOT NULL', 5, 'restated'),
    says: (many, most) => `restated: ${percent(many)} of what is stored; at most ${percent(most)} passes`,
  },
  final: {
    reads: ['restated'],
    sql: `
  cells AS (
    SELECT c.subject, c.series_id, c.period, c.value, c.held_value, 0 AS many, 0 AS most
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE l.final AND c.value IS NOT NULL AND c.held_value IS NOT NULL)`,
    says: () => 'restated, although the publisher never revises them',
  },
  restated_by_half: {
    reads: ['restated'],
    sql: shareOf(
      // What was out of bounds may well have been the error.
      'abs(value - held_value) > greatest(abs(value), abs(held_value)) / 2 AND held_value BETWEEN l.min AND l.max',
      3,
      'restated_by_half',
    ),
    says: (many, most) =>
      `restated by more than half: ${percent(many)} of what is stored; at most ${percent(most)} passes`,
  },
  scale: {
    reads: ['restated'],
    sql: `
  ratios AS (
    SELECT c.*, round(log(abs(c.value / c.held_value)::float8)) AS power, sign(c.value / c.held_value) AS side,
           log(abs(c.value / c.held_value)::float8) AS exponent
    FROM audited_figures c JOIN audit_limits l USING (subject)
    WHERE c.value <> 0 AND c.held_value <> 0 AND c.held_value BETWEEN l.min AND l.max),
  scaled AS (
    SELECT subject, series_id, power, side FROM ratios
    WHERE abs(exponent - power) < 0.002 AND (power <> 0 OR side < 0)
    -- One alone, if it has the same six digits and more.
    GROUP BY subject, series_id, power, side
    HAVING count(*) >= 3 OR power <> 0 AND bool_or(abs(exponent - power) < 1e-9 AND length(trim_scale(abs(value))::text) >= 7)),
  wholly AS (
    SELECT d.* FROM scaled d
    WHERE (SELECT count(*) FROM ratios r WHERE r.series_id = d.series_id AND r.power = d.power AND r.side = d.side)
      >= 0.8 * (SELECT count(*) FROM ratios r WHERE r.series_id = d.series_id)),
  shares AS (
    SELECT w.subject, count(DISTINCT w.series_id)::numeric / (
      SELECT count(DISTINCT r.series_id) FROM ratios r WHERE r.subject = w.subject) AS share
    FROM wholly w GROUP BY w.subject),
  cells AS (
    SELECT r.subject, r.series_id, r.period, r.value, r.held_value, (r.side * power(10, r.power))::numeric AS many, 0 AS most
    FROM ratios r JOIN wholly w USING (subject, series_id, power, side)
      JOIN shares f USING (subject) JOIN audit_limits l USING (subject)
    WHERE f.share > l.scaled)`,
    says: (many) => `${times(many)} times the stored ones throughout: a unit or a sign that changed`,
  },
  sudden_scale: {
    reads: ['added'],
    sql: `
  newest AS (
    -- The countries of an indicator, or the instruments of a publisher.
    SELECT DISTINCT ON (a.series_id) a.*, s.instrument IS NOT NULL AS traded,
           CASE WHEN s.instrument IS NULL THEN a.subject ELSE l.source || l.frequency END AS kind
    FROM audited_additions a JOIN series s ON s.id = a.series_id JOIN audit_limits l USING (subject)
    ORDER BY a.series_id, a.period DESC),
  medians AS (
    SELECT kind, percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(value)) AS now,
           percentile_cont(0.5) WITHIN GROUP (ORDER BY abs(before)) AS before
    FROM newest GROUP BY kind, traded HAVING count(*) >= CASE WHEN traded THEN 5 ELSE 10 END),
  cells AS (
    SELECT n.subject, n.series_id, n.period, n.value, n.before AS held_value, (m.now / m.before)::numeric AS many, 0 AS most
    FROM newest n JOIN medians m USING (kind)
    WHERE m.before > 0 AND (m.now < m.before / 20 OR m.now > m.before * 20))`,
    says: (many) => `new, and on the whole ${times(many)} times those of the period before`,
  },
  jump: {
    reads: 'all',
    sql: `
  begun AS (
    SELECT c.series_id, c.subject, c.period, c.value, null::numeric AS held_value,
           lag(c.value) OVER (PARTITION BY c.series_id ORDER BY c.period) AS before
    FROM audited_figures c
    WHERE c.value IS NOT NULL AND c.held_value IS NULL AND NOT EXISTS (
      SELECT FROM audited_last_figures n WHERE n.series_id = c.series_id)),
  pairs AS (
    SELECT series_id, subject, period, value, null::numeric AS held_value, before FROM audited_additions
    UNION ALL
    SELECT series_id, subject, period, value, held_value, held_value FROM audited_figures
    WHERE value IS NOT NULL AND held_value IS NOT NULL),
  jumps AS (
    SELECT p.*, l.factor, l.steps, ${RATIO} AS ratio, abs(p.value - p.before) AS points
    FROM pairs p JOIN audit_limits l USING (subject)
    WHERE (l.factor IS NOT NULL OR l.points > 0) AND p.before BETWEEN l.min AND l.max
      AND abs(p.value - p.before) >= l.points
      AND (l.factor IS NULL OR ${RATIO} >= l.factor)
    UNION ALL
    -- A history may have any step that is no error of scale.
    SELECT p.*, l.factor, l.steps, ${RATIO}, abs(p.value - p.before)
    FROM begun p JOIN audit_limits l USING (subject)
    WHERE l.steps IS NULL AND p.before BETWEEN l.min AND l.max AND abs(p.value - p.before) >= l.points
      AND ${RATIO} >= greatest(l.factor, ${LEAST_OF_A_HISTORY}) AND l.factor IS NOT NULL),
  cells AS (
    SELECT j.subject, j.series_id, j.period, j.value, j.before AS held_value,
           CASE WHEN j.factor IS NULL THEN j.points ELSE j.ratio END AS many,
           CASE WHEN j.factor IS NULL THEN 1 ELSE 0 END AS most
    FROM jumps j LEFT JOIN LATERAL (
      SELECT max(abs(ln((o.value / o.before)::float8))) AS largest
      FROM (
        SELECT value, lag(value) OVER (ORDER BY period) AS before FROM observations
        WHERE series_id = j.series_id AND value > 0 AND valid_to IS NULL) o
      WHERE o.before > 0 HAVING count(*) >= 250) own ON j.steps IS NOT NULL
    WHERE j.steps IS NULL OR ln(j.ratio::float8) > coalesce(j.steps * own.largest, ln(5::float8)))`,
    says: (many, most) =>
      most > 0 ? `a jump from the figure before it` : `${times(many)} times the figure before, or that part of it`,
  },
  ...AGAINST_HISTORY,
  ...IDENTITIES,
  ...MISPLACED,
  ...REPEATED,
  ...MISSING,
  ...BESIDE_OTHERS,
};
