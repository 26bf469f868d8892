// What all checks of figures read, computed once for each delivery.
import type pg from 'pg';
import { FIGURE_CHANGES, type FigureChange } from '../publication/check.js';

/** A list of releases uses the same tables for each of its days. */
const TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS audit_limits (
    subject text, source text, frequency text, running text COLLATE "C", ended text COLLATE "C",
    fiscal_year text COLLATE "C", min numeric, max numeric, closed numeric, restated numeric,
    restated_by_half numeric, scaled numeric, factor numeric, points numeric, steps numeric, density numeric,
    weekends boolean, unfinished boolean, closed_on text[], final boolean, codes boolean, repeated numeric,
    gone integer) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS audited_figures (
    series_id integer, period text COLLATE "C", value numeric, held_value numeric, subject text) ON COMMIT DROP;
  -- The newest stored figure of each series that has new ones.
  CREATE TEMP TABLE IF NOT EXISTS audited_last_figures (
    series_id integer, subject text, period text COLLATE "C", value numeric) ON COMMIT DROP;
  -- The new figures after it, each with the one before it.
  CREATE TEMP TABLE IF NOT EXISTS audited_additions (
    series_id integer, subject text, period text COLLATE "C", value numeric, before numeric) ON COMMIT DROP`;

const ADD_LIMITS = `
  INSERT INTO audit_limits SELECT * FROM jsonb_populate_recordset(null::audit_limits, $1::jsonb)`;

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

const FIND_KINDS = `
  SELECT EXISTS (SELECT FROM audited_additions) AS added, coalesce(bool_or(value IS NULL), false) AS closed,
         coalesce(bool_or(value IS NOT NULL AND held_value IS NOT NULL), false) AS restated
  FROM audited_figures`;

/** @returns the kinds of changes that the delivery makes */
export async function fillAuditedTables(
  client: pg.PoolClient,
  vintage: string,
  limits: readonly object[],
): Promise<FigureChange[]> {
  await client.query(TABLES);
  await client.query(ADD_LIMITS, [JSON.stringify(limits)]);
  await client.query(ADD_FIGURES, [vintage]);
  await client.query('ANALYZE audited_figures (series_id, period, subject)');
  await client.query(ADD_LAST_FIGURES, [vintage]);
  await client.query(ADD_ADDITIONS);
  await client.query('ANALYZE audit_limits, audited_last_figures, audited_additions');
  const [found] = (await client.query<Record<FigureChange, boolean>>(FIND_KINDS)).rows;
  return FIGURE_CHANGES.filter((kind) => found?.[kind]);
}
