import type pg from 'pg';
import type { Publication } from '../publication/record-publication.js';
import { refreshBriefs } from './briefs/refresh-briefs.js';
import { fireAlerts } from './alerts/fire-alerts.js';
import { refreshCompanies } from './companies/refresh-companies.js';
import { refreshCounts } from './counts/refresh-counts.js';
import { refreshHeat } from './heat/refresh-heat.js';
import { refreshChangeDocuments } from './changes/refresh-change-documents.js';
import type { RefreshScope } from './refresh-scope.js';
import { indexChanges } from './search/index-changes.js';
import { refreshSearch } from './search/refresh-search.js';
import { refreshSignals } from './signals/refresh-signals.js';

/**
 * Content that readers would otherwise compute from all changes. The publishing transaction refreshes it from
 * `affected_changes`. Returns the number of changed rows.
 */
export type ReadModel = (client: pg.PoolClient, publication: Publication, scope: RefreshScope) => Promise<number>;

/** In order: later read models may read earlier ones. */
const READ_MODELS: readonly ReadModel[] = [
  refreshCounts,
  refreshCompanies,
  refreshSignals,
  refreshHeat,
  refreshBriefs,
  fireAlerts,
  indexChanges,
  refreshSearch,
  refreshChangeDocuments,
];

/** Refreshes every read model. Returns whether any changed. */
export async function refreshReadModels(
  client: pg.PoolClient,
  publication: Publication,
  scope: RefreshScope,
): Promise<boolean> {
  let moved = 0;
  for (const one of READ_MODELS) moved += await one(client, publication, scope);
  return moved > 0;
}
