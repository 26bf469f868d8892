import type { Read } from '../database/snapshots.js';

/** Whether the item of removal `r` is served again. */
const PRESENT = {
  changes: 'SELECT FROM changes c WHERE c.id = r.key',
  ahead: 'SELECT FROM calendar_events e WHERE e.id = r.key',
  companies: 'SELECT FROM companies c WHERE c.slug = r.key AND c.listed',
  markets: 'SELECT FROM series s WHERE s.instrument = r.key',
  macro: `SELECT FROM series s WHERE r.family = 'macro/' || s.indicator AND s.region = r.key`,
} as const;

/**
 * For a copy: ids, slugs, keys or region codes that are no longer served since a moment, because their delivery was
 * retracted, their source withheld, or a company is no longer active.
 *
 * @param indicator of the family `macro`
 */
export async function removedSince(
  read: Read,
  family: keyof typeof PRESENT,
  since: Date,
  indicator?: string,
): Promise<string[]> {
  const rows = await read<{ key: string }>(
    `SELECT r.key FROM removals r JOIN publications p USING (data_version)
     WHERE r.family = $1 AND p.published_at >= $2 AND NOT EXISTS (${PRESENT[family]}) ORDER BY r.key`,
    [indicator === undefined ? family : `${family}/${indicator}`, since],
  );
  return rows.map(({ key }) => key);
}

/** A condition: a data version of at least one publication since an instant. */
export const publishedFrom = (dataVersion: string, since: string): string =>
  `${dataVersion} IN (SELECT data_version FROM publications WHERE published_at >= ${since})`;
