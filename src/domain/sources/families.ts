/** Resource families. Each has the data version of its last change: publishing sets it, responses state it. */
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

/** Families that show changes, or what is made of them. */
export const CHANGE_FAMILIES = FAMILIES.filter((family) => family !== 'macro' && family !== 'markets');

/**
 * What has a data version: a family, an indicator (`macro/cpi-inflation`), an instrument (`markets/eurusd`), a source
 * (`sources/ecb`), or the catalogue, whose names and units are everywhere.
 */
export type Versioned = Family | 'catalogue' | `macro/${string}` | `markets/${string}` | `sources/${string}`;

export const EVERYTHING: readonly Versioned[] = [...FAMILIES, 'catalogue'];
