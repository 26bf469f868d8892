// The rule of structure changes: what one vintage day has changed in one group relation.

/** What is stored of a direct relation around a vintage day. */
export interface RelationFacts {
  /** It stood on the eve of the vintage, by the register as known then. */
  readonly before: boolean;
  /** It stands by this vintage. */
  readonly now: boolean;
  /**
   * An earlier vintage spoke of where it would have stood: of all children of the parent, or of all parents of the
   * child. Without that, nobody knows whether it is new.
   */
  readonly spokenBefore: boolean;
}

/** A first sight makes no change, whatever it shows. */
export function structureChange({ before, now, spokenBefore }: RelationFacts): 'began' | 'ended' | null {
  if (before === now) return null;
  if (before) return 'ended';
  return spokenBefore ? 'began' : null;
}

export interface StructureWeighing {
  /** Direct children that are held of the parent, on that day. */
  readonly children: number;
  /** 0..100: the larger weight of the two economies, from the catalogue; 0 where none is known. */
  readonly regionWeight: number;
}

/**
 * 0..100, of which a group relation reaches 20 to 60: a parent of a thousand direct children counts twenty-five more
 * than one with a single child, the largest economy fifteen more than the smallest. See docs/companies.md.
 */
export function structureImportance({ children, regionWeight }: StructureWeighing): number {
  const size = Math.min(1, Math.log10(Math.max(1, children)) / 3);
  return Math.round(20 + 25 * size + 0.15 * regionWeight);
}
