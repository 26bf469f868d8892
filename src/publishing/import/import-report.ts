import type { BadRow } from '../batches/importer.js';
import type { UnmappedCode } from '../content/unmapped-codes.js';

/** The result of one delivery; `--json` prints it as it is. */
export interface ImportReport {
  readonly delivery: string;
  readonly vintage: string;
  /** `unchanged`: the database held all of it, so there is no data version. `rehearsed`: a dry run. */
  readonly outcome: 'published' | 'unchanged' | 'rehearsed';
  readonly kind: 'import' | 'backfill' | 'replace' | null;
  readonly dataVersion: number | null;
  /** RFC 3339. */
  readonly publishedAt: string | null;
  readonly counts: ImportCounts;
  /** At most the first thousand of `counts.leftOut`. */
  readonly leftOut: readonly BadRow[];
  readonly unnamed: readonly UnmappedCode[];
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
  /** What other handlers count: events, entities, … */
  readonly [what: string]: number;
}
