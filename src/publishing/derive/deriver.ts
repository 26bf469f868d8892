import type pg from 'pg';
import type { Publication } from '../versions/record-publication.js';

/** The publication for which a rule derives changes. */
export interface DeriveContext {
  readonly client: pg.PoolClient;
  /** `YYYY-MM-DD`. */
  readonly vintage: string;
  readonly publication: Publication;
}

/**
 * Writes changes to `derived_changes`, and published changes that it evaluated again to `recomputed_changes`: one
 * that is not derived any more is withdrawn. Reads only derivable views, and depends on nothing but what is
 * stored.
 */
export type Deriver = (publishing: DeriveContext) => Promise<void>;
