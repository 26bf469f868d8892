import type pg from 'pg';

/** Of the entities whose relations this revision has altered, and of those that are new. */
const SUBSIDIARIES = `
  WITH concerned AS (
    SELECT parent AS id FROM relations WHERE revision_id = $1
    UNION SELECT id FROM entities WHERE revision_id = $1),
  counted AS (
    SELECT n.id, (SELECT count(*) FROM relations r
      WHERE r.parent = n.id AND r.kind = 'direct' AND r.valid_to IS NULL) AS count
    FROM concerned n)
  UPDATE companies c SET subsidiaries = n.count FROM counted n
  WHERE c.entity_id = n.id AND c.subsidiaries <> n.count`;

/** Of the entities that a touched change is about; links of a deleted change are gone, its subject is known. */
const CHANGES = `
  WITH concerned AS (
    SELECT l.entity AS id FROM touched t JOIN change_entities l ON l.position = t.position
    UNION SELECT entity_id FROM touched WHERE entity_id IS NOT NULL
    UNION SELECT id FROM entities WHERE revision_id = $1),
  counted AS (
    SELECT n.id, (SELECT count(*) FROM change_entities l JOIN changes c ON c.position = l.position
      WHERE l.entity = n.id AND c.status <> 'withdrawn') AS count
    FROM concerned n)
  UPDATE companies c SET changes = n.count FROM counted n
  WHERE c.entity_id = n.id AND c.changes <> n.count`;

export async function recountCompanies(client: pg.PoolClient, revision: number): Promise<number> {
  const subsidiaries = await client.query(SUBSIDIARIES, [revision]);
  const changes = await client.query(CHANGES, [revision]);
  return (subsidiaries.rowCount ?? 0) + (changes.rowCount ?? 0);
}
