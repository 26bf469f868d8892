import type { Read } from '../database/snapshots.js';
import { invalidParameter } from '../errors/api-error.js';
import { nearest } from '../errors/nearest.js';

// Parameters whose values are rows: what is no row is refused with the nearest that are.

const SETS = {
  coverage: 'SELECT key AS value FROM coverage_domains ORDER BY ordinal',
  topic: 'SELECT slug AS value FROM topics ORDER BY ordinal',
} as const;

/** @throws ApiError `invalid_parameter` with the nearest known values. */
export async function requireMember(
  read: Read,
  parameter: keyof typeof SETS,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) return;
  const known = (await read<{ value: string }>(SETS[parameter])).map((row) => row.value);
  if (!known.includes(value)) {
    throw invalidParameter({ parameter, reason: 'not_in_set', allowed: nearest(value, known, 5) });
  }
}

/**
 * A region as the caller wrote it, alpha-2, alpha-3 or an aggregate's code in upper case, as we write it.
 * @throws ApiError `invalid_parameter` when no region has the code.
 */
export async function resolveRegion(read: Read, parameter: string, code: string): Promise<string> {
  const [region] = await read<{ code: string }>('SELECT code FROM regions WHERE code = $1 OR alpha3 = $1', [
    code,
  ]);
  if (region !== undefined) return region.code;
  const rows = await read<{ code: string; alpha3: string | null }>('SELECT code, alpha3 FROM regions');
  const known = rows.flatMap((row) => (row.alpha3 === null ? [row.code] : [row.code, row.alpha3]));
  throw invalidParameter({ parameter, reason: 'unknown_region', allowed: nearest(code, known.sort()) });
}
