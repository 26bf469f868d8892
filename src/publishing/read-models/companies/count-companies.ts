import type pg from 'pg';

/** Counts subsidiaries of new entities and of those whose relations this publication changed. */
const SUBSIDIARIES = `
  WITH concerned AS (
    SELECT parent AS id FROM relations WHERE data_version = $1
    UNION SELECT id FROM entities WHERE data_version = $1),
  counted AS (
    SELECT n.id, (SELECT count(*) FROM relations r
      WHERE r.parent = n.id AND r.kind = 'direct' AND r.valid_to IS NULL) AS count
    FROM concerned n)
  UPDATE companies c SET subsidiaries = n.count FROM counted n
  WHERE c.entity_id = n.id AND c.subsidiaries <> n.count`;

/**
 * Counts changes of the entities of affected changes; a deleted change has lost its links, but not its subject.
 */
const CHANGES = `
  WITH concerned AS (
    SELECT l.entity AS id FROM affected_changes t JOIN change_entities l ON l.position = t.position
    UNION SELECT entity_id FROM affected_changes WHERE entity_id IS NOT NULL
    UNION SELECT id FROM entities WHERE data_version = $1),
  counted AS (
    SELECT n.id, (SELECT count(*) FROM change_entities l JOIN changes c ON c.position = l.position
      WHERE l.entity = n.id AND c.status <> 'withdrawn') AS count
    FROM concerned n)
  UPDATE companies c SET changes = n.count FROM counted n
  WHERE c.entity_id = n.id AND c.changes <> n.count`;

export async function countCompanies(client: pg.PoolClient, dataVersion: number): Promise<number> {
  const subsidiaries = await client.query(SUBSIDIARIES, [dataVersion]);
  const changes = await client.query(CHANGES, [dataVersion]);
  return (subsidiaries.rowCount ?? 0) + (changes.rowCount ?? 0);
}
