/**
 * What the day of a vintage means to its source: the day of a release, of an update that need not be one, or of our
 * retrieval.
 */
export const VINTAGE_BASES = ['released', 'updated', 'retrieved'] as const;
export type VintageBasis = (typeof VINTAGE_BASES)[number];

export const isVintageBasis = (text: unknown): text is VintageBasis =>
  (VINTAGE_BASES as readonly unknown[]).includes(text);
