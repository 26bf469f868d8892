import type pg from 'pg';
import type { RecordedRevision } from '../revisions/record-revision.js';

/** What is being published, for rules that derive changes of it. */
export interface Publishing {
  readonly client: pg.PoolClient;
  /** `YYYY-MM-DD`. */
  readonly vintage: string;
  readonly revision: RecordedRevision;
}

/**
 * Derives changes into the table `derived`, and lists in `rederived` those that stand and were looked at again:
 * one that is listed and not derived any more is withdrawn. Reads only what is derivable, and depends on nothing
 * but what is stored.
 */
export type Deriver = (publishing: Publishing) => Promise<void>;
