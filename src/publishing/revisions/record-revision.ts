import type pg from 'pg';

export type RevisionKind = 'import' | 'backfill' | 'replace' | 'withdrawal' | 'source_withheld';

/** The API's own list (`answers/result.ts`) is compared with this one by a test. */
export const FAMILIES = [
  'changes',
  'coverage',
  'topics',
  'signals',
  'macro',
  'markets',
  'ahead',
  'briefs',
  'companies',
  'structure',
  'search',
] as const;
export type Family = (typeof FAMILIES)[number];

export interface NewRevision {
  readonly kind: RevisionKind;
  readonly description: string;
  readonly vintageDay: string | null;
  /** When it is published; moved up to the revision before where the clock stands behind that. */
  readonly at: Date;
}

export interface RecordedRevision {
  readonly id: number;
  readonly publishedAt: Date;
}

/** Under the publishing lock, so that numbers have no gaps and times never go back. */
export async function recordRevision(
  client: pg.PoolClient,
  revision: NewRevision,
): Promise<RecordedRevision> {
  const { rows } = await client.query<RecordedRevision>(
    `INSERT INTO revisions (id, published_at, kind, description, vintage_day)
     SELECT coalesce(max(id), 0) + 1, greatest(max(published_at), $1), $2, $3, $4 FROM revisions
     RETURNING id, published_at AS "publishedAt"`,
    [revision.at, revision.kind, revision.description, revision.vintageDay],
  );
  const [recorded] = rows;
  if (recorded === undefined) throw new Error('The revision was not recorded');
  return recorded;
}

export async function closeRevision(
  client: pg.PoolClient,
  revision: number,
  counts: Readonly<Record<string, number>>,
  families: readonly Family[],
): Promise<void> {
  await client.query('UPDATE revisions SET counts = $2 WHERE id = $1', [revision, JSON.stringify(counts)]);
  await client.query(
    `INSERT INTO resource_families (family, revision_id) SELECT unnest($2::text[]), $1
     ON CONFLICT (family) DO UPDATE SET revision_id = excluded.revision_id`,
    [revision, families],
  );
}
