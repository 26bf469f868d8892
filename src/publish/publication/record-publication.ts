import type pg from 'pg';
import { renderingFingerprint } from '../catalogue/fingerprint.js';
import type { Versioned } from '../../domain/sources/families.js';

export type PublicationKind =
  | 'import'
  | 'backfill'
  | 'replace'
  | 'withdrawal'
  | 'source_withheld'
  | 'rendering'
  | 'retraction'
  /** Series in quarantine were decided without publishing anything of them. */
  | 'decision';

export interface NewPublication {
  readonly kind: PublicationKind;
  readonly description: string;
  readonly vintageDay: string | null;
  /** Read when the publication begins and again when it closes. */
  readonly now: () => Date;
}

export interface Publication {
  /** Its number. */
  readonly dataVersion: number;
  /** The time that its rows carry; at least `publishedAt` of the previous one, even if the clock is behind it. */
  readonly beganAt: Date;
}

export type OpenPublication = Publication & Pick<NewPublication, 'now'>;

/**
 * Call under the publishing lock: numbers have no gaps and times never go back. `rendered_by` is null when the texts
 * that are published already are by other words.
 */
export async function recordPublication(client: pg.PoolClient, publication: NewPublication): Promise<OpenPublication> {
  const { rows } = await client.query<Publication>(
    `INSERT INTO publications (data_version, began_at, published_at, kind, description, vintage_day, rendered_by)
     SELECT coalesce(max(data_version), 0) + 1, greatest(max(published_at), $1), greatest(max(published_at), $1), $2, $3, $4,
       CASE WHEN count(*) = 0 OR (SELECT rendered_by FROM publications ORDER BY data_version DESC LIMIT 1) = $5 THEN $5 END
     FROM publications
     RETURNING data_version AS "dataVersion", began_at AS "beganAt"`,
    [publication.now(), publication.kind, publication.description, publication.vintageDay, renderingFingerprint()],
  );
  const [recorded] = rows;
  if (recorded === undefined) throw new Error('The publication was not recorded');
  return { ...recorded, now: publication.now };
}

/**
 * Call last: a client that polls by its own clock misses a version that becomes visible long after its `publishedAt`.
 * @param moved what shows something new
 * @returns `publishedAt`
 */
export async function closePublication(
  client: pg.PoolClient,
  { dataVersion, now }: OpenPublication,
  counts: Readonly<Record<string, number>>,
  moved: readonly Versioned[],
): Promise<Date> {
  await client.query('UPDATE removals SET data_version = $1 WHERE data_version IS NULL', [dataVersion]);
  await client.query(
    `INSERT INTO resource_families (family, data_version) SELECT DISTINCT unnest($2::text[]), $1::integer
     ON CONFLICT (family) DO UPDATE SET data_version = excluded.data_version`,
    [dataVersion, moved],
  );
  const { rows } = await client.query<{ publishedAt: Date }>(
    `UPDATE publications SET counts = $2, published_at = greatest(began_at, $3) WHERE data_version = $1
     RETURNING published_at AS "publishedAt"`,
    [dataVersion, JSON.stringify(counts), now()],
  );
  const [closed] = rows;
  if (closed === undefined) throw new Error('The publication was not recorded');
  return closed.publishedAt;
}
