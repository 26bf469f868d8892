import type pg from 'pg';
import type { CodeBook } from '../catalogue/code-book.js';
import type { BadRows } from './bad-rows.js';
import type { UnmappedCodes } from './unmapped-codes.js';
import type { Delivery } from '../batches/importer.js';

/** One delivery inside its publishing transaction. */
export interface PublishContext {
  readonly client: pg.PoolClient;
  readonly delivery: Delivery;
  readonly codes: CodeBook;
  readonly bad: BadRows;
  readonly unmapped: UnmappedCodes;
}
