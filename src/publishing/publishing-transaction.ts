import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../database/snapshots.js';

/** Any number of our own: whoever holds this lock is the one that publishes. */
const PUBLISHING_LOCK = 7_140_001;

/** What the work of a transaction has come to: `keep: false` takes back all of it. */
export interface Outcome<T> {
  readonly keep: boolean;
  readonly result: T;
}

/** The settings hold for the transaction only. Sorts and joins of a whole delivery want memory. */
const SETTINGS = `
  SET LOCAL timezone = 'UTC';
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL work_mem = '64MB';
  SET LOCAL maintenance_work_mem = '64MB';
  SET LOCAL statement_timeout = 0;
  SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;`;

/**
 * One publication: a transaction that no other publication overlaps. A second one waits, and says so. When
 * the work fails or the process dies, readers go on with the revision they had.
 */
export async function publishAlone<T>(
  dataSource: DataSource,
  onWait: () => void,
  work: (client: pg.PoolClient) => Promise<Outcome<T>>,
): Promise<T> {
  const client = await poolOf(dataSource).connect();
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    await client.query(SETTINGS);
    const lock = await client.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [
      PUBLISHING_LOCK,
    ]);
    if (lock.rows[0]?.got !== true) {
      onWait();
      await client.query('SELECT pg_advisory_xact_lock($1)', [PUBLISHING_LOCK]);
    }
    const outcome = await work(client);
    await client.query(outcome.keep ? 'COMMIT' : 'ROLLBACK');
    return outcome.result;
  } catch (error) {
    // Whatever is asked of a lost connection fails for that reason only: the loss itself is what to tell.
    const lost = broken;
    await client.query('ROLLBACK').catch((failure: unknown) => {
      broken ??= failure instanceof Error ? failure : new Error(String(failure));
    });
    throw lost ?? error;
  } finally {
    client.removeListener('error', onError);
    client.release(broken);
  }
}
