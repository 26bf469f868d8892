import type pg from 'pg';

/**
 * Sets each source's retrieval day: that of the newest vintage which brought something new of the series that it
 * publishes or originates, or of its register. Returns the sources with another day.
 */
export async function redateSources(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string; withheld: boolean }>(`
    WITH days AS (
      SELECT named.id, max(v.day) AS day
      FROM series s JOIN series_vintages v ON v.series_id = s.id AND v.changed
        CROSS JOIN LATERAL unnest(s.source_id || s.origins) AS named (id)
      GROUP BY named.id
      UNION ALL
      SELECT source_id, max(day) FROM register_vintages WHERE changed GROUP BY source_id)
    UPDATE sources o SET retrieved_on = d.day FROM days d
    WHERE d.id = o.id AND o.retrieved_on IS DISTINCT FROM d.day
    RETURNING o.id, o.withheld`);
  return rows.filter(({ withheld }) => !withheld).map(({ id }) => id);
}
