import type pg from 'pg';

/** What the comparison with what is held has come to, by cells. */
export interface CellCounts {
  /** All that the delivery speaks of. */
  readonly told: number;
  /** New, different, ended, or only seen on a later day. */
  readonly newer: number;
  /** Of which something else was held on this very day. */
  readonly replaced: number;
  /** Of which something newer is known. */
  readonly older: number;
}

export const NO_CELLS: CellCounts = { told: 0, newer: 0, replaced: 0, older: 0 };

/** Where the register says nothing now that it said before, what it said stands. */
const DIFFERS = `
  (e.name, e.type, e.status) IS DISTINCT FROM (t.name, t.type, t.status)
  OR coalesce(t.country, e.country) IS DISTINCT FROM e.country
  OR coalesce(t.jurisdiction, e.jurisdiction) IS DISTINCT FROM e.jurisdiction
  OR coalesce(t.language, e.name_language) IS DISTINCT FROM e.name_language`;

const COMPARE = `
  SELECT count(*) AS told,
         count(*) FILTER (WHERE e.known_on IS NULL OR e.known_on < $1) AS newer,
         count(*) FILTER (WHERE e.known_on = $1 AND (${DIFFERS})) AS replaced,
         count(*) FILTER (WHERE e.known_on > $1) AS older
  FROM told_entities t LEFT JOIN entities e ON e.lei = t.lei`;

export async function compareEntities(client: pg.PoolClient, vintage: string): Promise<CellCounts> {
  const { rows } = await client.query<CellCounts>(COMPARE, [vintage]);
  return rows[0] ?? NO_CELLS;
}

/** Two descriptions of one LEI in one delivery cannot both be right. */
export async function contradictoryEntity(client: pg.PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT lei || ': ' || string_agg(DISTINCT name || ', ' || status || ' (' || place || ')', '; ') AS text
    FROM staged_entities GROUP BY lei
    HAVING count(DISTINCT (name, type, status)) > 1 OR count(DISTINCT country) > 1 ORDER BY lei LIMIT 1`);
  return rows[0]?.text ?? null;
}

/** Opaque and the same in every database that meets the entity by this identifier first. */
export const entityId = (identifier: string): string =>
  `'ent_' || left(translate(encode(sha256(convert_to(${identifier}, 'UTF8')), 'base64'), '+/=', '-_'), 27)`;

/**
 * One name on either side, and of nobody else there: then the registrant's entity takes on the LEI. From here on it is
 * described by the register of LEIs, on whatever day the regulator listed it: a row says what one source says.
 */
const ATTACH = `
  UPDATE entities e SET lei = t.lei, known_on = NULL
  FROM told_entities t JOIN registrants r ON r.match_name = t.match_name AND r.listed
    JOIN sources s ON s.id = r.source_id AND NOT s.withheld
  WHERE e.id = r.entity_id AND e.lei IS NULL
    AND NOT EXISTS (SELECT FROM entities h WHERE h.lei = t.lei)
    AND NOT EXISTS (SELECT FROM registrants o WHERE o.match_name = t.match_name AND o.cik <> r.cik)
    AND NOT EXISTS (SELECT FROM told_entities o WHERE o.match_name = t.match_name AND o.lei <> t.lei)
    AND NOT EXISTS (SELECT FROM entities h WHERE h.match_name = t.match_name AND h.lei IS NOT NULL)`;

const INSERT = `
  INSERT INTO entities (id, lei, name, name_language, type, country, jurisdiction, status, match_name, known_on,
    source_id, revision_id)
  SELECT ${entityId("'lei:' || t.lei")}, t.lei, t.name, t.language, t.type, t.country, t.jurisdiction, t.status,
         t.match_name, $1, t.source_id, $2
  FROM told_entities t WHERE NOT EXISTS (SELECT FROM entities e WHERE e.lei = t.lei) ORDER BY t.lei`;

const UPDATE = `
  UPDATE entities e SET name = t.name, name_language = coalesce(t.language, e.name_language), type = t.type,
    country = coalesce(t.country, e.country), jurisdiction = coalesce(t.jurisdiction, e.jurisdiction),
    status = t.status, match_name = t.match_name, source_id = t.source_id, revision_id = $2
  FROM told_entities t
  WHERE e.lei = t.lei AND (e.known_on IS NULL OR e.known_on <= $1)
    AND (${DIFFERS} OR e.source_id <> t.source_id)`;

const DATE = `
  UPDATE entities e SET known_on = $1 FROM told_entities t
  WHERE e.lei = t.lei AND (e.known_on IS NULL OR e.known_on < $1)`;

/** The ends of relations that nobody has described yet. */
const UNKNOWN = `
  INSERT INTO entities (id, lei, type, status, source_id, revision_id)
  SELECT DISTINCT ${entityId("'lei:' || u.lei")}, u.lei, 'unknown', 'unknown', u.source_id, $1::integer
  FROM (SELECT child AS lei, source_id FROM relation_actions UNION SELECT parent, source_id FROM relation_actions
        UNION SELECT lei, source_id FROM told_extents) u
  WHERE NOT EXISTS (SELECT FROM entities e WHERE e.lei = u.lei)`;

export async function storeEntities(client: pg.PoolClient, vintage: string, revision: number): Promise<void> {
  await client.query(ATTACH);
  await client.query(INSERT, [vintage, revision]);
  await client.query(UPDATE, [vintage, revision]);
  await client.query(DATE, [vintage]);
  await client.query(UNKNOWN, [revision]);
}
