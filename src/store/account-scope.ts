import type { DataSource, EntityManager } from 'typeorm';
import { errorParts } from './unavailable.js';

/**
 * What a transaction shows of the tables of accounts, whose policies read these settings: the rows of one account, the
 * row behind the hash of a presented secret, or the queue of notifications. They end with the transaction, so a pooler
 * may give the connection to another request afterwards.
 */
export type ScopeName = 'account' | 'credential' | 'work';

/** Within a transaction; a later call replaces the setting. */
export async function enterScope(on: EntityManager, name: ScopeName, value: string): Promise<void> {
  await on.query('SELECT set_config($1, $2, true)', [`tidemark.${name}`, value]);
}

/** Runs `work` in a transaction that sees the rows of one account. */
export function asAccount<T>(
  database: DataSource,
  accountId: string,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return inScope(database, ['account', accountId], work);
}

/** Runs `work` in a transaction that sees the row with this hash. */
export function withCredential<T>(
  database: DataSource,
  hash: Buffer,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return inScope(database, ['credential', hash.toString('hex')], work);
}

/** Runs single statements, each in a transaction that sees the queue of notifications of all accounts. */
export function forDelivery(database: DataSource): Pick<DataSource, 'query'> {
  return {
    query: (sql: string, parameters?: unknown[]) =>
      inScope(database, ['work', 'delivery'], (manager) => manager.query(sql, parameters)),
  };
}

function inScope<T>(
  database: DataSource,
  [name, value]: readonly [ScopeName, string],
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return database.transaction(async (manager) => {
    await enterScope(manager, name, value);
    return work(manager);
  });
}

/** The account of an e-mail address in its one spelling; null if there is none. */
export async function accountOf(
  on: DataSource | EntityManager,
  by: 'email' | 'key',
  value: string,
): Promise<string | null> {
  const [found] = await on.query<{ id: string | null }[]>(`SELECT account_of_${by}($1) AS id`, [value]);
  return found?.id ?? null;
}

/** Whether a row was to refer to another one, such as its account, that was deleted meanwhile. */
export const isOrphaned = (error: unknown): boolean => errorParts(error).code === '23503';

/** For work that is void once what it is about is gone. */
export function noneIfOrphaned(error: unknown): null {
  if (isOrphaned(error)) return null;
  throw error;
}
