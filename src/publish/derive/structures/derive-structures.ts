import { createHash } from 'node:crypto';
import type { VintageBasis } from '../../../domain/figures/vintage-basis.js';
import type { Localized } from '../../../domain/locale/locale.js';
import type pg from 'pg';
import { type DeriveContext, DerivedChanges } from '../derived-changes.js';
import { structureTexts } from './structure-texts.js';
import { structureChange, structureImportance, type RelationFacts, type StructureWeighing } from './structure.rule.js';

interface Relation extends RelationFacts, StructureWeighing {
  readonly childId: string;
  readonly childLei: string;
  readonly childName: string | null;
  readonly parentId: string;
  readonly parentLei: string;
  readonly parentName: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly publisher: Localized;
  readonly basis: VintageBasis;
}

/** Direct relations that the vintage changed, without withheld and backfilled ones. */
const RELATIONS = `
  WITH cells AS (
    SELECT child, parent, min(source_id) AS source_id FROM relations
    WHERE kind = 'direct' AND NOT backfilled AND (valid_from = $1 OR valid_to = $1)
    GROUP BY child, parent)
  SELECT c.id AS "childId", c.lei AS "childLei", c.name AS "childName",
         p.id AS "parentId", p.lei AS "parentLei", p.name AS "parentName", o.publisher, d.basis,
         coalesce(was.stood, false) AS before, coalesce(is_now.stands, false) AS now,
         is_now.since::text AS since, was.until::text AS until,
         (was.ever IS TRUE
           OR EXISTS (SELECT FROM relation_vintages v
             WHERE v.kind = 'direct' AND v.complete AND NOT v.backfilled AND v.day < $1
               AND (v.anchor = x.parent AND v.side = 'children' OR v.anchor = x.child AND v.side = 'parents'))
           OR EXISTS (SELECT FROM relation_vintages v
             WHERE v.anchor = x.child AND v.side = 'parents' AND v.kind = 'direct' AND v.day = $1)
             AND EXISTS (SELECT FROM relations r
               WHERE r.child = x.child AND r.kind = 'direct' AND r.valid_from < $1 AND NOT r.backfilled)) AS "coveredBefore",
         (SELECT count(*) FROM relations r WHERE r.parent = x.parent AND r.kind = 'direct'
            AND known_on($1, r.valid_from, r.valid_to)) AS children,
         coalesce((SELECT max(g.weight) FROM regions g WHERE g.code IN (c.country, p.country)), 0) AS "regionWeight"
  FROM cells x
    JOIN sources o ON o.id = x.source_id AND NOT o.withheld
    JOIN register_vintages d ON d.source_id = x.source_id AND d.day = $1
    JOIN entities c ON c.id = x.child JOIN entities p ON p.id = x.parent
    LEFT JOIN LATERAL (
      SELECT bool_or(r.valid_to IS NULL OR r.valid_to >= $1) AS stood, count(*) > 0 AS ever,
             max(r.until) FILTER (WHERE r.valid_to = $1) AS until
      FROM relations r
      WHERE (r.child, r.parent, r.kind) = (x.child, x.parent, 'direct') AND r.valid_from < $1 AND NOT r.backfilled) AS was ON true
    LEFT JOIN LATERAL (
      SELECT true AS stands, r.since FROM relations r
      WHERE (r.child, r.parent, r.kind) = (x.child, x.parent, 'direct')
        AND known_on($1, r.valid_from, r.valid_to)) AS is_now ON true
  WHERE NOT EXISTS (SELECT FROM entities w JOIN sources s ON s.id = w.source_id
    WHERE w.id IN (x.child, x.parent) AND s.withheld)
  ORDER BY c.lei, p.lei`;

/**
 * Published structure changes of this day: another file of the same day derives them again, with the same result.
 */
const LIST_STANDING = `
  INSERT INTO recomputed_changes (id) SELECT id FROM changes
  WHERE kind = 'structure' AND vintage_day = $1 AND entity_id IS NOT NULL`;

/** Derives group relations that began or ended with the vintage, as changes of the child. */
export async function deriveStructures({ client, vintage, publication }: DeriveContext): Promise<void> {
  const read = await client.query('SELECT FROM register_vintages WHERE day = $1 AND data_version = $2', [
    vintage,
    publication.dataVersion,
  ]);
  if (read.rowCount === 0) return;
  await deriveStructuresOf(client, vintage);
}

/** The same for a day of which another publication changed the relations. */
export async function deriveStructuresOf(client: pg.PoolClient, vintage: string): Promise<void> {
  await client.query(LIST_STANDING, [vintage]);
  const output = new DerivedChanges(client);
  const { rows } = await client.query<Relation>(RELATIONS, [vintage]);
  for (const row of rows) {
    const what = structureChange(row);
    if (what === null) continue;
    const texts = structureTexts({
      what,
      child: { lei: row.childLei, name: row.childName },
      parent: { lei: row.parentLei, name: row.parentName },
      statedOn: what === 'began' ? row.since : row.until,
      publisher: row.publisher,
      day: vintage,
      basis: row.basis,
    });
    await output.write({
      id: structureChangeId(row.childLei, row.parentLei, what, vintage),
      kind: 'structure',
      entities: [row.childId, row.parentId],
      texts,
      importance: structureImportance(row),
      occurredOn: vintage,
      occurredBasis: row.basis,
      vintageDay: vintage,
      knownSince: vintage,
    });
  }
  await output.flush();
}

/** Stable across databases: made of public identifiers. */
export function structureChangeId(child: string, parent: string, what: 'began' | 'ended', day: string): string {
  const hash = createHash('sha256').update(['structure', child, parent, 'direct', what, day].join('|'));
  return `chg_${hash.digest('base64url').slice(0, 27)}`;
}
