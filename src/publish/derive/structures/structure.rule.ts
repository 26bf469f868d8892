// Derives the change of one group relation on one vintage day.

/** The stored state of a direct relation around a vintage day. */
export interface RelationFacts {
  /** Whether it was active on the day before, as known then. */
  readonly before: boolean;
  /** Whether it is active by this vintage. */
  readonly now: boolean;
  /**
   * Whether an earlier vintage covered it: all children of the parent, or all parents of the child. Without that,
   * it may not be new.
   */
  readonly coveredBefore: boolean;
}

/** The first vintage that covers a relation makes no change. */
export function structureChange({ before, now, coveredBefore }: RelationFacts): 'began' | 'ended' | null {
  if (before === now) return null;
  if (before) return 'ended';
  return coveredBefore ? 'began' : null;
}

export interface StructureWeighing {
  /** Direct children of the parent on that day. */
  readonly children: number;
  /** 0..100: the larger weight of the two economies, from the catalogue; 0 where none is known. */
  readonly regionWeight: number;
}

/**
 * 0..100, of which a group relation reaches 20 to 60: a parent of a thousand direct children counts twenty-five more
 * than one with a single child, the largest economy fifteen more than the smallest. See docs/explanation/companies.md.
 */
export function structureImportance({ children, regionWeight }: StructureWeighing): number {
  const size = Math.min(1, Math.log10(Math.max(1, children)) / 3);
  return Math.round(20 + 25 * size + 0.15 * regionWeight);
}
