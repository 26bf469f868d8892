// Country heat: how much changed in an economy against its own normal, 0..100, 50 an ordinary window.

/** Earlier non-empty windows of its own from which on an economy is measured against itself. */
export const OWN_WINDOWS = 8;

export interface Heat {
  /** `null` only without any change at all. */
  readonly heat: number | null;
  /** What it was measured against; `null` where there was nothing to measure. */
  readonly basis: 'own' | 'peers' | null;
  /** How many windows it was measured against, how many of them held less, and how many just as much. */
  readonly windows: number;
  readonly below: number;
  readonly equal: number;
}

/** A window's changes: how many, and their summed importance. */
export interface WindowTotals {
  readonly changes: number;
  readonly importance: number;
}

/**
 * The percentile of a window's importance, where one that equals others stands in the middle of them. Only an empty
 * window is 0, and one without anything to be measured against is ordinary.
 *
 * @param own sums of the economy's own earlier windows of that length, the empty ones left out
 * @param peers the same of all economies, and of all their windows but this one
 */
export function heatOf(
  { changes, importance }: WindowTotals,
  own: readonly number[],
  peers: readonly number[],
): Heat {
  const basis = own.length >= OWN_WINDOWS ? 'own' : 'peers';
  const compared = basis === 'own' ? own : peers;
  const windows = compared.length;
  const below = compared.filter((sum) => sum < importance).length;
  const equal = compared.filter((sum) => sum === importance).length;
  const percentile = windows === 0 ? 50 : Math.round((100 * (below + equal / 2)) / windows);
  return { heat: changes === 0 ? 0 : Math.max(1, percentile), basis, windows, below, equal };
}

/** What is said of an economy in which nothing has ever changed. */
export const UNHEATED: Heat = { heat: null, basis: null, windows: 0, below: 0, equal: 0 };
