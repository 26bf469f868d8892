import type { ImportReport } from './import-report.js';
import type { Delivery } from '../batches/importer.js';

export type ImportPhase = 'waiting' | 'reading' | 'comparing' | 'storing' | 'deriving' | 'committing';

export interface ImportOptions {
  /** Accept vintages older than the newest one; no change is derived from them. */
  readonly backfill?: boolean;
  /** Accept different content of a vintage that the database holds. */
  readonly replace?: boolean;
  readonly skipBadRows?: boolean;
  /** Roll back at the end. */
  readonly dryRun?: boolean;
  readonly now: () => Date;
  /** `done` and `total` are bytes of the delivery. */
  readonly onProgress?: (delivery: Delivery, phase: ImportPhase, done: number, total: number) => void;
  /** Called after each delivery; reported deliveries stay published when a later one fails. */
  readonly onReport?: (report: ImportReport) => void;
}
