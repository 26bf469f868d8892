// Merges derived changes with the published ones.
import type pg from 'pg';
import { AFFECTED_COLUMNS } from '../publication/affected-changes.js';
import type { ImportCounts } from '../publication/import-report.js';
import type { Publication } from '../publication/record-publication.js';

/**
 * The reason for withdrawals by a replacement. Such a change returns with its figures; one withdrawn by hand never
 * does.
 */
const NO_LONGER_DERIVABLE = 'no longer derivable from the replaced vintage';

export type MergedChanges = Pick<
  ImportCounts,
  'releases' | 'revisions' | 'moves' | 'decisions' | 'structures' | 'corrected' | 'withdrawn'
>;

const DIFFERS = `
  (c.status <> 'withdrawn' AND
     (c.actual_value, c.previous_value, c.previous_period, c.previous_missing, c.previous_known_since, c.delta,
      c.delta_percent, c.known_since, c.rebasing, c.revision)
     IS DISTINCT FROM
     (d.actual_value, d.previous_value, d.previous_period, d.previous_missing, d.previous_known_since, d.delta,
      d.delta_percent, d.known_since, d.rebasing, d.revision)
   -- The facts of a structure change are the names in its texts.
   OR c.status <> 'withdrawn' AND c.kind = 'structure' AND (c.headline, c.summary) IS DISTINCT FROM (d.headline, d.summary)
   OR c.status = 'withdrawn' AND c.withdrawal_reason = $3)`;

const CORRECT = `
  WITH differing AS (
    SELECT c.id, c.actual_value, c.previous_value FROM changes c JOIN derived_changes d USING (id) WHERE ${DIFFERS}
  ), noted AS (
    INSERT INTO change_corrections (change_id, data_version, corrected_at, actual_value, previous_value)
    SELECT id, $1, $2, actual_value, previous_value FROM differing
  ), corrected AS (
    UPDATE changes c SET
      status = 'corrected', updated_at = $2, withdrawn_at = NULL, withdrawal_reason = NULL,
      headline = d.headline, summary = d.summary, importance = d.importance,
      occurred_basis = d.occurred_basis, actual_value = d.actual_value, previous_value = d.previous_value,
      previous_period = d.previous_period, previous_missing = d.previous_missing,
      previous_known_since = d.previous_known_since, known_since = d.known_since,
      delta = d.delta, delta_percent = d.delta_percent, rebasing = d.rebasing,
      revision = d.revision, context = d.context
    FROM derived_changes d WHERE d.id = c.id AND c.id IN (SELECT id FROM differing)
    RETURNING ${AFFECTED_COLUMNS}
  )
  INSERT INTO affected_changes SELECT *, 'corrected' FROM corrected`;

/** The same facts beside another copy or history, after a retraction: no correction, but another text. */
const RENDER = `
  WITH rendered AS (
    UPDATE changes c SET headline = d.headline, summary = d.summary, context = d.context, updated_at = $1
    FROM derived_changes d
    WHERE d.id = c.id AND c.status <> 'withdrawn'
      AND (c.headline, c.summary, c.context) IS DISTINCT FROM (d.headline, d.summary, d.context)
    RETURNING ${AFFECTED_COLUMNS}
  )
  INSERT INTO affected_changes SELECT *, 'rendered' FROM rendered`;

const WITHDRAW = `
  WITH withdrawn AS (
    UPDATE changes c SET status = 'withdrawn', withdrawn_at = $1, updated_at = $1, withdrawal_reason = $2
    FROM recomputed_changes r
    WHERE r.id = c.id AND c.status <> 'withdrawn' AND NOT EXISTS (SELECT FROM derived_changes d WHERE d.id = c.id)
    RETURNING ${AFFECTED_COLUMNS}
  )
  INSERT INTO affected_changes SELECT *, 'withdrawn' FROM withdrawn`;

/** A position is permanent: by the data's clock, then importance, then id. */
const INSERT = `
  WITH made AS (
    INSERT INTO changes AS c (
      id, position, kind, status, evidence_class, headline, summary, importance, occurred_at,
      occurred_precision, occurred_basis, published_at, updated_at, data_version, source_id, series_id, entity_id,
      period, vintage_day, actual_value, previous_value, previous_period, previous_basis, previous_missing,
      previous_known_since, known_since, delta, delta_percent, rebasing, revision, context)
    SELECT d.id,
           (SELECT coalesce(max(position), 0) FROM changes)
             + row_number() OVER (ORDER BY d.occurred_on, d.importance, d.id COLLATE "C"),
           d.kind, 'verified', d.evidence_class, d.headline, d.summary, d.importance, d.occurred_on::timestamptz,
           'day', d.occurred_basis, $2, $2, $1, coalesce(s.source_id, e.source_id), d.series_id, d.entity_id,
           d.period, d.vintage_day, d.actual_value, d.previous_value, d.previous_period, d.previous_basis,
           d.previous_missing, d.previous_known_since, d.known_since, d.delta, d.delta_percent, d.rebasing, d.revision,
           d.context
    FROM derived_changes d
      LEFT JOIN derivable_series s ON s.id = d.series_id
      LEFT JOIN entities e ON e.id = d.entity_id
    WHERE coalesce(s.source_id, e.source_id) IS NOT NULL
      AND NOT EXISTS (SELECT FROM changes c WHERE c.id = d.id)
    RETURNING ${AFFECTED_COLUMNS}
  )
  INSERT INTO affected_changes SELECT *, 'made' FROM made`;

/** The indicator and vintage of change `c` of series `s`, or for a price, its topic and month. */
const GROUP = `
  CROSS JOIN LATERAL (
    SELECT coalesce(s.indicator, (SELECT min(t.topic) FROM instrument_topics t WHERE t.instrument = s.instrument)) AS subject,
           CASE WHEN s.indicator IS NULL THEN date_trunc('month', c.occurred_at AT TIME ZONE 'UTC')::date ELSE c.vintage_day END
             AS since) g`;

/** Counts, for what this publication moved, the more important changes of the same group. */
export const COUNT_ALIKE = `
  WITH moved AS (
    SELECT DISTINCT g.subject, g.since, s.indicator IS NULL AS is_price
    FROM affected_changes a JOIN changes c USING (id) JOIN series s ON s.id = c.series_id ${GROUP}
  ), members AS (
    SELECT c.id, c.importance, c.series_id, m.subject, m.since
    FROM moved m JOIN series s ON s.indicator = m.subject JOIN changes c ON c.series_id = s.id AND c.vintage_day = m.since
    WHERE NOT m.is_price AND c.status <> 'withdrawn'
    UNION ALL
    SELECT c.id, c.importance, c.series_id, m.subject, m.since
    FROM moved m JOIN changes c ON c.occurred_at >= m.since AND c.occurred_at < m.since + interval '1 month'
      JOIN series s ON s.id = c.series_id ${GROUP}
    WHERE m.is_price AND s.instrument IS NOT NULL AND g.subject = m.subject AND c.status <> 'withdrawn'
  ), counted AS (
    SELECT n.id, least(row_number() OVER (
             PARTITION BY n.subject, n.since
             ORDER BY n.importance DESC, r.weight DESC NULLS LAST, n.id COLLATE "C") - 1, 12) AS alike
    FROM members n JOIN series s ON s.id = n.series_id LEFT JOIN regions r ON r.code = s.region)
  UPDATE changes c SET alike = n.alike FROM counted n WHERE n.id = c.id AND n.alike <> c.alike`;

/** Domain and topic of structure changes: entities have none of their own. */
export const OF_ENTITIES = { coverage: 'companies', topic: 'corporate-groups' } as const;

/** Links the changes of this publication without reading all others. */
const LINK = [
  `INSERT INTO change_entities (entity, position)
   SELECT named.entity, c.position FROM affected_changes c JOIN derived_changes d USING (id)
     CROSS JOIN LATERAL (VALUES (d.entity_id), (d.other_entity_id)) AS named (entity)
   WHERE c.how = 'made' AND named.entity IS NOT NULL
   ON CONFLICT DO NOTHING`,
  `INSERT INTO change_regions (region, position)
   SELECT coalesce(s.region, l.region), c.position FROM affected_changes c JOIN series s ON s.id = c.series_id
     LEFT JOIN instrument_regions l ON l.instrument = s.instrument
   WHERE c.how = 'made' AND coalesce(s.region, l.region) IS NOT NULL
   UNION
   SELECT e.country, c.position FROM affected_changes c JOIN change_entities l USING (position)
     JOIN entities e ON e.id = l.entity
   WHERE c.how = 'made' AND e.country IS NOT NULL ORDER BY 1, 2`,
  `INSERT INTO change_coverage (coverage, position)
   SELECT coalesce(l.coverage, m.coverage), c.position FROM affected_changes c JOIN series s ON s.id = c.series_id
     LEFT JOIN indicator_coverage l ON l.indicator = s.indicator
     LEFT JOIN instrument_coverage m ON m.instrument = s.instrument
   WHERE c.how = 'made'
   UNION ALL
   SELECT '${OF_ENTITIES.coverage}', position FROM affected_changes WHERE how = 'made' AND entity_id IS NOT NULL
   ORDER BY 1, 2`,
  `INSERT INTO change_topics (topic, position)
   SELECT coalesce(l.topic, m.topic), c.position FROM affected_changes c JOIN series s ON s.id = c.series_id
     LEFT JOIN indicator_topics l ON l.indicator = s.indicator
     LEFT JOIN instrument_topics m ON m.instrument = s.instrument
   WHERE c.how = 'made'
   UNION ALL
   SELECT '${OF_ENTITIES.topic}', position FROM affected_changes WHERE how = 'made' AND entity_id IS NOT NULL
   ORDER BY 1, 2`,
];

/** Corrects, withdraws and inserts changes at the time of the publication. */
export async function mergeChanges(
  client: pg.PoolClient,
  { dataVersion, beganAt }: Publication,
): Promise<MergedChanges> {
  await client.query('ANALYZE derived_changes (id)');
  await client.query(CORRECT, [dataVersion, beganAt, NO_LONGER_DERIVABLE]);
  await client.query(RENDER, [beganAt]);
  await client.query(WITHDRAW, [beganAt, NO_LONGER_DERIVABLE]);
  await client.query(INSERT, [dataVersion, beganAt]);
  await client.query('ANALYZE affected_changes');
  await client.query(COUNT_ALIKE);
  for (const statement of LINK) await client.query(statement);
  const made = await client.query<MergedChanges>(
    `SELECT count(*) FILTER (WHERE how = 'made' AND kind = 'release') AS releases,
            count(*) FILTER (WHERE how = 'made' AND kind = 'revision') AS revisions,
            count(*) FILTER (WHERE how = 'made' AND kind = 'move') AS moves,
            count(*) FILTER (WHERE how = 'made' AND kind = 'decision') AS decisions,
            count(*) FILTER (WHERE how = 'made' AND kind = 'structure') AS structures,
            count(*) FILTER (WHERE how = 'corrected') AS corrected,
            count(*) FILTER (WHERE how = 'withdrawn') AS withdrawn
     FROM affected_changes`,
  );
  const [counts] = made.rows;
  if (counts === undefined) throw new Error('The count has no row');
  return counts;
}
