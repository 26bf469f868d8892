import type { DataSource } from 'typeorm';
import { readCatalogue } from '../catalogue/catalogue.js';
import { syncCatalogue } from '../catalogue/sync-catalogue.js';
import { createAffectedChanges } from '../publication/affected-changes.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { EVERYTHING } from '../../domain/sources/families.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';
import { deleteWithheldChanges, markWithheld } from './withhold-source.js';

/**
 * Withholds series of sources and origins that the catalogue withholds now, without waiting for an import: a data
 * version of its own. `null` when nothing changes.
 */
export async function enforceWithholding(
  dataSource: DataSource,
  now: () => Date,
  onWait: () => void = () => undefined,
): Promise<Publication | null> {
  return publishExclusively<Publication | null>(dataSource, onWait, async (client) => {
    const count = async (): Promise<number> =>
      (await client.query<{ count: number }>('SELECT count(*) FROM series WHERE withheld')).rows[0]?.count ?? 0;
    const before = await count();
    const { newlyWithheld } = await syncCatalogue(client, readCatalogue());
    await markWithheld(client, newlyWithheld);
    const series = (await count()) - before;
    if (series <= 0) return { keep: false, result: null };
    const publication = await recordPublication(client, {
      kind: 'source_withheld',
      description: 'Series withheld as the catalogue says',
      vintageDay: null,
      now,
    });
    await createAffectedChanges(client);
    const changesDeleted = await deleteWithheldChanges(client);
    await refreshReadModels(client, publication, 'everything');
    await closePublication(client, publication, { series, changesDeleted }, EVERYTHING);
    return { keep: true, result: publication };
  });
}
