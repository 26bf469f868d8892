import type pg from 'pg';
import type { Publication } from '../../publication/record-publication.js';
import { fireOnChanges } from './change-alerts.js';
import { fireOnValues } from './value-alerts.js';

/** Deletes events of series that are withheld now, and resets the state of their alerts. */
const FORGET = [
  `DELETE FROM alert_events e USING series s WHERE s.withheld AND e.series_id = s.id`,
  `UPDATE alerts a SET evaluated_period = NULL, met = NULL,
     state = CASE a.state WHEN 'paused' THEN 'paused' ELSE 'armed' END
   FROM series s
   WHERE s.withheld AND a.evaluated_period IS NOT NULL
     AND a.target_type = CASE WHEN s.instrument IS NULL THEN 'series' ELSE 'instrument' END
     AND a.target_key = coalesce(s.instrument, s.indicator || '@' || s.region)`,
];

/**
 * Evaluates the alerts on everything that a publication affects. Alerts belong to accounts and are no content: no
 * resource family moves for them.
 */
export async function fireAlerts(client: pg.PoolClient, publication: Publication): Promise<number> {
  for (const statement of FORGET) await client.query(statement);
  await fireOnChanges(client, publication);
  await fireOnValues(client, publication);
  return 0;
}
