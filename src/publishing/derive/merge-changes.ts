// Brings the published changes in line with what has been derived.
import type pg from 'pg';

/** Why a replacement withdrew a change. Such a change returns when its figures do; one withdrawn by hand never. */
export const NO_LONGER_DERIVABLE = 'no longer derivable from the replaced vintage';

export interface MergedChanges {
  readonly releases: number;
  readonly revisions: number;
  readonly corrected: number;
  readonly withdrawn: number;
}

const DIFFERS = `
  (c.status <> 'withdrawn' AND
     (c.actual_value, c.previous_value, c.previous_missing, c.previous_known_since, c.delta, c.delta_percent)
     IS DISTINCT FROM
     (d.actual_value, d.previous_value, d.previous_missing, d.previous_known_since, d.delta, d.delta_percent)
   OR c.status = 'withdrawn' AND c.withdrawal_reason = $3)`;

const CORRECT = `
  WITH differing AS (
    SELECT c.id, c.actual_value, c.previous_value FROM changes c JOIN derived d USING (id) WHERE ${DIFFERS}
  ), noted AS (
    INSERT INTO change_corrections (change_id, revision_id, corrected_at, actual_value, previous_value)
    SELECT id, $1, $2, actual_value, previous_value FROM differing
  )
  UPDATE changes c SET
    status = 'corrected', updated_at = $2, withdrawn_at = NULL, withdrawal_reason = NULL,
    headline = d.headline, summary = d.summary, importance = d.importance,
    occurred_basis = d.occurred_basis, actual_value = d.actual_value, previous_value = d.previous_value,
    previous_missing = d.previous_missing, previous_known_since = d.previous_known_since,
    delta = d.delta, delta_percent = d.delta_percent
  FROM derived d WHERE d.id = c.id AND c.id IN (SELECT id FROM differing)`;

const WITHDRAW = `
  UPDATE changes c SET status = 'withdrawn', withdrawn_at = $1, updated_at = $1, withdrawal_reason = $2
  FROM derivable_vintages v
  WHERE v.series_id = c.series_id AND v.day = c.vintage_day AND c.status <> 'withdrawn'
    AND c.kind IN ('release', 'revision') AND NOT EXISTS (SELECT FROM derived d WHERE d.id = c.id)`;

/** A position is given once and for all: by the data's clock, then importance, then id. */
const INSERT = `
  INSERT INTO changes (
    id, position, kind, status, evidence_class, headline, summary, importance, occurred_at,
    occurred_precision, occurred_basis, published_at, updated_at, revision_id, source_id, series_id, period,
    vintage_day, actual_value, previous_value, previous_period, previous_basis, previous_missing,
    previous_known_since, delta, delta_percent)
  SELECT d.id,
         (SELECT coalesce(max(position), 0) FROM changes)
           + row_number() OVER (ORDER BY d.vintage_day, d.importance, d.id COLLATE "C"),
         d.kind, 'verified', 'fact', d.headline, d.summary, d.importance, d.vintage_day::timestamptz,
         'day', d.occurred_basis, $2, $2, $1, s.source_id, d.series_id, d.period, d.vintage_day,
         d.actual_value, d.previous_value, d.previous_period, d.previous_basis, d.previous_missing,
         d.previous_known_since, d.delta, d.delta_percent
  FROM derived d JOIN derivable_series s ON s.id = d.series_id
  WHERE NOT EXISTS (SELECT FROM changes c WHERE c.id = d.id)`;

const LINK = [
  `INSERT INTO change_regions (region, position)
   SELECT s.region, c.position FROM changes c JOIN series s ON s.id = c.series_id
   WHERE c.revision_id = $1 ORDER BY 1, 2`,
  `INSERT INTO change_coverage (coverage, position)
   SELECT l.coverage, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_coverage l ON l.indicator = s.indicator
   WHERE c.revision_id = $1 ORDER BY 1, 2`,
  `INSERT INTO change_topics (topic, position)
   SELECT l.topic, c.position FROM changes c JOIN series s ON s.id = c.series_id
     JOIN indicator_topics l ON l.indicator = s.indicator
   WHERE c.revision_id = $1 ORDER BY 1, 2`,
];

/** Corrects, withdraws and inserts. The times are those of the publication, not of this moment. */
export async function mergeChanges(
  client: pg.PoolClient,
  revision: number,
  publishedAt: Date,
): Promise<MergedChanges> {
  const corrected = await client.query(CORRECT, [revision, publishedAt, NO_LONGER_DERIVABLE]);
  const withdrawn = await client.query(WITHDRAW, [publishedAt, NO_LONGER_DERIVABLE]);
  await client.query(INSERT, [revision, publishedAt]);
  for (const statement of LINK) await client.query(statement, [revision]);
  const made = await client.query<{ releases: number; revisions: number }>(
    `SELECT count(*) FILTER (WHERE kind = 'release') AS releases,
            count(*) FILTER (WHERE kind = 'revision') AS revisions
     FROM changes WHERE revision_id = $1`,
    [revision],
  );
  return {
    releases: made.rows[0]?.releases ?? 0,
    revisions: made.rows[0]?.revisions ?? 0,
    corrected: corrected.rowCount ?? 0,
    withdrawn: withdrawn.rowCount ?? 0,
  };
}
