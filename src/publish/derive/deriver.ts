import type pg from 'pg';
import type { Publication } from '../publication/record-publication.js';

/** The publication for which a rule derives changes. */
export interface DeriveContext {
  readonly client: pg.PoolClient;
  /** `YYYY-MM-DD`. */
  readonly vintage: string;
  readonly publication: Publication;
}

/**
 * Writes changes to `derived_changes`, and published changes that it evaluated again to `recomputed_changes`: the
 * publication withdraws those that are no longer derived. Reads only derivable views, and depends only on the stored
 * content.
 */
export type Deriver = (publishing: DeriveContext) => Promise<void>;
