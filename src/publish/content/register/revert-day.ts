// Takes back what a register stated on one day: entities and relations are again as on the day before, and what later
// days state stands.
import type pg from 'pg';
import { columnsOf } from '../../../store/columns-of.js';

/** $1 the day, $2 the sources, $3 the data version of the publication that takes it back. */
const COLUMNS = 'name, other_names, name_language, type, country, jurisdiction, status, match_name, source_id';

/** An entity that only this day described is the undescribed end of its relations again; its slug stays its own. */
const UNDESCRIBE = `
  WITH undescribed AS (
    UPDATE entities e SET name = NULL, other_names = '{}', name_language = NULL, type = 'unknown', country = NULL,
      jurisdiction = NULL, status = 'unknown', match_name = NULL, known_on = NULL, stated_on = NULL, data_version = $3
    WHERE e.stated_on = $1 AND e.known_on = $1 AND e.source_id = ANY ($2) AND e.lei IS NOT NULL
      AND NOT EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = e.id)
    RETURNING e.id)
  UPDATE companies c SET listed = false FROM undescribed u WHERE c.entity_id = u.id`;

/** A later day confirmed what this one stated first. */
const POSTPONE = `
  UPDATE entities e SET stated_on = coalesce(
    (SELECT min(v.day) FROM register_vintages v WHERE v.source_id = e.source_id AND v.day > $1), e.known_on)
  WHERE e.stated_on = $1 AND e.known_on > $1 AND e.source_id = ANY ($2)
    AND NOT EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = e.id)`;

/** What the newest remaining statement says; of values that it lacks, what was stated last. */
const RESTATE = `
  WITH removed AS (
    DELETE FROM entity_statements WHERE stated_on = $1 AND source_id = ANY ($2) RETURNING entity_id, stated_on),
  kept AS (
    SELECT s.* FROM entity_statements s JOIN removed r USING (entity_id)
    WHERE NOT (s.stated_on = $1 AND s.source_id = ANY ($2))),
  newest AS (SELECT DISTINCT ON (entity_id) * FROM kept 
    ORDER BY entity_id, lei IS NULL, stated_on DESC, source_id),
  restated AS (
    SELECT n.entity_id, n.stated_on, n.lei, n.name, n.type, n.status, n.match_name, n.source_id,
      ARRAY(SELECT o.other FROM kept k CROSS JOIN LATERAL unnest(k.other_names || k.name) AS o (other)
            WHERE k.entity_id = n.entity_id AND k.source_id = n.source_id AND o.other <> n.name
            GROUP BY 1 ORDER BY o.other COLLATE "C") AS other_names,
      ${['name_language', 'country', 'jurisdiction']
        .map(
          (column) => `(SELECT k.${column} FROM kept k
            WHERE k.entity_id = n.entity_id AND k.source_id = n.source_id AND k.${column} IS NOT NULL
            ORDER BY k.stated_on DESC LIMIT 1) AS ${column}`,
        )
        .join(', ')}
    FROM newest n)
  UPDATE entities e SET (lei, stated_on, ${COLUMNS}, known_on, data_version) =
    (SELECT r.lei, r.stated_on, ${columnsOf('r', COLUMNS)},
       CASE WHEN e.known_on > $1 THEN e.known_on ELSE r.stated_on END, $3::integer)
  FROM restated r WHERE r.entity_id = e.id`;

/** Entities that the day only confirmed were confirmed by the vintage before it. */
const UNCONFIRM = `
  UPDATE entities e SET known_on = greatest(e.stated_on,
    (SELECT max(v.day) FROM register_vintages v WHERE v.source_id = e.source_id AND v.day < $1))
  WHERE e.known_on = $1 AND e.stated_on < $1 AND e.source_id = ANY ($2)`;

/** Both ends are counted again. */
const ENDS = `
  UPDATE entities e SET data_version = $3
  FROM relations r WHERE e.id IN (r.child, r.parent) AND r.source_id = ANY ($2) AND (r.valid_from = $1 OR r.valid_to = $1)`;

/** Relations begun on the day begin with the next vintage that saw them, if one did. */
const BEGUN = [
  `DELETE FROM relations r WHERE r.valid_from = $1 AND r.source_id = ANY ($2)
     AND r.seen_on <= $1`,
  `UPDATE relations r SET data_version = $3::integer, valid_from = coalesce(
     (SELECT min(v.day) FROM register_vintages v WHERE v.source_id = r.source_id AND v.day > $1), r.seen_on)
   WHERE r.valid_from = $1 AND r.source_id = ANY ($2)`,
];

/** A relation that ended on the day continues up to the next complete list without it, or until it began again. */
const ENDED = [
  'DROP TABLE IF EXISTS pg_temp.ended_relations',
  `CREATE TEMP TABLE ended_relations (
     child text, parent text, kind text, valid_from date, again date, end_again date, seen_again date, since_again date,
     until_again date, absent date) ON COMMIT DROP`,
  `INSERT INTO ended_relations
   SELECT r.child, r.parent, r.kind, r.valid_from, later.valid_from, later.valid_to, later.seen_on, later.since,
          later.until, absent.day
   FROM relations r
     LEFT JOIN LATERAL (
       SELECT * FROM relations l WHERE (l.child, l.parent, l.kind) = (r.child, r.parent, r.kind) AND l.valid_from > $1
       ORDER BY l.valid_from LIMIT 1) AS later ON true
     CROSS JOIN LATERAL (
       SELECT min(v.day) AS day FROM relation_vintages v
       WHERE v.kind = r.kind AND v.complete AND v.day > $1
         AND (v.anchor = r.parent AND v.side = 'children' OR v.anchor = r.child AND v.side = 'parents')
         AND (later.valid_from IS NULL OR v.day < later.valid_from)) AS absent
   WHERE r.valid_to = $1 AND r.source_id = ANY ($2)`,
  `DELETE FROM relations l USING ended_relations e
   WHERE (l.child, l.parent, l.kind, l.valid_from) = (e.child, e.parent, e.kind, e.again) AND e.absent IS NULL`,
  `UPDATE relations r SET data_version = $3, valid_to = coalesce(e.absent, e.end_again),
     seen_on = CASE WHEN e.absent IS NULL THEN coalesce(e.seen_again, r.seen_on) ELSE r.seen_on END,
     since = CASE WHEN e.absent IS NULL THEN coalesce(e.since_again, r.since) ELSE r.since END,
     until = CASE WHEN e.absent IS NULL THEN e.until_again END
   FROM ended_relations e
   WHERE (r.child, r.parent, r.kind, r.valid_from) = (e.child, e.parent, e.kind, e.valid_from)
     AND r.valid_to = $1 AND r.source_id = ANY ($2)`,
];

const UNSEEN = `
  UPDATE relations r SET seen_on = greatest(r.valid_from,
    (SELECT max(v.day) FROM register_vintages v WHERE v.source_id = r.source_id AND v.day < $1))
  WHERE r.seen_on = $1 AND r.valid_from < $1 AND r.source_id = ANY ($2)`;

const COVERED = 'DELETE FROM relation_vintages WHERE day = $1 AND source_id = ANY ($2)';

const STEPS = [RESTATE, UNDESCRIBE, POSTPONE, UNCONFIRM, ENDS, ...BEGUN, COVERED, ...ENDED, UNSEEN];

export async function revertDay(
  client: pg.PoolClient,
  day: string,
  sources: readonly string[],
  dataVersion: number,
): Promise<void> {
  for (const step of STEPS) {
    const values = [day, sources, dataVersion];
    const used = [...values.keys()].filter((at) => step.includes(`$${at + 1}`)).length;
    await client.query(step, values.slice(0, used));
  }
}

const REPLACEABLE = `
  SELECT v.source_id AS id FROM register_vintages v
  WHERE v.day = $1 AND v.source_id = ANY ($2)
    AND EXISTS (SELECT FROM register_vintages o WHERE o.source_id = v.source_id AND o.day < $1)`;

const UNSTATED = `
  SELECT (SELECT count(*) FROM entities e WHERE e.stated_on = $1 AND e.lei IS NOT NULL AND e.source_id = ANY ($2)
            AND NOT EXISTS (SELECT FROM staged_entities_distinct t WHERE t.lei = e.lei))
       + (SELECT count(*) FROM relations r JOIN entities c ON c.id = r.child JOIN entities p ON p.id = r.parent
          WHERE r.valid_from = $1 AND r.source_id = ANY ($2) AND NOT EXISTS (
            SELECT FROM staged_relations_distinct t WHERE (t.child, t.parent, t.kind) = (c.lei, p.lei, r.kind))) AS count`;

/** Those with an earlier vintage: before the first one nothing was stated. */
export async function replaceableSources(
  client: pg.PoolClient,
  day: string,
  sources: ReadonlySet<string>,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(REPLACEABLE, [day, [...sources]]);
  return rows.map(({ id }) => id);
}

/** Counts what the stored file of the day stated and the staged one does not. */
export async function countUnstated(client: pg.PoolClient, day: string, sources: ReadonlySet<string>): Promise<number> {
  const replaced = await replaceableSources(client, day, sources);
  const { rows } = await client.query<{ count: number }>(UNSTATED, [day, replaced]);
  return rows[0]?.count ?? 0;
}
