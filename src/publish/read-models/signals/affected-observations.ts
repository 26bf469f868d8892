import type pg from 'pg';

/**
 * Tables of observations whose value or changes moved, and of series that lost changes: only these can affect
 * signals. A value may move without a change, by less than a revision needs.
 */
const TABLES = `
  CREATE TEMP TABLE IF NOT EXISTS affected_observations (series_id integer NOT NULL, period text COLLATE "C" NOT NULL) ON COMMIT DROP;
  CREATE TEMP TABLE IF NOT EXISTS series_without_changes (series_id integer NOT NULL) ON COMMIT DROP;
  INSERT INTO series_without_changes SELECT DISTINCT series_id FROM affected_changes WHERE how = 'deleted' AND series_id IS NOT NULL;`;

const BY_CHANGES = `
  INSERT INTO affected_observations
  SELECT DISTINCT c.series_id, c.period FROM affected_changes t JOIN changes c USING (id)
  WHERE t.how <> 'deleted' AND c.period IS NOT NULL`;

/** Series without such a change cannot carry a signal; this skips almost all of a first import. */
const BY_FIGURES = `
  INSERT INTO affected_observations
  SELECT a.series_id, a.period FROM observation_differences a WHERE a.series_id IN (
    SELECT s.id FROM series s
    WHERE s.instrument IS NOT NULL AND EXISTS (SELECT FROM changes c WHERE c.series_id = s.id AND c.kind = 'move')
    UNION ALL
    SELECT s.id FROM series s WHERE s.indicator IN (
      SELECT i.slug FROM indicators i WHERE EXISTS (
        SELECT FROM series o JOIN changes c ON c.series_id = o.id AND c.kind = 'release' WHERE o.indicator = i.slug)))`;

/** Fills `affected_observations` and `series_without_changes`. Returns false when both are empty. */
export async function findAffectedObservations(client: pg.PoolClient): Promise<boolean> {
  await client.query(TABLES);
  await client.query(BY_CHANGES);
  // Only imports have this table.
  const imported = await client.query<{ there: boolean }>(
    `SELECT to_regclass('pg_temp.observation_differences') IS NOT NULL AS there`,
  );
  if (imported.rows[0]?.there === true) await client.query(BY_FIGURES);
  await client.query('ANALYZE affected_observations');
  const found = await client.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM affected_observations) OR EXISTS (SELECT FROM series_without_changes) AS any',
  );
  return found.rows[0]?.any === true;
}
