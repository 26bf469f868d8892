// Chooses the items of a brief.

export const MOST_A_SECTION = 10;
export const MOST_A_BRIEF = 40;
/** How many of its changes an item names: a large revision has thousands. */
export const MOST_CHANGES_AN_ITEM = 20;

export interface Candidate {
  readonly section: string;
  /** Number of its changes. */
  readonly changes: number;
}

export interface SectionTotal {
  readonly key: string;
  /** The number of all changes of the day in this section. */
  readonly changes: number;
}

export interface Picked<Item extends Candidate> {
  /** Sorted by importance: their order in the brief. */
  readonly items: readonly Item[];
  /** By section: the number of changes without an item. */
  readonly omitted: ReadonlyMap<string, number>;
}

/**
 * Takes the most important candidate of every section, and then others until a section or the brief is full.
 * @param candidates by importance
 */
export function pickItems<Item extends Candidate>(
  candidates: readonly Item[],
  totals: readonly SectionTotal[],
): Picked<Item> {
  const taken = new Map<string, number>();
  const leads = new Set<Item>();
  for (const candidate of candidates) {
    if (taken.has(candidate.section)) continue;
    taken.set(candidate.section, 1);
    leads.add(candidate);
  }
  let free = MOST_A_BRIEF - leads.size;
  const items = candidates.filter((candidate) => {
    if (leads.has(candidate)) return true;
    const before = taken.get(candidate.section) ?? 0;
    if (free <= 0 || before === MOST_A_SECTION) return false;
    taken.set(candidate.section, before + 1);
    free -= 1;
    return true;
  });
  const omitted = new Map(totals.map(({ key, changes }) => [key, changes]));
  for (const { section, changes } of items) omitted.set(section, (omitted.get(section) ?? 0) - changes);
  return { items, omitted };
}
