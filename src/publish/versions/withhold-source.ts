import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { noSuch } from '../../domain/errors/nearest.js';
import { AFFECTED_COLUMNS, createAffectedChanges } from '../publication/affected-changes.js';
import { refreshReadModels } from '../read-models/read-models.js';
import { ImportError } from '../batches/importer.js';
import { publishExclusively } from '../publication/publishing-transaction.js';
import { EVERYTHING } from '../../domain/sources/families.js';
import { closePublication, recordPublication, type Publication } from '../publication/record-publication.js';

export interface Withheld {
  /** `null`: it was withheld already. */
  readonly publication: Publication | null;
  readonly series: number;
  readonly changesDeleted: number;
}

/** The data versions of what is withheld name it. */
const FORGET_VERSIONS = `
  DELETE FROM resource_families WHERE family IN (
    SELECT 'sources/' || id FROM sources WHERE withheld
    UNION ALL
    SELECT coalesce('macro/' || indicator, 'markets/' || instrument) FROM series
    GROUP BY indicator, instrument HAVING bool_and(withheld))`;

/** Deletes what was derived from series or entities that are now withheld. Returns the number of changes. */
export async function deleteWithheldChanges(client: pg.PoolClient): Promise<number> {
  await client.query(FORGET_VERSIONS);
  const { rowCount } = await client.query(`
    WITH deleted AS (
      DELETE FROM changes c WHERE c.id IN (
        SELECT id FROM changes WHERE series_id IN (SELECT s.id FROM series s WHERE s.withheld)
        UNION ALL
        SELECT c.id FROM sources p JOIN entities e ON e.source_id = p.id JOIN changes c ON c.entity_id = e.id
        WHERE p.withheld)
      RETURNING ${AFFECTED_COLUMNS}
    )
    INSERT INTO affected_changes SELECT *, 'deleted' FROM deleted`);
  return rowCount ?? 0;
}

/** Withholds sources; triggers follow with every series that they publish or originate. */
export async function markWithheld(client: pg.PoolClient, ids: readonly string[]): Promise<void> {
  await client.query('UPDATE sources SET withheld = true WHERE id = ANY ($1) AND NOT withheld', [ids]);
}

/** Withholds a source: the API serves nothing of it from now on, and its derived changes are deleted. */
export async function withholdSource(
  dataSource: DataSource,
  id: string,
  now: () => Date,
  onWait: () => void = () => undefined,
): Promise<Withheld> {
  return publishExclusively<Withheld>(dataSource, onWait, async (client) => {
    const known = await client.query<{ withheld: boolean }>('SELECT withheld FROM sources WHERE id = $1', [id]);
    if (known.rows[0] === undefined) throw new ImportError(await unknownSource(client, id));
    if (known.rows[0].withheld) {
      return { keep: false, result: { publication: null, series: 0, changesDeleted: 0 } };
    }
    const publication = await recordPublication(client, {
      kind: 'source_withheld',
      description: `Source ${id} withheld`,
      vintageDay: null,
      now,
    });
    await markWithheld(client, [id]);
    const affected = await client.query<{ count: number }>(
      'SELECT count(*) FROM series WHERE source_id = $1 OR $1 = ANY (origins)',
      [id],
    );
    await createAffectedChanges(client);
    const changesDeleted = await deleteWithheldChanges(client);
    await refreshReadModels(client, publication, 'everything');
    const series = affected.rows[0]?.count ?? 0;
    await closePublication(client, publication, { series, changesDeleted }, EVERYTHING);
    return { keep: true, result: { publication, series, changesDeleted } };
  });
}

async function unknownSource(client: pg.PoolClient, id: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM sources ORDER BY id');
  return noSuch(
    'source',
    id,
    rows.map((row) => row.id),
  );
}
