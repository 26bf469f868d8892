import type { DataSource } from 'typeorm';
import { readCatalogue } from '../catalogue/catalogue.js';
import { syncCatalogue } from '../catalogue/sync-catalogue.js';
import { createTouched, digest } from '../digests/digests.js';
import { publishAlone } from '../publishing-transaction.js';
import { closeRevision, FAMILIES, recordRevision, type RecordedRevision } from './record-revision.js';
import { deleteWithheldChanges, markWithheld } from './withhold-source.js';

/**
 * Withholds what the catalogue says is withheld now, by its source or by an origin, without waiting for
 * figures to change: a revision of its own. `null` when all such series are withheld already.
 */
export async function enforceWithholding(
  dataSource: DataSource,
  now: Date,
  onWait: () => void = () => undefined,
): Promise<RecordedRevision | null> {
  return publishAlone<RecordedRevision | null>(dataSource, onWait, async (client) => {
    const count = async (): Promise<number> =>
      (await client.query<{ count: number }>('SELECT count(*) FROM series WHERE withheld')).rows[0]?.count ??
      0;
    const before = await count();
    const { newlyWithheld } = await syncCatalogue(client, readCatalogue());
    await markWithheld(client, newlyWithheld);
    const series = (await count()) - before;
    if (series <= 0) return { keep: false, result: null };
    const revision = await recordRevision(client, {
      kind: 'source_withheld',
      description: 'Series withheld as the catalogue says',
      vintageDay: null,
      at: now,
    });
    await createTouched(client);
    const changesDeleted = await deleteWithheldChanges(client);
    await digest(client, revision);
    await closeRevision(client, revision.id, { series, changesDeleted }, FAMILIES);
    return { keep: true, result: revision };
  });
}
