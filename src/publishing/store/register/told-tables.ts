import type pg from 'pg';

/** What a delivery says of entities and relations, as it came; gone with the transaction. */
const TABLES = `
CREATE TEMP TABLE staged_entities (
  lei text NOT NULL, name text NOT NULL, language text, type text NOT NULL, country text, jurisdiction text,
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
`;

/** The same, each thing once: records count before lists, and what stands before what has ended. */
const TOLD = `
CREATE TEMP TABLE told_entities ON COMMIT DROP AS
  SELECT DISTINCT ON (lei) * FROM staged_entities
  ORDER BY lei, language NULLS LAST, jurisdiction NULLS LAST, country NULLS LAST;
CREATE TEMP TABLE told_extents ON COMMIT DROP AS
  SELECT DISTINCT ON (lei, side, kind) * FROM staged_extents
  ORDER BY lei, side, kind, recorded DESC, stated DESC;
CREATE TEMP TABLE told_relations ON COMMIT DROP AS
  SELECT DISTINCT ON (child, parent, kind) s.* FROM staged_relations s
  WHERE s.recorded OR NOT EXISTS (
    SELECT FROM told_extents x
    WHERE x.lei = s.parent AND x.side = 'children' AND x.kind = s.kind AND x.recorded)
  ORDER BY child, parent, kind, recorded DESC, state, since NULLS LAST;
ALTER TABLE told_extents ADD COLUMN given integer NOT NULL DEFAULT 0;
UPDATE told_extents x SET given = (
  SELECT count(*) FROM told_relations r
  WHERE r.kind = x.kind AND CASE x.side WHEN 'children' THEN r.parent = x.lei ELSE r.child = x.lei END);
CREATE TEMP TABLE told_registrants ON COMMIT DROP AS
  SELECT cik, (array_agg(name ORDER BY ordinal))[1] AS name, (array_agg(match_name ORDER BY ordinal))[1] AS match_name,
         array_agg(ticker ORDER BY ordinal) AS tickers, min(source_id) AS source_id
  FROM staged_registrants GROUP BY cik;
CREATE INDEX ON told_entities (lei);
CREATE INDEX ON told_relations (parent, kind);
ANALYZE told_entities; ANALYZE told_extents; ANALYZE told_relations; ANALYZE told_registrants;
`;

export async function createStagedRegister(client: pg.PoolClient): Promise<void> {
  await client.query(TABLES);
}

export async function gatherTold(client: pg.PoolClient): Promise<void> {
  await client.query('ANALYZE staged_relations; ANALYZE staged_extents;');
  await client.query('CREATE INDEX ON staged_extents (lei, side, kind)');
  await client.query(TOLD);
}
