import type pg from 'pg';
import { createAffectedChanges } from '../../publication/affected-changes.js';

/** Temporary tables of one publication. A cell is (series, period). */
const TABLES = `
CREATE TEMP TABLE IF NOT EXISTS staged_observations (
  series_id integer NOT NULL, period text COLLATE "C" NOT NULL, value numeric NOT NULL,
  file integer NOT NULL, line integer NOT NULL, place text NOT NULL) ON COMMIT DROP;
-- Observations of bad rows: the delivery neither sets nor closes them.
CREATE TEMP TABLE IF NOT EXISTS excluded_observations (series_id integer NOT NULL, period text COLLATE "C" NOT NULL) ON COMMIT DROP;
-- Periods of a series that the delivery covers; whether its vintage is stored, and whether a newer one is.
CREATE TEMP TABLE IF NOT EXISTS declared_coverage (
  series_id integer PRIMARY KEY,
  first_period text COLLATE "C" NOT NULL, last_period text COLLATE "C" NOT NULL,
  held boolean NOT NULL DEFAULT false, newer boolean NOT NULL DEFAULT false,
  affected integer NOT NULL DEFAULT 0) ON COMMIT DROP;
-- The same for series that do not exist: of one region, or of all regions (null).
CREATE TEMP TABLE IF NOT EXISTS declared_coverage_without_series (
  indicator text NOT NULL, region text,
  first_period text COLLATE "C" NOT NULL, last_period text COLLATE "C" NOT NULL) ON COMMIT DROP;
-- Cells whose state on the vintage day differs from the delivery; a null value closes the cell. The new state is valid
-- until next_day, the next vintage that covers the cell.
CREATE TEMP TABLE IF NOT EXISTS observation_differences (
  series_id integer NOT NULL, period text COLLATE "C" NOT NULL, value numeric, held_value numeric,
  in_order boolean NOT NULL, next_day date) ON COMMIT DROP;
CREATE TEMP TABLE IF NOT EXISTS replaced_observations (LIKE observations) ON COMMIT DROP;
-- Vintages from which releases and revisions are derived.
CREATE TEMP TABLE IF NOT EXISTS derivable_vintages (series_id integer NOT NULL, day date NOT NULL) ON COMMIT DROP;
-- Changes of all rules.
CREATE TEMP TABLE IF NOT EXISTS derived_changes (
  id text NOT NULL, kind text NOT NULL, evidence_class text NOT NULL DEFAULT 'fact',
  headline jsonb NOT NULL, summary jsonb NOT NULL, importance smallint NOT NULL,
  occurred_on date NOT NULL, occurred_basis text NOT NULL, vintage_day date NOT NULL, known_since date NOT NULL,
  -- The subject: a series with its figures, or an entity, perhaps with another one.
  series_id integer, period text COLLATE "C", actual_value numeric, previous_value numeric,
  previous_period text COLLATE "C", previous_basis text, previous_missing text, previous_known_since date,
  delta numeric, delta_percent numeric, rebasing jsonb, revision jsonb, context jsonb,
  entity_id text, other_entity_id text) ON COMMIT DROP;
-- Published changes that the rules evaluated again.
CREATE TEMP TABLE IF NOT EXISTS recomputed_changes (id text NOT NULL) ON COMMIT DROP;
`;

export async function createObservationStaging(client: pg.PoolClient): Promise<void> {
  await client.query(TABLES);
  await createAffectedChanges(client);
}
