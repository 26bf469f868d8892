import type { DataSource } from 'typeorm';
import { createTouched, digest, TOUCHED_COLUMNS } from '../digests/digests.js';
import { ImportError } from '../importers/importer.js';
import { publishAlone } from '../publishing-transaction.js';
import { closeRevision, FAMILIES, recordRevision, type RecordedRevision } from './record-revision.js';

/** What shows figures only stays as it was. */
const WITH_CHANGES = FAMILIES.filter((family) => family !== 'macro' && family !== 'markets');

/** Takes one change out of every list, for good. `null`: it had been withdrawn before. */
export async function withdrawChange(
  dataSource: DataSource,
  id: string,
  reason: string,
  now: Date,
  onWait: () => void = () => undefined,
): Promise<RecordedRevision | null> {
  return publishAlone(dataSource, onWait, async (client) => {
    const found = await client.query<{ status: string }>('SELECT status FROM changes WHERE id = $1', [id]);
    if (found.rows[0] === undefined) throw new ImportError(`There is no change '${id}'`);
    if (found.rows[0].status === 'withdrawn') return { keep: false, result: null };
    const revision = await recordRevision(client, {
      kind: 'withdrawal',
      description: `Change ${id} withdrawn: ${reason}`,
      vintageDay: null,
      at: now,
    });
    await createTouched(client);
    await client.query(
      `WITH withdrawn AS (
         UPDATE changes c SET status = 'withdrawn', withdrawn_at = $2, updated_at = $2, withdrawal_reason = $3
         WHERE id = $1 RETURNING ${TOUCHED_COLUMNS})
       INSERT INTO touched SELECT *, 'withdrawn' FROM withdrawn`,
      [id, revision.publishedAt, reason],
    );
    await digest(client, revision);
    await closeRevision(client, revision.id, { withdrawn: 1 }, WITH_CHANGES);
    return { keep: true, result: revision };
  });
}
