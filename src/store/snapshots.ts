import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { isBehindPooler } from './sessions.js';
import { isUnavailable } from './unavailable.js';

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Runs one parameterised statement in the snapshot. Returns the rows as the driver parses them. */
export type Read = <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>;

export const readStatement = <Row extends object>(read: Read, { sql, parameters }: Statement): Promise<Row[]> =>
  read<Row>(sql, parameters);

export function poolOf(dataSource: DataSource): pg.Pool {
  return (dataSource.driver as unknown as { readonly master: pg.Pool }).master;
}

const names = new Map<string, string>();

/** Each connection keeps every named statement with its plan: rare combinations of filters must not fill the server. */
const MOST_NAMES = 200;

/**
 * The name of a prepared statement, so that each connection plans it once. There are few texts, because most values
 * are parameters; undefined for those beyond the first, which are planned each time, and behind a pooler, whose next
 * session may not know the name.
 */
function nameOf(client: pg.PoolClient, sql: string): string | undefined {
  if (isBehindPooler(client)) return undefined;
  let name = names.get(sql);
  if (name === undefined && names.size < MOST_NAMES) {
    name = createHash('sha256').update(sql).digest('base64url').slice(0, 20);
    names.set(sql, name);
  }
  return name;
}

async function run<Row extends object>(
  client: pg.PoolClient,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const name = nameOf(client, sql);
  const statement = { text: sql, values: [...parameters] };
  return (await client.query<Row>(name === undefined ? statement : { name, ...statement })).rows;
}

/** Runs each statement in a snapshot of its own. */
export function singleReads(pool: pg.Pool): Read {
  return async (sql, parameters) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await run(client, sql, parameters);
    } catch (error) {
      broken = asError(error);
      throw error;
    } finally {
      client.release(broken);
    }
  };
}

/** As `snapshotOf`, on the pool of a data source. */
export function readSnapshot<T>(
  dataSource: DataSource,
  work: (read: Read) => Promise<T>,
  accountId: string | null = null,
): Promise<T> {
  return snapshotOf(poolOf(dataSource), work, accountId);
}

/**
 * Runs all statements of `work` in one read-only snapshot.
 * @param accountId whose rows it sees (account-scope.ts); null: of no account
 */
export async function snapshotOf<T>(
  pool: pg.Pool,
  work: (read: Read) => Promise<T>,
  accountId: string | null = null,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    // One round trip for both.
    const scope =
      accountId === null ? '' : `; SELECT set_config('tidemark.account', ${client.escapeLiteral(accountId)}, true)`;
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${scope}`);
    const result = await work((sql, parameters) => run(client, sql, parameters));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A server that hangs would not respond to ROLLBACK either.
    broken = isUnavailable(error) ? asError(error) : await rollBack(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns the error if the connection must not be reused. */
function rollBack(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(() => undefined, asError);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
