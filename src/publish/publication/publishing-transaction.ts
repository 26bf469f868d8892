import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../store/snapshots.js';

/** Key of the advisory lock that serialises publications. */
const PUBLISHING_LOCK = 7_140_001;

/** The result of a transaction; `keep: false` rolls it back. */
export interface Outcome<T> {
  readonly keep: boolean;
  readonly result: T;
}

/** Settings of the transaction. Sorts and joins of a whole delivery need memory. */
const SETTINGS = `
  SET LOCAL timezone = 'UTC';
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL work_mem = '64MB';
  SET LOCAL maintenance_work_mem = '64MB';
  SET LOCAL jit = off;
  SET LOCAL statement_timeout = 0;
  SET LOCAL lock_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;`;

/**
 * Runs one publication: a transaction that excludes all others. A second one calls `onWait` and waits. When the
 * work fails or the process dies, readers keep the previous data version.
 */
export async function publishExclusively<T>(
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
    const lock = await client.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [PUBLISHING_LOCK]);
    if (lock.rows[0]?.got !== true) {
      onWait();
      await client.query('SELECT pg_advisory_xact_lock($1)', [PUBLISHING_LOCK]);
    }
    const outcome = await work(client);
    await client.query(outcome.keep ? 'COMMIT' : 'ROLLBACK');
    return outcome.result;
  } catch (error) {
    // After a lost connection every statement fails; report the loss itself.
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
