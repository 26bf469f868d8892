import type pg from 'pg';
import { renderingFingerprint } from '../rendering/fingerprint.js';
import type { Versioned } from '../../sources/families.js';

export type PublicationKind =
  'import' | 'backfill' | 'replace' | 'withdrawal' | 'source_withheld' | 'rendering' | 'retraction';

export interface NewPublication {
  readonly kind: PublicationKind;
  readonly description: string;
  readonly vintageDay: string | null;
  /** Time of publication; at least that of the previous one, even if the clock is behind it. */
  readonly at: Date;
}

export interface Publication {
  /** Its number. */
  readonly dataVersion: number;
  readonly publishedAt: Date;
}

/**
 * Call under the publishing lock: numbers have no gaps and times never go back. `rendered_by` is null when the texts
 * that are published already are by other words.
 */
export async function recordPublication(
  client: pg.PoolClient,
  publication: NewPublication,
): Promise<Publication> {
  const { rows } = await client.query<Publication>(
    `INSERT INTO publications (data_version, published_at, kind, description, vintage_day, rendered_by)
     SELECT coalesce(max(data_version), 0) + 1, greatest(max(published_at), $1), $2, $3, $4,
       CASE WHEN count(*) = 0 OR (SELECT rendered_by FROM publications ORDER BY data_version DESC LIMIT 1) = $5 THEN $5 END
     FROM publications
     RETURNING data_version AS "dataVersion", published_at AS "publishedAt"`,
    [
      publication.at,
      publication.kind,
      publication.description,
      publication.vintageDay,
      renderingFingerprint(),
    ],
  );
  const [recorded] = rows;
  if (recorded === undefined) throw new Error('The publication was not recorded');
  return recorded;
}

/** @param moved what shows something new */
export async function closePublication(
  client: pg.PoolClient,
  dataVersion: number,
  counts: Readonly<Record<string, number>>,
  moved: readonly Versioned[],
): Promise<void> {
  await client.query('UPDATE publications SET counts = $2 WHERE data_version = $1', [
    dataVersion,
    JSON.stringify(counts),
  ]);
  await client.query('UPDATE removals SET data_version = $1 WHERE data_version IS NULL', [dataVersion]);
  await client.query(
    `INSERT INTO resource_families (family, data_version) SELECT DISTINCT unnest($2::text[]), $1::integer
     ON CONFLICT (family) DO UPDATE SET data_version = excluded.data_version`,
    [dataVersion, moved],
  );
}
