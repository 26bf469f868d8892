import type { LegalEntity } from './legal-entity.entity.js';

/** `source` is the entity's own register. */
export type NodeRow = Pick<LegalEntity, 'id' | 'lei' | 'name' | 'type' | 'country' | 'source'>;

export interface FoundRow extends NodeRow {
  /** The number of entities on the level, beyond the limit too. */
  readonly total: number;
}

export interface SlugRow {
  /** Of the entity. */
  readonly id: string;
  /** Of the company that it is. */
  readonly slug: string;
}

export interface EdgeRow {
  readonly from: string;
  readonly to: string;
  readonly relation: 'direct' | 'ultimate';
  readonly since: string | null;
  readonly until: string | null;
  readonly source: string;
  readonly total: number;
}

const NODE = 'e.id, e.lei, e.name, e.type, e.country, e.source_id AS source';

export const ROOT = `SELECT ${NODE} FROM entities e WHERE e.id = $1`;

/**
 * One level: the ends of direct relations of `$1` that `$2` does not contain yet, at most `$3`. Each entity is looked
 * up by its id; `OFFSET 0` keeps the planner from reading all entities.
 */
const level = (from: 'child' | 'parent', to: 'child' | 'parent'): string => `
  SELECT ${NODE}, count(*) OVER () AS total
  FROM (SELECT DISTINCT r.${to} AS id FROM relations r
        WHERE r.${from} = ANY ($1) AND r.kind = 'direct' AND r.valid_to IS NULL AND r.${to} <> ALL ($2)) found
    CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.id = found.id OFFSET 0) e
  ORDER BY e.name COLLATE "C" NULLS LAST, e.id COLLATE "C" LIMIT $3`;

export const UPWARD = level('child', 'parent');
export const DOWNWARD = level('parent', 'child');

export const ULTIMATE_PARENTS = `
  SELECT ${NODE} FROM relations r JOIN entities e ON e.id = r.parent
  WHERE r.child = $1 AND r.kind = 'ultimate' AND r.valid_to IS NULL ORDER BY e.lei LIMIT 10`;

/** All relations among `$1`, direct ones first, at most `$2`. */
export const EDGES = `
  SELECT r.parent AS "from", r.child AS "to", r.kind AS relation, r.since::text AS since, r.until::text AS until,
         r.source_id AS source, count(*) OVER () AS total
  FROM relations r
  WHERE r.child = ANY ($1) AND r.parent = ANY ($1) AND r.valid_to IS NULL
  ORDER BY r.kind, r.parent COLLATE "C", r.child COLLATE "C" LIMIT $2`;

export const KNOWN = `
  SELECT (SELECT count(*) FROM relations r WHERE r.parent = $1 AND r.kind = 'direct' AND r.valid_to IS NULL) AS given,
         (SELECT v.stated FROM relation_vintages v
          WHERE v.anchor = $1 AND v.side = 'children' AND v.kind = 'direct' ORDER BY v.day DESC LIMIT 1) AS stated`;

/** Those of the entities `$1` that are in the list of companies. */
export const SLUGS_OF_ENTITIES = `
  SELECT c.entity_id AS id, c.slug FROM companies c WHERE c.entity_id = ANY ($1) AND c.listed`;
