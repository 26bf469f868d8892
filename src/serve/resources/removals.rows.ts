import type { Read } from '../../store/snapshots.js';

/** Whether the item of removal `r` is served again. */
const PRESENT = {
  changes: 'SELECT FROM changes c WHERE c.id = r.key',
  ahead: 'SELECT FROM calendar_events e WHERE e.id = r.key',
  companies: 'SELECT FROM companies c WHERE c.slug = r.key AND c.listed',
  markets: 'SELECT FROM series s WHERE s.instrument = r.key',
  macro: `SELECT FROM series s WHERE r.family = 'macro/' || s.indicator AND s.region = r.key`,
} as const;

/**
 * For a copy, on its first page: ids, slugs, keys or region codes that are no longer served since a moment, because
 * their delivery was retracted, their source withheld, or a company is no longer active.
 *
 * @param indicator of the family `macro`
 */
export async function removedSince(
  read: Read,
  family: keyof typeof PRESENT,
  { since, cursor }: { readonly since: Date | undefined; readonly cursor?: string | undefined },
  indicator?: string,
): Promise<{ readonly removed?: readonly string[] }> {
  if (since === undefined || cursor !== undefined) return {};
  const rows = await read<{ key: string }>(
    `SELECT r.key FROM removals r JOIN publications p USING (data_version)
     WHERE r.family = $1 AND ${visibleSince('p', '$2')} AND NOT EXISTS (${PRESENT[family]}) ORDER BY r.key`,
    [indicator === undefined ? family : `${family}/${indicator}`, since],
  );
  return { removed: rows.map(({ key }) => key) };
}

/**
 * A condition: a version that a client may not have seen at an instant of its own clock. The margin covers the time from
 * the stamp to the commit, the heartbeats of the instances, and a clock that is ahead.
 */
export const visibleSince = (publication: string, since: string): string =>
  `${publication}.published_at >= ${since}::timestamptz - interval '30 seconds'`;

/** When the first of these versions began, which is the time of its rows; null without any. */
export const beganSince = (since: string): string => `(
  SELECT p.began_at FROM publications p WHERE ${visibleSince('p', since)} ORDER BY p.published_at, p.began_at LIMIT 1)`;

/** A condition: a data version of at least one publication since an instant. */
export const publishedFrom = (dataVersion: string, since: string): string =>
  `${dataVersion} IN (SELECT data_version FROM publications p WHERE ${visibleSince('p', since)})`;
