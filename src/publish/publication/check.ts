// What every check of figures is made of.

/** Added: figures after the newest stored one of their series. */
export const FIGURE_CHANGES = ['added', 'restated', 'closed'] as const;
export type FigureChange = (typeof FIGURE_CHANGES)[number];

/**
 * Every query reads the tables of `audited-tables.ts`. `cells` lists what fails: subject, series_id, period, value,
 * held_value, and what the sentence says: `many` (the number, share or ratio that was found) of `most` (the one that
 * passes).
 */
export interface Check {
  /** A delivery without such changes passes. A first delivery has none of them: only `all` reads it. */
  readonly reads: 'all' | readonly FigureChange[];
  readonly sql: string;
  /** Why it fails: the subject and the number of its figures stand before it. */
  readonly says: (many: number, most: number) => string;
}
