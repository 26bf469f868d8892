import type { BadRow } from './importers/importer.js';
import type { UnnamedCode } from './store/unnamed-codes.js';

/** What one delivery has come to. Plain data: `--json` prints it as it is. */
export interface ImportReport {
  readonly delivery: string;
  readonly vintage: string;
  /** `unchanged`: all of it was held already, so there is no revision. `rehearsed`: a dry run, taken back. */
  readonly outcome: 'published' | 'unchanged' | 'rehearsed';
  readonly kind: 'import' | 'backfill' | 'replace' | null;
  readonly revision: number | null;
  /** RFC 3339. */
  readonly publishedAt: string | null;
  readonly counts: ImportCounts;
  /** At most the first thousand of `counts.leftOut`. */
  readonly leftOut: readonly BadRow[];
  readonly unnamed: readonly UnnamedCode[];
  readonly seconds: number;
}

export interface ImportCounts {
  /** Figures read that the catalogue names. */
  readonly rows: number;
  readonly series: number;
  readonly seriesCreated: number;
  /** Figures that are new or have another value. */
  readonly changed: number;
  /** Figures that the source no longer gives. */
  readonly closed: number;
  readonly releases: number;
  readonly revisions: number;
  readonly moves: number;
  readonly decisions: number;
  readonly structures: number;
  readonly corrected: number;
  readonly withdrawn: number;
  readonly leftOut: number;
  /** What other ledgers count: events, entities, … */
  readonly [what: string]: number;
}
