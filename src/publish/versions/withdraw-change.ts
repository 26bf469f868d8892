import type { DataSource } from 'typeorm';
import { AFFECTED_COLUMNS, createAffectedChanges } from '../publication/affected-changes.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { ImportError } from '../batches/importer.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { CHANGE_FAMILIES } from '../../domain/sources/families.js';
import { unknownChange } from './show-change.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';

/** Withdraws one change permanently. `null`: it was withdrawn before. */
export async function withdrawChange(
  dataSource: DataSource,
  id: string,
  reason: string,
  now: () => Date,
  onWait: () => void = () => undefined,
): Promise<Publication | null> {
  return publishExclusively(dataSource, onWait, async (client) => {
    const found = await client.query<{ status: string }>('SELECT status FROM changes WHERE id = $1', [id]);
    if (found.rows[0] === undefined) throw new ImportError(await unknownChange(dataSource, id));
    if (found.rows[0].status === 'withdrawn') return { keep: false, result: null };
    const publication = await recordPublication(client, {
      kind: 'withdrawal',
      description: `Change ${id} withdrawn: ${reason}`,
      vintageDay: null,
      now,
    });
    await createAffectedChanges(client);
    await client.query(
      `WITH withdrawn AS (
         UPDATE changes c SET status = 'withdrawn', withdrawn_at = $2, updated_at = $2, withdrawal_reason = $3
         WHERE id = $1 RETURNING ${AFFECTED_COLUMNS})
       INSERT INTO affected_changes SELECT *, 'withdrawn' FROM withdrawn`,
      [id, publication.beganAt, reason],
    );
    await refreshReadModels(client, publication, 'affected');
    await closePublication(client, publication, { withdrawn: 1 }, CHANGE_FAMILIES);
    return { keep: true, result: publication };
  });
}
