import type pg from 'pg';

/**
 * Sets each source's retrieval day: the newest vintage day of the series that it publishes or originates, or of its
 * register.
 */
export async function redateSources(client: pg.PoolClient): Promise<boolean> {
  const { rowCount } = await client.query(`
    WITH days AS (
      SELECT named.id, max(v.day) AS day
      FROM series s JOIN series_vintages v ON v.series_id = s.id
        CROSS JOIN LATERAL unnest(s.source_id || s.origins) AS named (id)
      GROUP BY named.id
      UNION ALL
      SELECT source_id, max(day) FROM register_vintages GROUP BY source_id)
    UPDATE sources o SET retrieved_on = d.day FROM days d
    WHERE d.id = o.id AND o.retrieved_on IS DISTINCT FROM d.day`);
  return (rowCount ?? 0) > 0;
}
