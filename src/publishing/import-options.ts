import type { ImportReport } from './import-report.js';
import type { Delivery } from './importers/importer.js';

export type ImportPhase = 'waiting' | 'reading' | 'comparing' | 'storing' | 'deriving' | 'committing';

export interface ImportOptions {
  /** Accept vintages older than the newest held; nothing is derived from them. */
  readonly backfill?: boolean;
  /** Accept a different content for a vintage that is held. */
  readonly replace?: boolean;
  readonly skipBadRows?: boolean;
  /** Do everything, and take it back. */
  readonly dryRun?: boolean;
  readonly now: () => Date;
  /** `done` and `total` are bytes of the delivery. */
  readonly onProgress?: (delivery: Delivery, phase: ImportPhase, done: number, total: number) => void;
  /** Called after each delivery; those reported stay published when a later one fails. */
  readonly onReport?: (report: ImportReport) => void;
}
