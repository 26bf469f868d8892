import type pg from 'pg';
import type { RecordedRevision } from '../revisions/record-revision.js';
import { renewBriefs } from './briefs/renew-briefs.js';
import { fireAlerts } from './alerts/fire-alerts.js';
import { renewCompanies } from './companies/renew-companies.js';
import { recount } from './counts.js';
import { digestHeat } from './heat/heat.js';
import { indexChanges } from './search/index-changes.js';
import { renewSearch } from './search/renew-search.js';
import { digestSignals } from './signals/signals.js';

/**
 * What readers would otherwise have to work out from all changes: counts and the like. Made anew in the publishing
 * transaction wherever the changes of the table `touched` have a say in it. Says how many rows it moved.
 */
export type Digest = (client: pg.PoolClient, revision: RecordedRevision) => Promise<number>;

/** In order: a later one may read what an earlier one has made. */
const DIGESTS: readonly Digest[] = [
  recount,
  renewCompanies,
  digestSignals,
  digestHeat,
  renewBriefs,
  fireAlerts,
  indexChanges,
  renewSearch,
];

/** Brings every digest up to date with what the publication has touched. Says whether any moved. */
export async function digest(client: pg.PoolClient, revision: RecordedRevision): Promise<boolean> {
  let moved = 0;
  for (const one of DIGESTS) moved += await one(client, revision);
  return moved > 0;
}

/**
 * The changes that a publication makes, corrects, withdraws or deletes. `position` stays known of one that is gone,
 * and so does `series_id`.
 */
const TOUCHED = `
  CREATE TEMP TABLE touched (
    id text NOT NULL, position bigint NOT NULL, kind text NOT NULL, series_id integer, entity_id text,
    occurred_at timestamptz NOT NULL, vintage_day date NOT NULL,
    how text NOT NULL CHECK (how IN ('made','corrected','withdrawn','deleted'))) ON COMMIT DROP`;

export async function createTouched(client: pg.PoolClient): Promise<void> {
  await client.query(TOUCHED);
}

/** Columns of `touched` but the last, as `changes c` holds them. */
export const TOUCHED_COLUMNS =
  'c.id, c.position, c.kind, c.series_id, c.entity_id, c.occurred_at, c.vintage_day';
