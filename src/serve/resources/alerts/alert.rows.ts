import { named } from '../../following/targets.js';
import type { AlertEntity } from '../../following/alert.entity.js';
import type { TargetRow } from '../following/target.view.js';

export interface AlertEventRow {
  readonly changeId: string | null;
  readonly headline: string;
  /** A timestamp in JSON's spelling. */
  readonly at: string;
  readonly source: string;
  readonly origins: readonly string[];
}

export interface AlertRow
  extends TargetRow, Pick<AlertEntity, 'id' | 'position' | 'metric' | 'threshold' | 'state' | 'createdAt'> {
  readonly label: string;
  readonly events: readonly AlertEventRow[] | null;
}

/**
 * $1 account, $2 an exclusive upper position, $3 the limit, $4 locale. An event of a change shows the change's current
 * texts and disappears with a withdrawn change; the statement returns nothing of a withheld source.
 */
export const ALERTS_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT * FROM alerts WHERE account_id = $1 AND position < $2 ORDER BY position DESC LIMIT $3
  )
  SELECT a.id, a.position, a.name AS label, a.target_type AS type, a.target_key AS key, n.name, n.region,
         a.metric, a.threshold::text, a.state, a.created_at AS "createdAt", (
    SELECT jsonb_agg(jsonb_build_object(
             'changeId', e.change_id, 'headline', e.headline, 'at', e.at, 'source', e.source, 'origins', e.origins)
             ORDER BY e.position DESC)
    FROM (
      SELECT e.position, e.change_id, coalesce(e.headline, c.headline) ->> $4::text AS headline, e.at,
             coalesce(s.source_id, c.source_id) AS source, coalesce(s.origins, '{}') AS origins
      FROM alert_events e
        LEFT JOIN changes c ON c.id = e.change_id
        LEFT JOIN series s ON s.id = coalesce(e.series_id, c.series_id)
      WHERE e.alert_id = a.id AND c.status IS DISTINCT FROM 'withdrawn' AND (s.id IS NOT NULL OR c.series_id IS NULL)
        AND coalesce(s.source_id, c.source_id) IS NOT NULL
      ORDER BY e.position DESC LIMIT 20) e) AS events
  FROM page a LEFT JOIN LATERAL (${named('a.target_type', 'a.target_key')}) n ON true
  ORDER BY a.position DESC`;

/** $1 account, $2 id */
export const ALERT_POSITION = 'SELECT position FROM alerts WHERE account_id = $1 AND id = $2';
