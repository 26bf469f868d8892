import type pg from 'pg';
import type { Family } from '../../sources/families.js';

export type PublicationKind = 'import' | 'backfill' | 'replace' | 'withdrawal' | 'source_withheld';

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

/** Call under the publishing lock: numbers have no gaps and times never go back. */
export async function recordPublication(
  client: pg.PoolClient,
  publication: NewPublication,
): Promise<Publication> {
  const { rows } = await client.query<Publication>(
    `INSERT INTO publications (data_version, published_at, kind, description, vintage_day)
     SELECT coalesce(max(data_version), 0) + 1, greatest(max(published_at), $1), $2, $3, $4 FROM publications
     RETURNING data_version AS "dataVersion", published_at AS "publishedAt"`,
    [publication.at, publication.kind, publication.description, publication.vintageDay],
  );
  const [recorded] = rows;
  if (recorded === undefined) throw new Error('The publication was not recorded');
  return recorded;
}

export async function closePublication(
  client: pg.PoolClient,
  dataVersion: number,
  counts: Readonly<Record<string, number>>,
  families: readonly Family[],
): Promise<void> {
  await client.query('UPDATE publications SET counts = $2 WHERE data_version = $1', [
    dataVersion,
    JSON.stringify(counts),
  ]);
  await client.query(
    `INSERT INTO resource_families (family, data_version) SELECT unnest($2::text[]), $1
     ON CONFLICT (family) DO UPDATE SET data_version = excluded.data_version`,
    [dataVersion, families],
  );
}
