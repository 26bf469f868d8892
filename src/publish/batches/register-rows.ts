// Row types of registers of legal entities.
import type { SourcePosition } from './source-position.js';

export type RelationKind = 'direct' | 'ultimate';

/** A legal entity as a register describes it. */
export interface EntityRow {
  readonly lei: string;
  /** In the register's own spelling. */
  readonly name: string;
  /** Former names, brands and transliterations, as the register states them. */
  readonly otherNames: readonly string[];
  /** BCP 47, if the register states it. */
  readonly language: string | null;
  /** `legal_entity`, `fund`, `branch`, … */
  readonly type: string;
  /** ISO 3166-1 alpha-2 of the legal address. */
  readonly country: string | null;
  /** ISO 3166-1 or 3166-2. */
  readonly jurisdiction: string | null;
  readonly status: 'active' | 'inactive';
  readonly place: SourcePosition;
}

/** The child's accounts are consolidated in the parent's. Both are LEIs. */
export interface RelationRow {
  readonly child: string;
  readonly parent: string;
  readonly kind: RelationKind;
  readonly state: 'active' | 'ended';
  /** Days, if the register states them. */
  readonly since: string | null;
  readonly until: string | null;
  /** A list names children only; a record also states days and takes precedence. */
  readonly from: 'record' | 'list';
  readonly place: SourcePosition;
}

/** Coverage: the delivery gives all children of a parent (`stated`: how many), or all parents of a child. */
export interface RelationExtent {
  readonly lei: string;
  readonly side: 'children' | 'parents';
  readonly kind: RelationKind;
  readonly stated: number | null;
  readonly from: 'record' | 'list';
}

/** One ticker of a registrant. A delivery with any ticker contains all tickers. */
export interface RegistrantRow {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string;
  readonly place: SourcePosition;
}

export type RegisterBatch =
  | { readonly kind: 'entities'; readonly source: string; readonly rows: readonly EntityRow[] }
  | { readonly kind: 'relations'; readonly source: string; readonly rows: readonly RelationRow[] }
  | { readonly kind: 'relation-extents'; readonly source: string; readonly rows: readonly RelationExtent[] }
  | { readonly kind: 'registrants'; readonly source: string; readonly rows: readonly RegistrantRow[] };
