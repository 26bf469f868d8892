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
