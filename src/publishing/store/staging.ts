import type pg from 'pg';
import { createTouched } from '../digests/digests.js';

/** The temporary tables of one publication; they end with it. Cells are (series, period). */
const TABLES = `
CREATE TEMP TABLE staged (
  series_id integer NOT NULL, period text COLLATE "C" NOT NULL, value numeric NOT NULL,
  file integer NOT NULL, line integer NOT NULL, place text NOT NULL) ON COMMIT DROP;
-- Cells of rows that were left out: the delivery says nothing about them.
CREATE TEMP TABLE unspoken (series_id integer NOT NULL, period text COLLATE "C" NOT NULL) ON COMMIT DROP;
-- Over which periods the delivery speaks of a series, and how its vintage lies among those held.
CREATE TEMP TABLE spoken (
  series_id integer PRIMARY KEY,
  first_period text COLLATE "C" NOT NULL, last_period text COLLATE "C" NOT NULL,
  held boolean NOT NULL DEFAULT false, newer boolean NOT NULL DEFAULT false,
  affected integer NOT NULL DEFAULT 0) ON COMMIT DROP;
-- The same of series that are not held: of one region, or of all that may ever be (null).
CREATE TEMP TABLE spoken_unheld (
  indicator text NOT NULL, region text,
  first_period text COLLATE "C" NOT NULL, last_period text COLLATE "C" NOT NULL) ON COMMIT DROP;
-- Cells whose state on the vintage day differs from the delivery; a null value is an absence. The new
-- state holds until next_day, the next vintage that speaks of the cell.
CREATE TEMP TABLE affected (
  series_id integer NOT NULL, period text COLLATE "C" NOT NULL, value numeric, held_value numeric,
  in_order boolean NOT NULL, next_day date) ON COMMIT DROP;
CREATE TEMP TABLE replaced (LIKE observations) ON COMMIT DROP;
-- Vintages to be derived.
CREATE TEMP TABLE derivable_vintages (series_id integer NOT NULL, day date NOT NULL) ON COMMIT DROP;
-- What came of it, by all rules.
CREATE TEMP TABLE derived (
  id text NOT NULL, kind text NOT NULL, evidence_class text NOT NULL DEFAULT 'fact',
  headline jsonb NOT NULL, summary jsonb NOT NULL, importance smallint NOT NULL,
  occurred_on date NOT NULL, occurred_basis text NOT NULL, vintage_day date NOT NULL,
  -- The subject: a series with its figures, or an entity, perhaps with another one.
  series_id integer, period text COLLATE "C", actual_value numeric, previous_value numeric,
  previous_period text COLLATE "C", previous_basis text, previous_missing text, previous_known_since date,
  delta numeric, delta_percent numeric,
  entity_id text, other_entity_id text) ON COMMIT DROP;
-- Changes that stand and were looked at again.
CREATE TEMP TABLE rederived (id text NOT NULL) ON COMMIT DROP;
`;

export async function createStaging(client: pg.PoolClient): Promise<void> {
  await client.query(TABLES);
  await createTouched(client);
}
