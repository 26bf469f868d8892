import type pg from 'pg';

/** A deleted change keeps its `position` and `series_id` here. */
const TABLE = `
  CREATE TEMP TABLE IF NOT EXISTS affected_changes (
    id text NOT NULL, position bigint NOT NULL, kind text NOT NULL, series_id integer, entity_id text,
    occurred_at timestamptz NOT NULL, vintage_day date NOT NULL,
    how text NOT NULL CHECK (how IN ('made','corrected','withdrawn','deleted','rendered'))) ON COMMIT DROP`;

/** Creates the table of changes that the publication makes, corrects, withdraws, deletes or renders again. */
export async function createAffectedChanges(client: pg.PoolClient): Promise<void> {
  await client.query(TABLE);
}

/** Columns of `affected_changes` but the last, as `changes c` names them. */
export const AFFECTED_COLUMNS = 'c.id, c.position, c.kind, c.series_id, c.entity_id, c.occurred_at, c.vintage_day';
