import type { Locale, Localized } from '../../domain/locale/locale.js';
import type { Texts } from '../../domain/locale/texts.service.js';
import { VOICES } from '../../domain/locale/voice/voices.js';
import type { Read } from '../../store/snapshots.js';
import { invalidParameter } from '../../domain/errors/api-error.js';
import type { ParameterFaults } from '../../domain/errors/parameter-faults.js';
import { nearest } from '../../domain/errors/nearest.js';
import { CLASSES, REGION_CODES, REGIONS } from '../../domain/catalogue/closed-sets.js';

// Parameters whose allowed values are of the catalogue or rows. The service refuses others and suggests the nearest.

const SETS = {
  // Row-level security hides a withheld source from the join, so no suggestion reveals its indicators.
  indicator: 'SELECT i.slug AS value FROM indicators i JOIN sources p ON p.id = i.source_id ORDER BY i.ordinal',
  instrument: `
    SELECT n.key AS value FROM instruments n JOIN sources p ON p.id = n.source_id
    WHERE EXISTS (SELECT FROM series s WHERE s.instrument = n.key) ORDER BY n.ordinal`,
} as const;

/** Codes and names in every language. $1 codes */
export const REGIONS_OF_CODES = 'SELECT code, name FROM regions WHERE code = ANY ($1) ORDER BY code';

/** Those of the economies $1 of which neither a series nor an instrument is stored. */
const NOT_STORED = `
  SELECT r.code, r.name FROM regions r
  WHERE r.code = ANY ($1) AND NOT EXISTS (SELECT FROM series s WHERE s.region = r.code)
    AND NOT EXISTS (SELECT FROM instrument_regions i JOIN series s ON s.instrument = i.instrument WHERE i.region = r.code)
  ORDER BY r.code`;

/** A notice that names the requested economies without any figures. */
export async function notStoredNotice(
  read: Read,
  codes: readonly string[],
  texts: Texts,
  locale: Locale,
): Promise<string[]> {
  const rows = await read<{ name: Localized }>(NOT_STORED, [codes]);
  const names = rows.map(({ name }) => name[locale]).join(VOICES[locale].comma);
  return rows.length === 0 ? [] : [texts.say(locale, 'resources.economy_not_stored', { names })];
}

/** The members of a set that resemble an unknown value. */
export async function nearestMembers(read: Read, set: keyof typeof SETS, sent: string): Promise<string[]> {
  const rows = await read<{ value: string }>(SETS[set]);
  return nearest(
    sent,
    rows.map(({ value }) => value),
  );
}

/** @throws ApiError `invalid_parameter` with the nearest known values, or with all if none is near */
export function requireMember(parameter: keyof typeof CLASSES, value: string | undefined): void {
  const known = CLASSES[parameter];
  if (value === undefined || known.includes(value)) return;
  const near = nearest(value, known, 5);
  // The sets are small enough to be listed whole.
  throw invalidParameter(
    near.length > 0
      ? { parameter, reason: 'not_known', allowed: near }
      : { parameter, reason: 'not_in_set', allowed: known },
  );
}

/** Codes that people write and ISO 3166-1 does not have. */
const MEANT_BY = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['EU', 'EUU'],
]);

/** The code of an economy that is named in full, in any of our languages; upper case. */
const codeOfName = (name: string): string | undefined =>
  REGIONS.find(({ name: names }) => Object.values(names).some((one) => one.toUpperCase() === name))?.code;

/**
 * The regions for codes as the caller wrote them: alpha-2, alpha-3 or an aggregate's code, in upper case. Returns our
 * codes without duplicates, in order.
 * @throws ApiError `invalid_parameter` if a code is unknown
 */
export function resolveRegions(parameter: string, codes: readonly string[]): string[] {
  const unknown = codes.filter((sent) => !REGION_CODES.has(sent));
  const [first] = unknown;
  if (first === undefined) return [...new Set(codes.map((sent) => REGION_CODES.get(sent) ?? sent))].sort();
  const names = unknown.join(', ');
  const meant = MEANT_BY.get(first) ?? codeOfName(first);
  const allowed = meant === undefined ? nearest(first, [...REGION_CODES.keys()].sort()) : [meant];
  throw invalidParameter({ parameter, reason: 'unknown_region', args: { names }, allowed });
}

/** The same for a parameter with one code. */
export const resolveRegion = (parameter: string, code: string): string => resolveRegions(parameter, [code])[0] ?? code;

interface ChangeFilters {
  readonly coverage?: string | undefined;
  readonly topic?: string | undefined;
  readonly country?: readonly string[] | undefined;
}

/** Checks the filters that lists of changes and of events share. Returns the regions, if there are any. */
export async function checkFilters(
  faults: ParameterFaults,
  { coverage, topic, country }: ChangeFilters,
): Promise<string[] | undefined> {
  await faults.check(['coverage'], () => requireMember('coverage', coverage));
  await faults.check(['topic'], () => requireMember('topic', topic));
  if (country === undefined) return undefined;
  return faults.check(['country'], () => resolveRegions('country', country));
}
