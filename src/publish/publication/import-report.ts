import type { BadRow } from '../batches/importer.js';
import type { AuditedCell, Finding, QuarantinedSeries } from './finding.js';
import type { UnmappedCode } from './unmapped-codes.js';

/** The result of one delivery; `--json` prints it as it is. */
export interface ImportReport {
  readonly delivery: string;
  readonly vintage: string;
  /**
   * `unchanged`: the database held all of it, so there is no data version. `rehearsed`: a dry run. `held`: all that it
   * changes is implausible, so that none of its figures were published; it waits by series, or as a whole if none is
   * in `quarantined`.
   */
  readonly outcome: 'published' | 'unchanged' | 'rehearsed' | 'held';
  readonly kind: 'import' | 'backfill' | 'replace' | null;
  /** Also that from which responses say that series wait. */
  readonly dataVersion: number | null;
  /** RFC 3339. */
  readonly publishedAt: string | null;
  readonly counts: ImportCounts;
  /** At most the first thousand of `counts.leftOut`. */
  readonly leftOut: readonly BadRow[];
  readonly unnamed: readonly UnmappedCode[];
  /** What the audit found, also if it was accepted. */
  readonly findings: readonly Finding[];
  /** Series or entities that wait while the others are published. */
  readonly quarantined: readonly QuarantinedSeries[];
  /** The number of what is held, for `tidemark deliveries`; null also for a dry run. */
  readonly heldDelivery: number | null;
  /** A dry run lists the first figures that would change. */
  readonly differences: readonly AuditedCell[];
  readonly seconds: number;
}

/** Whether later deliveries cannot be compared before a decision. */
export const isHeldWhole = ({ outcome, quarantined }: ImportReport): boolean =>
  outcome === 'held' && quarantined.length === 0;

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
