import type pg from 'pg';

/** Rows of the delivery as read. */
const TABLES = `
CREATE TEMP TABLE staged_entities (
  lei text NOT NULL, name text NOT NULL, other_names jsonb NOT NULL, language text, type text NOT NULL, country text, jurisdiction text,
  status text NOT NULL, match_name text, source_id text NOT NULL, place text NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE staged_relations (
  child text NOT NULL, parent text NOT NULL, kind text NOT NULL, state text NOT NULL, since date, until date,
  recorded boolean NOT NULL, source_id text NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE staged_extents (
  lei text NOT NULL, side text NOT NULL, kind text NOT NULL, stated integer, recorded boolean NOT NULL,
  source_id text NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE staged_registrants (
  ordinal integer NOT NULL, cik integer NOT NULL, name text NOT NULL, ticker text NOT NULL, match_name text,
  source_id text NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE failed_entities (
  subject text NOT NULL, check_name text NOT NULL, source text, what text, held text, value text) ON COMMIT DROP;
CREATE TEMP TABLE waiting_entities (subject text PRIMARY KEY, checks text[]) ON COMMIT DROP;
`;

/** One row each: records win over lists, active relations over ended ones. */
const DISTINCT_TABLES = `
CREATE TEMP TABLE staged_entities_distinct ON COMMIT DROP AS
  SELECT DISTINCT ON (lei) * FROM staged_entities
  ORDER BY lei, language NULLS LAST, jurisdiction NULLS LAST, country NULLS LAST,
    other_names::text COLLATE "C";
CREATE TEMP TABLE staged_extents_distinct ON COMMIT DROP AS
  SELECT DISTINCT ON (lei, side, kind) * FROM staged_extents
  ORDER BY lei, side, kind, recorded DESC, stated DESC;
CREATE TEMP TABLE staged_relations_distinct ON COMMIT DROP AS
  SELECT DISTINCT ON (child, parent, kind) s.* FROM staged_relations s
  WHERE s.recorded OR NOT EXISTS (
    SELECT FROM staged_extents_distinct x
    WHERE x.lei = s.parent AND x.side = 'children' AND x.kind = s.kind AND x.recorded)
  ORDER BY child, parent, kind, recorded DESC, state, since NULLS LAST;
ALTER TABLE staged_extents_distinct ADD COLUMN given integer NOT NULL DEFAULT 0, ADD COLUMN waiting integer NOT NULL DEFAULT 0;
UPDATE staged_extents_distinct x SET given = (
  SELECT count(*) FROM staged_relations_distinct r
  WHERE r.kind = x.kind AND CASE x.side WHEN 'children' THEN r.parent = x.lei ELSE r.child = x.lei END);
CREATE TEMP TABLE staged_registrants_distinct ON COMMIT DROP AS
  SELECT cik, (array_agg(name ORDER BY ordinal))[1] AS name, (array_agg(match_name ORDER BY ordinal))[1] AS match_name,
         array_agg(ticker ORDER BY ordinal) AS tickers, min(source_id) AS source_id
  FROM staged_registrants GROUP BY cik;
CREATE INDEX ON staged_entities_distinct (lei);
CREATE INDEX ON staged_relations_distinct (parent, kind);
ANALYZE staged_entities_distinct; ANALYZE staged_extents_distinct; ANALYZE staged_relations_distinct; ANALYZE staged_registrants_distinct;
`;

/** A list of children without those that wait is as long as what is stored of it, and their absence says nothing. */
const TAKE_OUT = [
  `UPDATE staged_extents_distinct x SET given = given - d.count, waiting = waiting + d.count
   FROM (SELECT r.parent, r.kind, count(*)::integer AS count
         FROM staged_relations_distinct r JOIN waiting_entities w ON w.subject = r.child GROUP BY 1, 2) d
   WHERE (x.lei, x.side, x.kind) = (d.parent, 'children', d.kind)`,
  'DELETE FROM staged_relations_distinct t USING waiting_entities w WHERE w.subject = t.child',
  `DELETE FROM staged_extents_distinct t USING waiting_entities w WHERE w.subject = t.lei AND t.side = 'parents'`,
  'DELETE FROM staged_entities_distinct t USING waiting_entities w WHERE w.subject = t.lei',
  `DELETE FROM staged_registrants_distinct t USING waiting_entities w WHERE w.subject = 'CIK ' || t.cik`,
];

/** As if the delivery did not speak of the entities in `waiting_entities`; their relations are planned again after it. */
export async function takeOutEntities(client: pg.PoolClient): Promise<void> {
  for (const sql of TAKE_OUT) await client.query(sql);
}

export async function createRegisterStaging(client: pg.PoolClient): Promise<void> {
  await client.query(TABLES);
}

export async function createDistinctTables(client: pg.PoolClient): Promise<void> {
  await client.query('ANALYZE staged_relations; ANALYZE staged_extents;');
  await client.query('CREATE INDEX ON staged_extents (lei, side, kind)');
  await client.query(DISTINCT_TABLES);
}
