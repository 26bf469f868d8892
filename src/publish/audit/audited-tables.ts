// What all checks of figures read, computed once for each delivery.
import type pg from 'pg';
import { holidaysUntil } from '../../domain/figures/holidays.js';
import { FIGURE_CHANGES, type FigureChange } from '../publication/check.js';

/** A list of releases uses the same tables for each of its days. */
const TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS audit_limits (
    subject text, source text, frequency text, running text COLLATE "C", ended text COLLATE "C",
    fiscal_year text COLLATE "C", min numeric, max numeric, closed numeric, restated numeric,
    restated_by_half numeric, scaled numeric, factor numeric, points numeric, steps numeric, density numeric,
    weekends boolean, unfinished boolean, holidays text, final boolean, codes boolean, repeated numeric,
    gone integer, unusual numeric) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS audit_holidays (holidays text, day text COLLATE "C") ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS audit_identities (
    subject text, kind text, first text, second text, third text, tolerance numeric) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS audited_figures (
    series_id integer, period text COLLATE "C", value numeric, held_value numeric, subject text) ON COMMIT DROP;
  -- The newest stored figure of each series that has new ones.
  CREATE TEMP TABLE IF NOT EXISTS audited_last_figures (
    series_id integer, subject text, period text COLLATE "C", value numeric) ON COMMIT DROP;
  -- The new figures after it, each with the one before it.
  CREATE TEMP TABLE IF NOT EXISTS audited_additions (
    series_id integer, subject text, period text COLLATE "C", value numeric, before numeric) ON COMMIT DROP;
  -- The given figures among the newest of a series, and those restated far beyond its steps, each with its step from the
  -- one before it (a logarithm where levels are compared by their ratio), the stored step there, how many steps are stored,
  -- the largest that is usual, how far one ever was from those of its peers, and whether a figure was ever repeated.
  CREATE TEMP TABLE IF NOT EXISTS audited_steps (
    series_id integer, subject text, kin text, region text, period text COLLATE "C", value numeric, held_value numeric,
    before numeric, is_ratio boolean, step float8, stored_step float8, many integer, largest float8,
    apart float8, still boolean) ON COMMIT DROP`;

const ADD_LIMITS = `
  INSERT INTO audit_limits SELECT * FROM jsonb_populate_recordset(null::audit_limits, $1::jsonb)`;

const ADD_HOLIDAYS = `
  INSERT INTO audit_holidays SELECT key, jsonb_array_elements_text(value) FROM jsonb_each($1::jsonb)`;

const ADD_IDENTITIES = `
  INSERT INTO audit_identities SELECT * FROM jsonb_populate_recordset(null::audit_identities, $1::jsonb)`;

/** What replaces a vintage is compared with the one before it, not with what it corrects. */
const ADD_FIGURES = `
  INSERT INTO audited_figures (series_id, period, value, held_value, subject)
  SELECT d.series_id, d.period, d.value, CASE WHEN e.held THEN b.value ELSE d.held_value END,
         coalesce(s.instrument, s.indicator)
  FROM observation_differences d JOIN series s ON s.id = d.series_id
    JOIN declared_coverage e ON e.series_id = d.series_id
    LEFT JOIN observations b ON e.held AND b.series_id = d.series_id AND b.period = d.period
      AND known_on($1::date - 1, b.valid_from, b.valid_to)
  WHERE NOT e.held OR d.value IS DISTINCT FROM b.value`;

const ADD_LAST_FIGURES = `
  INSERT INTO audited_last_figures (series_id, subject, period, value)
  SELECT g.series_id, g.subject, o.period, o.value
  FROM (SELECT DISTINCT series_id, subject FROM audited_figures WHERE held_value IS NULL AND value IS NOT NULL) g
    CROSS JOIN LATERAL (
      SELECT period, value FROM observations
      WHERE series_id = g.series_id AND known_on($1::date, valid_from, valid_to)
      ORDER BY period DESC LIMIT 1) o`;

const ADD_ADDITIONS = `
  INSERT INTO audited_additions (series_id, subject, period, value, before)
  SELECT c.series_id, c.subject, c.period, c.value,
         coalesce(lag(c.value) OVER (PARTITION BY c.series_id ORDER BY c.period), n.value)
  FROM audited_figures c JOIN audited_last_figures n USING (series_id)
  WHERE c.value IS NOT NULL AND c.period > n.period`;

/** Stored figures of a series to which its new ones are compared: a year of days, all years. */
const HISTORY = 250;

/** Older figures are restated by another method, and history has wars; what came after an older price confirms it. */
const NEWEST = 10;
/** No method moves an older figure by so many times the largest step of its series. */
const RESTATED_FAR = "CASE WHEN l.frequency = 'D' THEN 1.5 ELSE 3 END";

const stepOf = (row: string, before = 'before'): string => `
  CASE WHEN l.factor IS NULL OR l.points > 0 THEN (${row}.value - ${row}.${before})::float8
       WHEN ${row}.value > 0 AND ${row}.${before} > 0 THEN ln((${row}.value / ${row}.${before})::float8) END`;

/**
 * Usual is what the stored series did; and, where it is given by another method, all but the two largest steps of the
 * given one: a wrong figure makes two.
 */
const ADD_STEPS = `
  INSERT INTO audited_steps
  WITH given AS (SELECT * FROM audited_figures WHERE value IS NOT NULL),
  stored AS (
    SELECT g.series_id, g.subject, o.period, o.value,
           lag(o.value) OVER (PARTITION BY g.series_id ORDER BY o.period) AS before
    FROM (SELECT DISTINCT series_id, subject FROM given) g CROSS JOIN LATERAL (
      SELECT period, value FROM observations
      WHERE series_id = g.series_id AND known_on($1::date - 1, valid_from, valid_to)
      ORDER BY period DESC LIMIT ${HISTORY}) o),
  made AS (SELECT s.*, ${stepOf('s')} AS step FROM stored s JOIN audit_limits l USING (subject)),
  peers AS (
    SELECT n.source_id, m.period, percentile_cont(0.5) WITHIN GROUP (ORDER BY m.step) AS usual
    FROM made m JOIN series n ON n.id = m.series_id WHERE n.instrument IS NOT NULL
    GROUP BY n.source_id, m.period HAVING count(m.step) >= 5),
  apart AS (
    SELECT m.series_id, max(abs(m.step - p.usual)) AS widest
    FROM made m JOIN series n ON n.id = m.series_id JOIN peers p USING (source_id, period)
    GROUP BY m.series_id HAVING count(*) >= 100),
  own AS (
    SELECT series_id, subject, min(period) AS first, count(step) AS many, max(abs(step)) AS largest,
           bool_or(step = 0) AS still
    FROM made GROUP BY series_id, subject),
  merged AS (
    SELECT *, lag(value) OVER (PARTITION BY series_id ORDER BY period) AS before,
           row_number() OVER (PARTITION BY series_id ORDER BY period DESC) AS number
    FROM (SELECT series_id, period, coalesce(g.value, s.value) AS value, g.value IS NOT NULL AS is_given, g.held_value
          FROM stored s FULL JOIN given g USING (series_id, period)) f),
  stepped AS (
    SELECT m.*, o.subject, o.many, o.largest, o.still, l.factor IS NOT NULL AND l.points = 0 AS is_ratio, ${stepOf('m')} AS step
    FROM merged m JOIN own o ON o.series_id = m.series_id AND m.period > o.first JOIN audit_limits l USING (subject)),
  usual AS (
    SELECT series_id, (array_agg(abs(step) ORDER BY abs(step) DESC) FILTER (WHERE step IS NOT NULL))[3] AS third
    FROM stepped GROUP BY series_id)
  SELECT m.series_id, m.subject, coalesce(n.indicator, n.source_id), n.region, m.period, m.value, m.held_value,
         m.before, m.is_ratio, m.step, s.step, m.many, greatest(m.largest, u.third), a.widest, m.still
  FROM stepped m JOIN usual u USING (series_id) JOIN series n ON n.id = m.series_id JOIN audit_limits l USING (subject)
    LEFT JOIN made s ON s.series_id = m.series_id AND s.period = m.period
    LEFT JOIN apart a ON a.series_id = m.series_id
  WHERE m.is_given AND (m.number <= ${NEWEST} OR abs(${stepOf('m', 'held_value')}) > ${RESTATED_FAR} * greatest(m.largest, u.third))`;

const FIND_KINDS = `
  SELECT EXISTS (SELECT FROM audited_additions) AS added, coalesce(bool_or(value IS NULL), false) AS closed,
         coalesce(bool_or(value IS NOT NULL AND held_value IS NOT NULL), false) AS restated
  FROM audited_figures`;

/** @returns the kinds of changes that the delivery makes */
export async function fillAuditedTables(
  client: pg.PoolClient,
  vintage: string,
  limits: readonly object[],
  identities: readonly object[],
): Promise<FigureChange[]> {
  await client.query(TABLES);
  await client.query(ADD_LIMITS, [JSON.stringify(limits)]);
  await client.query(ADD_HOLIDAYS, [JSON.stringify(holidaysUntil(Number(vintage.slice(0, 4))))]);
  await client.query(ADD_IDENTITIES, [JSON.stringify(identities)]);
  await client.query(ADD_FIGURES, [vintage]);
  await client.query('ANALYZE audited_figures (series_id, period, subject)');
  await client.query(ADD_LAST_FIGURES, [vintage]);
  await client.query(ADD_ADDITIONS);
  await client.query(ADD_STEPS, [vintage]);
  await client.query('ANALYZE audit_limits, audited_last_figures, audited_additions, audited_steps');
  const [found] = (await client.query<Record<FigureChange, boolean>>(FIND_KINDS)).rows;
  return FIGURE_CHANGES.filter((kind) => found?.[kind]);
}
