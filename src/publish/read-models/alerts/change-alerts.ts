import type pg from 'pg';
import { firesSql, MOST_EVENTS_AT_ONCE } from '../../../domain/figures/alert-evaluation.js';
import type { Publication } from '../../publication/record-publication.js';

/**
 * Reads every target of the new changes, then the alerts of each, by `OFFSET 0` one target after another: the cost
 * follows the affected changes. Company slugs sort differently from the index of targets. An alert that its owner removes
 * meanwhile fires nothing.
 */
export const FIRE = `
  WITH made AS MATERIALIZED (
    SELECT t.position, t.series_id, t.entity_id FROM affected_changes t LEFT JOIN series s ON s.id = t.series_id
    WHERE t.how = 'made' AND ${firesSql('t', 's')}
  ), named (type, key, position) AS (
    SELECT 'topic', l.topic, position FROM made JOIN change_topics l USING (position)
    UNION ALL SELECT 'coverage', l.coverage, position FROM made JOIN change_coverage l USING (position)
    UNION ALL SELECT 'country', l.region, position FROM made JOIN change_regions l USING (position)
    UNION ALL SELECT 'entity', l.entity, position FROM made JOIN change_entities l USING (position)
    UNION ALL SELECT 'company', x.slug COLLATE "default", position FROM made JOIN change_entities l USING (position)
      JOIN companies x ON x.entity_id = l.entity
    UNION ALL SELECT 'instrument', s.instrument, position FROM made JOIN series s ON s.id = series_id
    UNION ALL SELECT 'indicator', s.indicator, position FROM made JOIN series s ON s.id = series_id
    UNION ALL SELECT 'series', s.indicator || '@' || s.region, position FROM made JOIN series s ON s.id = series_id
  ), newest AS MATERIALIZED (
    SELECT type, key, position FROM (
      SELECT *, row_number() OVER (PARTITION BY type, key ORDER BY position DESC) AS rank
      FROM named WHERE key IS NOT NULL) ranked
    WHERE rank <= ${MOST_EVENTS_AT_ONCE}
  )
  INSERT INTO alert_events (alert_id, change_id, at)
  SELECT a.id, c.id, $1 FROM newest n
    JOIN changes c ON c.position = n.position
    CROSS JOIN LATERAL (
      SELECT id FROM alerts WHERE target_type = n.type AND target_key = n.key
        AND metric = 'any_change' AND state <> 'paused' AND created_at < $1 OFFSET 0 FOR KEY SHARE) a
  ORDER BY n.position, a.id`;

/** Fires alerts on any change of a target and arms them again. Returns the number of events. */
export async function fireOnChanges(client: pg.PoolClient, { beganAt }: Publication): Promise<number> {
  return (await client.query(FIRE, [beganAt])).rowCount ?? 0;
}
