import type { DataSource } from 'typeorm';
import { noSuch } from '../../domain/errors/nearest.js';
import { AFFECTED_COLUMNS, createAffectedChanges } from '../publication/affected-changes.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { ImportError } from '../batches/importer.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { CHANGE_FAMILIES } from '../../domain/sources/families.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';

/** Of the many ids those that share the first or the last characters: people copy ids incompletely. */
const SIMILAR_IDS = `
  SELECT id FROM changes WHERE left(id, 8) = left($1, 8) OR right(id, 4) = right($1, 4) ORDER BY id LIMIT 100`;

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
    if (found.rows[0] === undefined) {
      const { rows } = await client.query<{ id: string }>(SIMILAR_IDS, [id]);
      const similar = rows.map((row) => row.id);
      throw new ImportError(noSuch('change', id, similar));
    }
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
