// Country heat: how much changed in an economy compared with its own normal, 0..100; 50 is an ordinary window.

/** The minimum number of earlier non-empty windows for a comparison with the economy's own past. */
export const OWN_WINDOWS = 8;

export interface Heat {
  /** `null` only if the economy has no change at all. */
  readonly heat: number | null;
  /** The reference of the comparison; `null` without any reference. */
  readonly basis: 'own' | 'peers' | null;
  /** The number of reference windows, of those with less importance, and of those with equal importance. */
  readonly windows: number;
  readonly below: number;
  readonly equal: number;
}

/** The changes of a window: their number and the sum of their importance. */
export interface WindowTotals {
  readonly changes: number;
  readonly importance: number;
}

/**
 * The percentile of a window's importance; windows of equal importance count half. An empty window is 0, and a window
 * without any reference is ordinary.
 * @param own sums of the economy's earlier non-empty windows of that length
 * @param peers the same for all other windows of all economies
 */
export function heatOf({ changes, importance }: WindowTotals, own: readonly number[], peers: readonly number[]): Heat {
  const basis = own.length >= OWN_WINDOWS ? 'own' : 'peers';
  const compared = basis === 'own' ? own : peers;
  const windows = compared.length;
  const below = compared.filter((sum) => sum < importance).length;
  const equal = compared.filter((sum) => sum === importance).length;
  const percentile = windows === 0 ? 50 : Math.round((100 * (below + equal / 2)) / windows);
  return { heat: changes === 0 ? 0 : Math.max(1, percentile), basis, windows, below, equal };
}

/** The result for an economy without any change. */
export const UNHEATED: Heat = { heat: null, basis: null, windows: 0, below: 0, equal: 0 };
