import type pg from 'pg';

/**
 * Rank of a company before words are compared: the head of a group precedes its subsidiaries, by the number of entities
 * in its accounts, and quoted companies precede others. docs/explanation/companies.md has the numbers.
 */
const RANK = `least(100, CASE WHEN n.child THEN 25 ELSE 35 END + CASE WHEN n.quoted THEN 15 ELSE 0 END
    + least(45, round(15 * log(1 + n.consolidated))))`;

/** What companies have by their relations and tickers. @param entities a table `n` with the column `id` */
export const rankedIn = (entities: string): string => `
  SELECT n.id, n.direct, n.consolidated, ${RANK} AS rank
  FROM (SELECT *, greatest(direct, ultimate) AS consolidated FROM (
    SELECT n.id,
      (SELECT count(*) FROM relations r WHERE r.parent = n.id AND r.kind = 'direct' AND r.valid_to IS NULL) AS direct,
      (SELECT count(*) FROM relations r WHERE r.parent = n.id AND r.kind = 'ultimate' AND r.valid_to IS NULL) AS ultimate,
      EXISTS (SELECT FROM relations r WHERE r.child = n.id AND r.valid_to IS NULL) AS child,
      EXISTS (SELECT FROM registrants g JOIN company_tickers k USING (cik)
              JOIN sources p ON p.id = k.source_id AND NOT p.withheld WHERE g.entity_id = n.id) AS quoted
    FROM ${entities}) counted) n`;

const COUNTS = `
  UPDATE companies c SET subsidiaries = n.direct, consolidated = n.consolidated, rank = n.rank
  FROM (${rankedIn('affected_entities n')}) n
  WHERE c.entity_id = n.id AND (c.subsidiaries, c.consolidated, c.rank) <> (n.direct, n.consolidated, n.rank)`;

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
  UPDATE companies c SET changes = n.count, data_version = $1 FROM counted n
  WHERE c.entity_id = n.id AND c.changes <> n.count`;

/** What the list shows of an entity, its relations and its parent has changed. */
const MARK = `
  UPDATE companies c SET data_version = $1
  WHERE c.data_version IS DISTINCT FROM $1 AND c.entity_id IN (
    SELECT id FROM affected_entities
    UNION SELECT r.child FROM relations r JOIN entities p ON p.id = r.parent
    WHERE p.data_version = $1 AND r.kind = 'direct' AND r.valid_to IS NULL)`;

export async function countCompanies(client: pg.PoolClient, dataVersion: number): Promise<number> {
  await client.query(MARK, [dataVersion]);
  const counts = await client.query(COUNTS);
  const changes = await client.query(CHANGES, [dataVersion]);
  return (counts.rowCount ?? 0) + (changes.rowCount ?? 0);
}
