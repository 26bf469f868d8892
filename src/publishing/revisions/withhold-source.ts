import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { createTouched, digest, TOUCHED_COLUMNS } from '../digests/digests.js';
import { ImportError } from '../importers/importer.js';
import { publishAlone } from '../publishing-transaction.js';
import { closeRevision, FAMILIES, recordRevision, type RecordedRevision } from './record-revision.js';

export interface Withheld {
  /** `null`: it was withheld already. */
  readonly revision: RecordedRevision | null;
  readonly series: number;
  readonly changesDeleted: number;
}

/** Deletes what was derived from series or entities that are now withheld. */
export async function deleteWithheldChanges(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query(`
    WITH deleted AS (
      DELETE FROM changes c WHERE c.id IN (
        SELECT id FROM changes WHERE series_id IN (SELECT s.id FROM series s WHERE s.withheld)
        UNION ALL
        SELECT c.id FROM sources p JOIN entities e ON e.source_id = p.id JOIN changes c ON c.entity_id = e.id
        WHERE p.withheld)
      RETURNING ${TOUCHED_COLUMNS}
    )
    INSERT INTO touched SELECT *, 'deleted' FROM deleted`);
  return rowCount ?? 0;
}

/** Marks sources; the database follows with every series that they publish or stand behind. */
export async function markWithheld(client: pg.PoolClient, ids: readonly string[]): Promise<void> {
  await client.query('UPDATE sources SET withheld = true WHERE id = ANY ($1) AND NOT withheld', [ids]);
}

/** From here on nothing of the source leaves through the API, and what was derived from it is gone. */
export async function withholdSource(
  dataSource: DataSource,
  id: string,
  now: Date,
  onWait: () => void = () => undefined,
): Promise<Withheld> {
  return publishAlone<Withheld>(dataSource, onWait, async (client) => {
    const known = await client.query<{ withheld: boolean }>('SELECT withheld FROM sources WHERE id = $1', [
      id,
    ]);
    if (known.rows[0] === undefined) throw new ImportError(`There is no source '${id}'`);
    if (known.rows[0].withheld) {
      return { keep: false, result: { revision: null, series: 0, changesDeleted: 0 } };
    }
    const revision = await recordRevision(client, {
      kind: 'source_withheld',
      description: `Source ${id} withheld`,
      vintageDay: null,
      at: now,
    });
    await markWithheld(client, [id]);
    const touched = await client.query<{ count: number }>(
      'SELECT count(*) FROM series WHERE source_id = $1 OR $1 = ANY (origins)',
      [id],
    );
    await createTouched(client);
    const changesDeleted = await deleteWithheldChanges(client);
    await digest(client, revision);
    const series = touched.rows[0]?.count ?? 0;
    await closeRevision(client, revision.id, { series, changesDeleted }, FAMILIES);
    return { keep: true, result: { revision, series, changesDeleted } };
  });
}
