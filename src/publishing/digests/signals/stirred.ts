import type pg from 'pg';

/**
 * Cells whose figures or changes the publication has moved, and series that have lost changes for good: what has a
 * say in which signals hold. Figures may move without a change, by less than a revision is told from.
 */
const TABLES = `
  CREATE TEMP TABLE stirred (series_id integer NOT NULL, period text COLLATE "C" NOT NULL) ON COMMIT DROP;
  CREATE TEMP TABLE bereft (series_id integer NOT NULL) ON COMMIT DROP;
  INSERT INTO bereft SELECT DISTINCT series_id FROM touched WHERE how = 'deleted' AND series_id IS NOT NULL;`;

const BY_CHANGES = `
  INSERT INTO stirred
  SELECT DISTINCT c.series_id, c.period FROM touched t JOIN changes c USING (id)
  WHERE t.how <> 'deleted' AND c.period IS NOT NULL`;

/** Figures of what has never had such a change bear no signal: nearly all of a first import. */
const BY_FIGURES = `
  INSERT INTO stirred
  SELECT a.series_id, a.period FROM affected a WHERE a.series_id IN (
    SELECT s.id FROM series s
    WHERE s.instrument IS NOT NULL AND EXISTS (SELECT FROM changes c WHERE c.series_id = s.id AND c.kind = 'move')
    UNION ALL
    SELECT s.id FROM series s WHERE s.indicator IN (
      SELECT i.slug FROM indicators i WHERE EXISTS (
        SELECT FROM series o JOIN changes c ON c.series_id = o.id AND c.kind = 'release' WHERE o.indicator = i.slug)))`;

/** Fills the temporary tables `stirred` and `bereft`. False: nothing was moved. */
export async function findStirred(client: pg.PoolClient): Promise<boolean> {
  await client.query(TABLES);
  await client.query(BY_CHANGES);
  // Only an import has them; a withdrawal by hand moves no figure.
  const imported = await client.query<{ there: boolean }>(
    `SELECT to_regclass('pg_temp.affected') IS NOT NULL AS there`,
  );
  if (imported.rows[0]?.there === true) await client.query(BY_FIGURES);
  await client.query('ANALYZE stirred');
  const found = await client.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM stirred) OR EXISTS (SELECT FROM bereft) AS any',
  );
  return found.rows[0]?.any === true;
}
