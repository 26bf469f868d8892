import type pg from 'pg';
import { entityId, keepFirst, NO_ROWS, otherNames, STATEMENT, type ComparisonCounts } from './entities.js';

const HELD = `
  SELECT r.*, (SELECT array_agg(k.ticker ORDER BY k.ordinal) FROM company_tickers k WHERE k.cik = r.cik) AS tickers
  FROM registrants r`;

/**
 * A registrant that the list no longer has is a difference if `$2`, absence counts. One that waits is no
 * difference. A list older than the newest one changes nothing: the service shows no history of listings.
 */
const COMPARE = `
  WITH held AS (${HELD}), newest AS (SELECT max(known_on) AS day FROM registrants),
  compared AS (
    SELECT h.known_on,
           CASE WHEN t.cik IS NULL THEN h.listed
                ELSE h.cik IS NULL OR NOT h.listed OR (h.name, h.tickers) IS DISTINCT FROM (t.name, t.tickers) END AS differs
    FROM staged_registrants_distinct t FULL JOIN held h ON h.cik = t.cik
    WHERE EXISTS (SELECT FROM staged_registrants_distinct) AND (t.cik IS NOT NULL OR $2::boolean AND h.listed)
      AND NOT EXISTS (SELECT FROM waiting_entities w WHERE w.subject = 'CIK ' || h.cik))
  SELECT (SELECT count(*) FROM staged_registrants_distinct) AS rows,
         count(*) FILTER (WHERE (n.day > $1) IS NOT TRUE AND (known_on IS NULL OR known_on < $1)) AS newer,
         count(*) FILTER (WHERE (n.day > $1) IS NOT TRUE AND known_on = $1 AND differs) AS replaced,
         count(*) FILTER (WHERE n.day > $1) AS older
  FROM compared CROSS JOIN newest n`;

export async function compareRegistrants(
  client: pg.PoolClient,
  vintage: string,
  closes: boolean,
): Promise<ComparisonCounts> {
  const { rows } = await client.query<ComparisonCounts>(COMPARE, [vintage, closes]);
  return rows[0] ?? NO_ROWS;
}

/** Names that exactly one American legal entity and one registrant have. */
const MATCHED = `
  SELECT t.cik, e.id FROM staged_registrants_distinct t
    JOIN entities e ON e.match_name = t.match_name AND e.lei IS NOT NULL AND e.cik IS NULL
    JOIN sources s ON s.id = e.source_id AND NOT s.withheld
  WHERE NOT EXISTS (SELECT FROM registrants r WHERE r.cik = t.cik)
    AND NOT EXISTS (SELECT FROM staged_registrants_distinct o WHERE o.match_name = t.match_name AND o.cik <> t.cik)
    AND NOT EXISTS (SELECT FROM registrants o WHERE o.match_name = t.match_name AND o.cik <> t.cik)
    AND NOT EXISTS (
      SELECT FROM entities o WHERE o.match_name = t.match_name AND o.lei IS NOT NULL AND o.id <> e.id)`;

const RELISTED = `e.cik = t.cik AND e.lei IS NULL AND e.known_on <= $1 AND (e.name, e.status) <> (t.name, 'active')`;

const STEPS = [
  `UPDATE entities e SET cik = m.cik, data_version = $2 FROM (${MATCHED}) m
   WHERE e.id = m.id AND $1::date IS NOT NULL`,
  `INSERT INTO entities (id, cik, name, type, status, known_on, stated_on, source_id, data_version)
   SELECT ${entityId("'cik:' || t.cik")}, t.cik, t.name, 'registrant', 'active', $1, $1, t.source_id, $2
   FROM staged_registrants_distinct t WHERE NOT EXISTS (SELECT FROM entities e WHERE e.cik = t.cik) ORDER BY t.cik`,
  keepFirst(`JOIN staged_registrants_distinct t ON ${RELISTED}`),
  // Only the regulator's list describes entities without an LEI.
  `UPDATE entities e SET name = t.name, other_names = ${otherNames(`'{}'::text[]`)}, status = 'active', known_on = $1, stated_on = $1, data_version = $2 FROM staged_registrants_distinct t
   WHERE ${RELISTED}`,
  `INSERT INTO entity_statements (${STATEMENT})
   SELECT e.id, $1, t.source_id, NULL, t.name, '{}', NULL, e.type, e.country, e.jurisdiction, 'active', NULL
   FROM staged_registrants_distinct t JOIN entities e ON e.cik = t.cik AND e.stated_on = $1 AND e.lei IS NULL
   WHERE EXISTS (SELECT FROM entity_statements s WHERE s.entity_id = e.id)
   ON CONFLICT (entity_id, stated_on, source_id) DO UPDATE SET name = excluded.name`,
  `UPDATE entities e SET data_version = $2 FROM staged_registrants_distinct t JOIN (${HELD}) h ON h.cik = t.cik
   WHERE e.id = h.entity_id AND h.known_on <= $1
     AND (NOT h.listed OR (h.name, h.tickers) IS DISTINCT FROM (t.name, t.tickers))`,
  `DELETE FROM company_tickers k USING staged_registrants_distinct t, registrants r
   WHERE k.cik = t.cik AND r.cik = t.cik AND r.known_on <= $1 AND k.ticker <> ALL (t.tickers)`,
  `INSERT INTO registrants AS r (cik, entity_id, name, match_name, listed, known_on, source_id, data_version)
   SELECT t.cik, e.id, t.name, t.match_name, true, $1, t.source_id, $2
   FROM staged_registrants_distinct t JOIN entities e ON e.cik = t.cik
   ON CONFLICT (cik) DO UPDATE SET name = excluded.name, match_name = excluded.match_name, listed = true,
     known_on = excluded.known_on, data_version = excluded.data_version WHERE r.known_on <= excluded.known_on`,
  `INSERT INTO company_tickers (cik, ticker, ordinal, source_id)
   SELECT t.cik, k.ticker, k.ordinal, t.source_id
   FROM staged_registrants_distinct t JOIN registrants r ON r.cik = t.cik AND r.known_on = $1
     CROSS JOIN LATERAL unnest(t.tickers) WITH ORDINALITY AS k (ticker, ordinal)
   ON CONFLICT (cik, ticker) DO UPDATE SET ordinal = excluded.ordinal`,
];

/** An entity that the regulator no longer lists, and no other source knows, is not known to be active. */
const UNLIST = `
  WITH gone AS (
    UPDATE registrants r SET listed = false, known_on = $1, data_version = $2
    WHERE listed AND known_on <= $1 AND EXISTS (SELECT FROM staged_registrants_distinct)
      AND NOT EXISTS (SELECT FROM staged_registrants_distinct t WHERE t.cik = r.cik)
      AND NOT EXISTS (SELECT FROM waiting_entities w WHERE w.subject = 'CIK ' || r.cik)
    RETURNING cik, entity_id),
  quoted_no_more AS (DELETE FROM company_tickers k USING gone WHERE k.cik = gone.cik)
  UPDATE entities e SET data_version = $2, status = CASE WHEN e.lei IS NULL THEN 'unknown' ELSE e.status END
  FROM gone WHERE e.id = gone.entity_id`;

export async function storeRegistrants(
  client: pg.PoolClient,
  vintage: string,
  dataVersion: number,
  closes: boolean,
): Promise<void> {
  const newer = await client.query('SELECT FROM registrants WHERE known_on > $1 LIMIT 1', [vintage]);
  if (newer.rowCount !== 0) return;
  for (const step of STEPS) {
    await client.query(step, step.includes('$2') ? [vintage, dataVersion] : [vintage]);
  }
  if (closes) await client.query(UNLIST, [vintage, dataVersion]);
}
