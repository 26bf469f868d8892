import type pg from 'pg';
import { NO_ROWS, type ComparisonCounts } from './entities.js';

/**
 * Plans the action for each relation on the vintage day `$1`: open, alter, close or `confirm`. `held`: the database has
 * a different statement of the same day; `older`: it has a newer one.
 */
const TABLE = `
  DROP TABLE IF EXISTS pg_temp.relation_actions;
  CREATE TEMP TABLE relation_actions (
    child text NOT NULL, parent text NOT NULL, kind text NOT NULL, action text NOT NULL, since date, until date,
    held boolean NOT NULL DEFAULT false, older boolean NOT NULL DEFAULT false, source_id text NOT NULL) ON COMMIT DROP`;

const PRESENT = `
  INSERT INTO relation_actions
  SELECT t.child, t.parent, t.kind,
         CASE WHEN o.child IS NULL THEN 'open'
              WHEN (coalesce(t.since, o.since), coalesce(t.until, o.until)) IS DISTINCT FROM (o.since, o.until) THEN 'alter'
              ELSE 'confirm' END,
         coalesce(t.since, o.since), coalesce(t.until, o.until),
         CASE WHEN o.child IS NULL THEN coalesce(last.day = $1, false) OR coalesce(absent.day = $1, false)
              ELSE o.seen_on = $1
                AND (coalesce(t.since, o.since), coalesce(t.until, o.until)) IS DISTINCT FROM (o.since, o.until) END,
         coalesce(CASE WHEN o.child IS NULL THEN greatest(last.day, absent.day) ELSE o.seen_on END > $1, false),
         t.source_id
  FROM staged_relations_distinct t
    LEFT JOIN entities c ON c.lei = t.child LEFT JOIN entities p ON p.lei = t.parent
    LEFT JOIN relations o ON o.child = c.id AND o.parent = p.id AND o.kind = t.kind AND o.valid_to IS NULL
    -- Its end, if an earlier vintage stated it.
    LEFT JOIN LATERAL (
      SELECT max(r.valid_to) AS day FROM relations r
      WHERE r.child = c.id AND r.parent = p.id AND r.kind = t.kind) AS last ON o.child IS NULL
    -- The last vintage that covered it without containing it.
    LEFT JOIN LATERAL (
      SELECT max(v.day) AS day FROM relation_vintages v
      WHERE v.kind = t.kind AND v.complete
        AND (v.anchor = p.id AND v.side = 'children' OR v.anchor = c.id AND v.side = 'parents')) AS absent
      ON o.child IS NULL
  WHERE t.state = 'active'`;

const ENDED = `
  INSERT INTO relation_actions
  SELECT t.child, t.parent, t.kind, 'close', coalesce(t.since, o.since), coalesce(t.until, o.until),
         o.seen_on = $1, o.seen_on > $1, t.source_id
  FROM staged_relations_distinct t
    JOIN entities c ON c.lei = t.child JOIN entities p ON p.lei = t.parent
    JOIN relations o ON o.child = c.id AND o.parent = p.id AND o.kind = t.kind AND o.valid_to IS NULL
  WHERE t.state = 'ended'`;

/** Absence from an older delivery ends no newer relation, and none of an entity that waits. */
const ABSENT = `
  INSERT INTO relation_actions
  SELECT DISTINCT c.lei, p.lei, o.kind, 'close', o.since, o.until, o.seen_on = $1, false, x.source_id
  FROM staged_extents_distinct x
    JOIN entities a ON a.lei = x.lei
    JOIN relations o ON o.kind = x.kind AND o.valid_to IS NULL AND o.seen_on <= $1
      AND CASE x.side WHEN 'children' THEN o.parent = a.id ELSE o.child = a.id END
    JOIN entities c ON c.id = o.child JOIN entities p ON p.id = o.parent
  WHERE (x.side = 'parents' OR x.given + x.waiting >= x.stated)
    AND NOT EXISTS (SELECT FROM waiting_entities w WHERE w.subject = c.lei)
    AND NOT EXISTS (
      SELECT FROM staged_relations_distinct t WHERE t.child = c.lei AND t.parent = p.lei AND t.kind = o.kind)`;

/** @param closes false where rows were left out: then absence says nothing. */
export async function planRelationActions(client: pg.PoolClient, vintage: string, closes: boolean): Promise<void> {
  await client.query(TABLE);
  await client.query(PRESENT, [vintage]);
  await client.query(ENDED, [vintage]);
  if (closes) await client.query(ABSENT, [vintage]);
  await client.query('ANALYZE relation_actions');
}

const IDS = `
  FROM relation_actions a JOIN entities c ON c.lei = a.child JOIN entities p ON p.lei = a.parent`;

const STEPS = [
  // Parents whose children are counted again, also of rows deleted below.
  `UPDATE entities e SET data_version = $2 FROM (SELECT p.id ${IDS} WHERE action = 'close' AND NOT older) g
   WHERE e.id = g.id AND $1::date IS NOT NULL`,
  // A relation that began and ended on the vintage day is deleted.
  `DELETE FROM relations o USING (SELECT c.id AS child, p.id AS parent, a.kind ${IDS} WHERE action = 'close' AND NOT older) g
   WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_from = $1`,
  `UPDATE relations o SET valid_to = $1, until = g.until, data_version = $2
   FROM (SELECT c.id AS child, p.id AS parent, a.kind, a.until ${IDS} WHERE action = 'close' AND NOT older) g
   WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_to IS NULL`,
  `UPDATE relations o SET since = g.since, until = g.until, data_version = $2
   FROM (SELECT c.id AS child, p.id AS parent, a.kind, a.since, a.until ${IDS} WHERE action = 'alter' AND NOT older) g
   WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_from = $1 AND o.valid_to IS NULL`,
  `WITH closed AS (
     UPDATE relations o SET valid_to = $1, data_version = $2
     FROM (SELECT c.id AS child, p.id AS parent, a.kind, a.since, a.until ${IDS} WHERE action = 'alter' AND NOT older) g
     WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_to IS NULL AND o.valid_from < $1
     RETURNING o.child, o.parent, o.kind, g.since, g.until, o.source_id, o.backfilled)
   INSERT INTO relations (child, parent, kind, valid_from, since, until, seen_on, backfilled, source_id, data_version)
   SELECT child, parent, kind, $1, since, until, $1, backfilled, source_id, $2 FROM closed`,
  `UPDATE relations o SET seen_on = $1
   FROM (SELECT c.id AS child, p.id AS parent, a.kind ${IDS} WHERE action IN ('confirm', 'alter') AND NOT older) g
   WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_to IS NULL AND o.seen_on < $1`,
  // A relation that the replaced file ended on this day continues.
  `UPDATE relations o SET valid_to = NULL, seen_on = $1, until = g.until, data_version = $2
   FROM (SELECT c.id AS child, p.id AS parent, a.kind, a.until ${IDS} WHERE action = 'open' AND NOT older) g
   WHERE (o.child, o.parent, o.kind) = (g.child, g.parent, g.kind) AND o.valid_to = $1`,
  `INSERT INTO relations (child, parent, kind, valid_from, valid_to, since, until, seen_on, backfilled, source_id,
     data_version)
   SELECT c.id, p.id, a.kind, $1, later.day, a.since, a.until, $1, a.older, a.source_id, $2 ${IDS}
     CROSS JOIN LATERAL (
       SELECT min(day) AS day FROM (
         SELECT v.day FROM relation_vintages v
         WHERE v.kind = a.kind AND v.complete AND v.day > $1
           AND (v.anchor = p.id AND v.side = 'children' OR v.anchor = c.id AND v.side = 'parents')
         UNION ALL
         SELECT r.valid_from FROM relations r
         WHERE (r.child, r.parent, r.kind) = (c.id, p.id, a.kind) AND r.valid_from > $1) AS known) AS later
   WHERE (a.action = 'open' OR a.older) AND a.action <> 'close' AND NOT EXISTS (
     SELECT FROM relations r WHERE (r.child, r.parent, r.kind) = (c.id, p.id, a.kind)
       AND known_on($1, r.valid_from, r.valid_to))`,
  `INSERT INTO relation_vintages (anchor, side, kind, day, given, stated, backfilled, source_id, data_version)
   SELECT e.id, x.side, x.kind, $1, x.given, x.stated,
          EXISTS (SELECT FROM relation_vintages v
            WHERE (v.anchor, v.side, v.kind) = (e.id, x.side, x.kind) AND v.day > $1), x.source_id, $2
   FROM staged_extents_distinct x JOIN entities e ON e.lei = x.lei
   ON CONFLICT (anchor, side, kind, day) DO UPDATE
     SET given = excluded.given, stated = excluded.stated, data_version = excluded.data_version
     WHERE (relation_vintages.given, relation_vintages.stated) IS DISTINCT FROM (excluded.given, excluded.stated)`,
];

/** Differences to store; coverage counts, because the absence of children is news. */
const COMPARE = `
  WITH seen AS (
    SELECT 1 ${IDS} JOIN relations o
        ON (o.child, o.parent, o.kind) = (c.id, p.id, a.kind) AND o.valid_to IS NULL
    WHERE a.action = 'confirm' AND o.seen_on < $1),
  uncovered AS (
    SELECT 1 FROM relation_actions a
      LEFT JOIN entities c ON c.lei = a.child LEFT JOIN entities p ON p.lei = a.parent
    WHERE a.older AND a.action <> 'close' AND NOT EXISTS (
      SELECT FROM relations r WHERE (r.child, r.parent, r.kind) = (c.id, p.id, a.kind)
        AND known_on($1, r.valid_from, r.valid_to))),
  unsaid AS (
    SELECT 1 FROM staged_extents_distinct x LEFT JOIN entities e ON e.lei = x.lei
      LEFT JOIN relation_vintages v ON (v.anchor, v.side, v.kind, v.day) = (e.id, x.side, x.kind, $1::date)
    WHERE v.anchor IS NULL OR (v.given, v.stated) IS DISTINCT FROM (x.given, x.stated))
  SELECT (SELECT count(*) FROM staged_relations_distinct) AS rows,
         (SELECT count(*) FROM relation_actions WHERE action <> 'confirm' AND NOT held AND NOT older)
           + (SELECT count(*) FROM seen) + (SELECT count(*) FROM unsaid) + (SELECT count(*) FROM uncovered) AS newer,
         (SELECT count(*) FROM relation_actions WHERE held AND NOT older) AS replaced,
         (SELECT count(*) FROM relation_actions WHERE older) AS older`;

export async function compareRelations(client: pg.PoolClient, vintage: string): Promise<ComparisonCounts> {
  const { rows } = await client.query<ComparisonCounts>(COMPARE, [vintage]);
  return rows[0] ?? NO_ROWS;
}

/** Applies the planned actions; both ends of each relation exist by now. */
export async function storeRelations(client: pg.PoolClient, vintage: string, dataVersion: number): Promise<void> {
  for (const step of STEPS) {
    const parameters = step.includes('$2') ? [vintage, dataVersion] : [vintage];
    await client.query(step, parameters);
  }
}

/**
 * Registrants mark their entities. A list that states as many children as the one before changes nothing, and a list
 * of parents shows only in relations.
 */
const CHANGED = `
  SELECT EXISTS (SELECT FROM entities WHERE data_version = $2)
      OR EXISTS (SELECT FROM relations WHERE data_version = $2)
      OR EXISTS (
        SELECT FROM staged_extents_distinct x JOIN entities e ON e.lei = x.lei
          JOIN relation_vintages v ON (v.anchor, v.side, v.kind, v.day) = (e.id, x.side, x.kind, $1::date)
        WHERE v.data_version = $2 AND v.stated IS DISTINCT FROM (
          SELECT o.stated FROM relation_vintages o
          WHERE (o.anchor, o.side, o.kind) = (v.anchor, v.side, v.kind) AND o.day < v.day
          ORDER BY o.day DESC LIMIT 1)) AS changed`;

/** Whether what is stored of this publication shows anywhere; a register that repeats itself only moves its days. */
export async function findChanged(client: pg.PoolClient, vintage: string, dataVersion: number): Promise<boolean> {
  const { rows } = await client.query<{ changed: boolean }>(CHANGED, [vintage, dataVersion]);
  return rows[0]?.changed === true;
}
