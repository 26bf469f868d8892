import type pg from 'pg';
import type { CodeBook } from '../catalogue/catalogue.js';
import type { Batch, Delivery } from '../importers/importer.js';
import type { Family, RecordedRevision, RevisionKind } from '../revisions/record-revision.js';
import type { BadRows } from './bad-rows.js';
import type { UnnamedCodes } from './unnamed-codes.js';

export type ImportKind = Extract<RevisionKind, 'import' | 'backfill' | 'replace'>;

export interface Permissions {
  readonly backfill: boolean;
  readonly replace: boolean;
}

/** What a ledger is opened with for one publication. */
export interface Publication {
  readonly client: pg.PoolClient;
  readonly delivery: Delivery;
  readonly codes: CodeBook;
  readonly bad: BadRows;
  readonly unnamed: UnnamedCodes;
}

/** What the comparison with what is held has come to. */
export interface LedgerJudgement {
  /** `null`: all of it is held already, nothing would change. */
  readonly kind: ImportKind | null;
  /** For the report, by what is counted: `events`, `entities`, … */
  readonly counts: Readonly<Record<string, number>>;
  /** Resource families that show it. */
  readonly families: readonly Family[];
}

/**
 * Content beside figures that deliveries speak of, such as events or legal entities. It takes its own batches
 * into temporary tables, says what differs, and stores it: all in the publishing transaction.
 */
export interface Ledger {
  /** Ignores batches that are not its own. */
  take(batch: Batch): Promise<void>;
  /** After the last batch. @throws ImportError for what the operator has not allowed */
  compare(allowed: Permissions): Promise<LedgerJudgement>;
  store(revision: RecordedRevision): Promise<void>;
}

export type OpenLedger = (publication: Publication) => Promise<Ledger>;

const WEIGHT: Readonly<Record<ImportKind, number>> = { import: 1, backfill: 2, replace: 3 };

/** A publication of several ledgers is of the kind that asks most of its operator. */
export function gravest(kinds: readonly (ImportKind | null)[]): ImportKind | null {
  return kinds.reduce<ImportKind | null>(
    (held, kind) => (kind !== null && (held === null || WEIGHT[kind] > WEIGHT[held]) ? kind : held),
    null,
  );
}
