import type { DataSource } from 'typeorm';
import { ImportError } from '../importers/importer.js';
import { publishAlone } from '../publishing-transaction.js';
import { closeRevision, recordRevision, type RecordedRevision } from './record-revision.js';
import { recount } from './recount.js';

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
    await client.query(
      `UPDATE changes SET status = 'withdrawn', withdrawn_at = $2, updated_at = $2, withdrawal_reason = $3
       WHERE id = $1`,
      [id, revision.publishedAt, reason],
    );
    await recount(client);
    await closeRevision(client, revision.id, { withdrawn: 1 }, ['changes', 'coverage', 'topics']);
    return { keep: true, result: revision };
  });
}
