import type { Finding } from '../publication/finding.js';
import type { Batch } from '../batches/importer.js';
import type { PublishContext } from '../publication/publish-context.js';
import type { Family } from '../../domain/sources/families.js';
import type { Publication, PublicationKind } from '../publication/record-publication.js';

export type ImportKind = Extract<PublicationKind, 'import' | 'backfill' | 'replace'>;

export interface Permissions {
  readonly backfill: boolean;
  readonly replace: boolean;
  /** Observations that are all stored already make no vintage of a new day. */
  readonly onlyDifferences: boolean;
}

/** The result of comparing staged content with the database. */
export interface ContentEvaluation {
  /** `null`: the database holds all of it already. */
  readonly kind: ImportKind | null;
  /** Counts for the report: `events`, `entities`, … */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Handles one kind of content beside observations, such as events or legal entities: stages its batches in
 * temporary tables, compares them with the database and stores them, all in the publishing transaction.
 */
export interface ContentHandler {
  /** Ignores batches that are not its own. */
  take(batch: Batch): Promise<void>;
  /** Call after the last batch, and again after something was taken out. @throws ImportError for what the operator has not allowed */
  compare(allowed: Permissions): Promise<ContentEvaluation>;
  /** What is implausible about it, after `compare`. */
  audit?(): Promise<Finding[]>;
  /** Returns the resource families that show something new: none if the content only repeats what is stored. */
  store(publication: Publication): Promise<readonly Family[]>;
}

export type OpenContentHandler = (context: PublishContext) => Promise<ContentHandler>;

const WEIGHT: Readonly<Record<ImportKind, number>> = { import: 1, backfill: 2, replace: 3 };

/** The kind of a publication that needs the strictest permission. */
export function strictestKind(kinds: readonly (ImportKind | null)[]): ImportKind | null {
  return kinds.reduce<ImportKind | null>(
    (held, kind) => (kind !== null && (held === null || WEIGHT[kind] > WEIGHT[held]) ? kind : held),
    null,
  );
}
