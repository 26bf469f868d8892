import type { ImportReport } from './import-report.js';
import type pg from 'pg';
import type { Delivery } from '../batches/importer.js';
import type { Publication } from './record-publication.js';

export type ImportPhase = 'waiting' | 'reading' | 'comparing' | 'storing' | 'deriving' | 'committing';

export interface ImportOptions {
  /** Accept vintages older than the newest one; no change is derived from them. */
  readonly backfill?: boolean;
  /** Accept different content of a vintage that the database holds. */
  readonly replace?: boolean;
  /** Do not publish a retrieval of figures that are all stored: for repeated downloads. */
  readonly onlyDifferences?: boolean;
  readonly skipBadRows?: boolean;
  /** Publish what the audit finds implausible. The text says who accepts it and why, for the record. */
  readonly accept?: string;
  /** Series (`gdp-growth JP`) and entities (an LEI, `CIK 320193`) that the import leaves as they are. */
  readonly without?: readonly string[];
  /** The only series and entities that it takes. */
  readonly only?: readonly string[];
  /** Roll back at the end. */
  readonly dryRun?: boolean;
  readonly now: () => Date;
  /** Called inside the publishing transaction before its commit, which an error prevents. */
  readonly onPublication?: (client: pg.PoolClient, publication: Publication, delivery: Delivery) => Promise<void>;
  /** `done` and `total` are bytes of the delivery. */
  readonly onProgress?: (delivery: Delivery, phase: ImportPhase, done: number, total: number) => void;
  /** Called after each delivery; reported deliveries stay published when a later one fails. None follows a held one. */
  readonly onReport?: (report: ImportReport) => void;
}
