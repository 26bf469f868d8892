import type { Read } from '../../store/snapshots.js';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { nearest } from '../../domain/errors/nearest.js';

// Parameters whose allowed values are rows. The service refuses other values and suggests the nearest rows.

const SETS = {
  coverage: 'SELECT key AS value FROM coverage_domains ORDER BY ordinal',
  topic: 'SELECT slug AS value FROM topics ORDER BY ordinal',
  // Row-level security hides a withheld source from the join, so no suggestion reveals its indicators.
  indicator:
    'SELECT i.slug AS value FROM indicators i JOIN sources p ON p.id = i.source_id ORDER BY i.ordinal',
  instrument: `
    SELECT n.key AS value FROM instruments n JOIN sources p ON p.id = n.source_id
    WHERE EXISTS (SELECT FROM series s WHERE s.instrument = n.key) ORDER BY n.ordinal`,
} as const;

/** Codes and names in three languages. $1 codes */
export const REGIONS_OF_CODES = 'SELECT code, name FROM regions WHERE code = ANY ($1) ORDER BY code';

async function membersOf(read: Read, set: keyof typeof SETS): Promise<string[]> {
  return (await read<{ value: string }>(SETS[set])).map((row) => row.value);
}

/** The members of a set that resemble an unknown value. */
export async function nearestMembers(read: Read, set: keyof typeof SETS, sent: string): Promise<string[]> {
  return nearest(sent, await membersOf(read, set));
}

/** @throws ApiError `invalid_parameter` with the nearest known values, or with all if none is near */
export async function requireMember(
  read: Read,
  parameter: 'coverage' | 'topic',
  value: string | undefined,
): Promise<void> {
  if (value === undefined) return;
  const known = await membersOf(read, parameter);
  if (!known.includes(value)) {
    const near = nearest(value, known, 5);
    // The sets are small enough to be listed whole.
    throw invalidParameter(
      near.length > 0
        ? { parameter, reason: 'not_known', allowed: near }
        : { parameter, reason: 'not_in_set', allowed: known },
    );
  }
}

/**
 * The regions for codes as the caller wrote them: alpha-2, alpha-3 or an aggregate's code, in upper case. Returns our
 * codes without duplicates, in order.
 * @throws ApiError `invalid_parameter` if a code is unknown
 */
export async function resolveRegions(
  read: Read,
  parameter: string,
  codes: readonly string[],
): Promise<string[]> {
  const found = await read<{ code: string; alpha3: string | null }>(
    'SELECT code, alpha3 FROM regions WHERE code = ANY ($1) OR alpha3 = ANY ($1)',
    [codes],
  );
  const unknown = codes.filter((sent) => !found.some(({ code, alpha3 }) => sent === code || sent === alpha3));
  const [first] = unknown;
  if (first === undefined) return found.map(({ code }) => code).sort();
  const rows = await read<{ code: string; alpha3: string | null }>('SELECT code, alpha3 FROM regions');
  const known = rows.flatMap((row) => (row.alpha3 === null ? [row.code] : [row.code, row.alpha3]));
  const names = unknown.join(', ');
  const allowed = nearest(first, known.sort());
  throw invalidParameter({ parameter, reason: 'unknown_region', args: { names }, allowed });
}

/** The same for a parameter with one code. */
export async function resolveRegion(read: Read, parameter: string, code: string): Promise<string> {
  const [region = code] = await resolveRegions(read, parameter, [code]);
  return region;
}

interface ChangeFilters {
  readonly coverage?: string | undefined;
  readonly topic?: string | undefined;
  readonly country?: readonly string[] | undefined;
}

/** Checks the filters that lists of changes and of events share. Returns the regions, if there are any. */
export async function checkFilters(
  read: Read,
  faults: ParameterFaults,
  { coverage, topic, country }: ChangeFilters,
): Promise<string[] | undefined> {
  await faults.check(['coverage'], () => requireMember(read, 'coverage', coverage));
  await faults.check(['topic'], () => requireMember(read, 'topic', topic));
  if (country === undefined) return undefined;
  return faults.check(['country'], () => resolveRegions(read, 'country', country));
}
