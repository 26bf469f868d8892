import type pg from 'pg';
import type { RecordedRevision } from '../../revisions/record-revision.js';
import { fireOnChanges } from './change-alerts.js';
import { fireOnValues } from './value-alerts.js';

/** What a series that is now withheld has set off is gone, and nothing is known of how its alerts stood. */
const FORGET = [
  `DELETE FROM alert_events e USING series s WHERE s.withheld AND e.series_id = s.id`,
  `UPDATE alerts a SET judged_period = NULL, met = NULL,
     state = CASE a.state WHEN 'paused' THEN 'paused' ELSE 'armed' END
   FROM series s
   WHERE s.withheld AND a.judged_period IS NOT NULL
     AND a.target_type = CASE WHEN s.instrument IS NULL THEN 'series' ELSE 'instrument' END
     AND a.target_key = coalesce(s.instrument, s.indicator || '@' || s.region)`,
];

/**
 * Judges the alerts of all that a publication touches, as its last step. Alerts are an account's own, not content: no
 * resource family moves for them.
 */
export async function fireAlerts(client: pg.PoolClient, revision: RecordedRevision): Promise<number> {
  for (const statement of FORGET) await client.query(statement);
  await fireOnChanges(client, revision);
  await fireOnValues(client, revision);
  return 0;
}
