import type pg from 'pg';

/** Counts from the comparison of one kind of register row with the database. */
export interface ComparisonCounts {
  /** Rows of the delivery. */
  readonly rows: number;
  /** New, different, ended, or only confirmed on a later day. */
  readonly newer: number;
  /** Rows that differ from the stored ones of the same day. */
  readonly replaced: number;
  /** Rows for which the database has newer ones. */
  readonly older: number;
}

export const NO_ROWS: ComparisonCounts = { rows: 0, newer: 0, replaced: 0, older: 0 };

/**
 * Other names of entity `e` once row `t` is stored: what the same source called it before stays one of them, unless the
 * row replaces that statement.
 */
export const otherNames = (stated: string): string => `
  ARRAY(SELECT n FROM unnest(${stated} || CASE WHEN e.source_id = t.source_id AND e.stated_on < $1 THEN e.other_names || coalesce(e.name, t.name)
          ELSE '{}' END) AS n
        WHERE n <> t.name GROUP BY n ORDER BY n COLLATE "C")`;
const STATED_NAMES = 'ARRAY(SELECT jsonb_array_elements_text(t.other_names))';

/** A value that the register no longer states stays. */
const DIFFERS = `
  (e.name, e.type, e.status) IS DISTINCT FROM (t.name, t.type, t.status)
  OR coalesce(t.country, e.country) IS DISTINCT FROM e.country
  OR coalesce(t.jurisdiction, e.jurisdiction) IS DISTINCT FROM e.jurisdiction
  OR coalesce(t.language, e.name_language) IS DISTINCT FROM e.name_language
  OR NOT ${STATED_NAMES} <@ e.other_names`;

const COMPARE = `
  SELECT count(*) AS rows,
         count(*) FILTER (WHERE e.known_on IS NULL OR e.known_on < $1) AS newer,
         count(*) FILTER (WHERE e.known_on = $1 AND (${DIFFERS})) AS replaced,
         count(*) FILTER (WHERE e.known_on > $1) AS older
  FROM staged_entities_distinct t LEFT JOIN entities e ON e.lei = t.lei`;

export async function compareEntities(client: pg.PoolClient, vintage: string): Promise<ComparisonCounts> {
  const { rows } = await client.query<ComparisonCounts>(COMPARE, [vintage]);
  return rows[0] ?? NO_ROWS;
}

/** Finds an LEI that the delivery describes in two ways. */
export async function findContradiction(client: pg.PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ text: string }>(`
    SELECT lei || ': ' || string_agg(DISTINCT name || ', ' || status || ' (' || place || ')', '; ') AS text
    FROM staged_entities GROUP BY lei
    HAVING count(DISTINCT (name, type, status)) > 1 OR count(DISTINCT country) > 1 ORDER BY lei LIMIT 1`);
  return rows[0]?.text ?? null;
}

/** Opaque; the same in every database that first sees the entity under this identifier. */
export const entityId = (identifier: string): string =>
  `'ent_' || left(translate(encode(sha256(convert_to(${identifier}, 'UTF8')), 'base64'), '+/=', '-_'), 27)`;

export const STATEMENT =
  'entity_id, stated_on, source_id, lei, name, other_names, name_language, type, country, jurisdiction, status, match_name';
const HELD_STATEMENT = `e.id, e.stated_on, e.source_id, e.lei, e.name, e.other_names, e.name_language, e.type, e.country,
  e.jurisdiction, e.status, e.match_name`;

/**
 * A name that is unique on both sides gives the registrant's entity the LEI. From then on the register of LEIs
 * describes the entity: a row says what one source says.
 */
const ATTACH = `
  WITH attached AS (
  UPDATE entities e SET lei = t.lei, known_on = NULL
  FROM staged_entities_distinct t JOIN registrants r ON r.match_name = t.match_name AND r.listed
    JOIN sources s ON s.id = r.source_id AND NOT s.withheld
  WHERE e.id = r.entity_id AND e.lei IS NULL
    AND NOT EXISTS (SELECT FROM entities h WHERE h.lei = t.lei)
    AND NOT EXISTS (SELECT FROM registrants o WHERE o.match_name = t.match_name AND o.cik <> r.cik)
    AND NOT EXISTS (SELECT FROM staged_entities_distinct o WHERE o.match_name = t.match_name AND o.lei <> t.lei)
    AND NOT EXISTS (SELECT FROM entities h WHERE h.match_name = t.match_name AND h.lei IS NOT NULL)
  RETURNING ${HELD_STATEMENT})
  INSERT INTO entity_statements (${STATEMENT})
  SELECT id, stated_on, source_id, NULL, name, other_names, name_language, type, country, jurisdiction, status, match_name
  FROM attached a WHERE NOT EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = a.id)`;

const INSERT = `
  INSERT INTO entities (id, lei, name, other_names, name_language, type, country, jurisdiction, status, match_name, known_on,
    stated_on, source_id, data_version)
  SELECT ${entityId("'lei:' || t.lei")}, t.lei, t.name, ${STATED_NAMES}, t.language, t.type, t.country, t.jurisdiction, t.status,
         t.match_name, $1, $1, t.source_id, $2
  FROM staged_entities_distinct t WHERE NOT EXISTS (SELECT FROM entities e WHERE e.lei = t.lei) ORDER BY t.lei`;

const RESTATED = `
  e.lei = t.lei AND (e.known_on IS NULL OR e.known_on <= $1) AND (${DIFFERS} OR e.source_id <> t.source_id)`;

/** The first statement about an entity is kept when a second one follows. @param join `JOIN t ON` the condition under which it follows */
export const keepFirst = (join: string): string => `
  INSERT INTO entity_statements (${STATEMENT})
  SELECT ${HELD_STATEMENT} FROM entities e ${join}
  WHERE e.name IS NOT NULL AND e.stated_on < $1
    AND NOT EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = e.id)`;

const KEEP_STATED = `
  INSERT INTO entity_statements AS s (${STATEMENT})
  SELECT e.id, $1, t.source_id, t.lei, t.name, ${STATED_NAMES}, t.language, t.type, t.country, t.jurisdiction, t.status,
         t.match_name
  FROM staged_entities_distinct t JOIN entities e ON e.lei = t.lei AND e.stated_on = $1 AND e.data_version = $2
  WHERE EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = e.id)
  ON CONFLICT (entity_id, stated_on, source_id) DO UPDATE SET name = excluded.name, other_names = excluded.other_names,
    name_language = excluded.name_language, type = excluded.type, country = excluded.country,
    jurisdiction = excluded.jurisdiction, status = excluded.status, match_name = excluded.match_name`;

const UPDATE = `
  UPDATE entities e SET name = t.name, other_names = ${otherNames(STATED_NAMES)}, name_language = coalesce(t.language, e.name_language), type = t.type,
    country = coalesce(t.country, e.country), jurisdiction = coalesce(t.jurisdiction, e.jurisdiction),
    status = t.status, match_name = t.match_name, source_id = t.source_id, stated_on = $1, data_version = $2
  FROM staged_entities_distinct t WHERE ${RESTATED}`;

const DATE = `
  UPDATE entities e SET known_on = $1 FROM staged_entities_distinct t
  WHERE e.lei = t.lei AND (e.known_on IS NULL OR e.known_on < $1)`;

/** Creates entities for ends of relations that no register describes yet. */
const UNKNOWN = `
  INSERT INTO entities (id, lei, type, status, source_id, data_version)
  SELECT DISTINCT ${entityId("'lei:' || u.lei")}, u.lei, 'unknown', 'unknown', u.source_id, $1::integer
  FROM (SELECT child AS lei, source_id FROM relation_actions UNION SELECT parent, source_id FROM relation_actions
        UNION SELECT lei, source_id FROM staged_extents_distinct) u
  WHERE NOT EXISTS (SELECT FROM entities e WHERE e.lei = u.lei)`;

export async function storeEntities(client: pg.PoolClient, vintage: string, dataVersion: number): Promise<void> {
  await client.query(keepFirst(`JOIN staged_entities_distinct t ON ${RESTATED}`), [vintage]);
  await client.query(ATTACH);
  await client.query(INSERT, [vintage, dataVersion]);
  await client.query(UPDATE, [vintage, dataVersion]);
  await client.query(KEEP_STATED, [vintage, dataVersion]);
  await client.query(DATE, [vintage]);
  await client.query(UNKNOWN, [dataVersion]);
}
