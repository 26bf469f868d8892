import type { DataSource } from 'typeorm';
import { poolOf } from '../../store/snapshots.js';

/** First key of the advisory locks of publishers; the second one is the publisher's name as a number. */
const SYNC_LOCKS = 7_140_002;

/** The server notices within a minute that the host of a claim has vanished. */
const SETTINGS = `
  SET LOCAL tcp_keepalives_idle = 30;
  SET LOCAL tcp_keepalives_interval = 10;
  SET LOCAL tcp_keepalives_count = 3;
  SET LOCAL idle_in_transaction_session_timeout = 0;`;

/**
 * Runs `work` while no other process works on the publisher; undefined if one does. The claim is a lock of an open
 * transaction, also behind a pooler: it ends with its process, however that ends.
 */
export async function whileClaimed<T>(
  dataSource: DataSource,
  publisher: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await poolOf(dataSource).connect();
  // A lost claim is noticed by its effect: another process ends the attempt.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query(SETTINGS);
    const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS got', [
      SYNC_LOCKS,
      publisher,
    ]);
    return rows[0]?.got === true ? await work() : undefined;
  } finally {
    await client.query('ROLLBACK').catch((error: unknown) => {
      broken = error instanceof Error ? error : new Error(String(error));
    });
    client.removeListener('error', ignore);
    client.release(broken);
  }
}
