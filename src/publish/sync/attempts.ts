// The table of attempts. Rows of one publisher are written only by the process that has claimed it.
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { AttemptOutcome } from './schedule.js';

export interface Attempt {
  readonly id: number;
  readonly publisher: string;
  readonly startedAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly why: string | null;
  readonly dataVersion: number | null;
  readonly vintage: string | null;
  /** When the publisher is due again. */
  readonly nextAt: Date | null;
}

const COLUMNS = `
  id, publisher, started_at AS "startedAt", ended_at AS "endedAt", outcome, why, data_version AS "dataVersion",
  vintage_day AS vintage, next_at AS "nextAt"`;

/** The last attempt of each publisher that had one: one look into the index each, however many attempts there were. */
export function lastAttempts(dataSource: DataSource, publishers: readonly string[]): Promise<Attempt[]> {
  return dataSource.query<Attempt[]>(
    `SELECT last.* FROM unnest($1::text[]) AS wanted (name) CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM sync_attempts WHERE publisher = wanted.name ORDER BY id DESC LIMIT 1) last`,
    [publishers],
  );
}

/** Newest first. @param publishers empty: all */
export function listAttempts(dataSource: DataSource, publishers: readonly string[], limit: number): Promise<Attempt[]> {
  return dataSource.query<Attempt[]>(
    `SELECT ${COLUMNS} FROM sync_attempts WHERE cardinality($1::text[]) = 0 OR publisher = ANY ($1)
     ORDER BY id DESC LIMIT $2`,
    [publishers, limit],
  );
}

export async function lastAttempt(dataSource: DataSource, publisher: string): Promise<Attempt | undefined> {
  const [last] = await listAttempts(dataSource, [publisher], 1);
  return last;
}

/** More of them make no pause longer. */
const LONGEST_STREAK = 20;

/** When the newest ended attempts in a row with the outcome began. */
export async function streakOf(dataSource: DataSource, publisher: string, outcome: AttemptOutcome): Promise<Date[]> {
  const rows = await dataSource.query<{ at: Date }[]>(
    `SELECT started_at AS at FROM sync_attempts
     WHERE publisher = $1 AND outcome = $2 AND id > coalesce(
       (SELECT max(id) FROM sync_attempts WHERE publisher = $1 AND outcome <> $2), 0)
     ORDER BY id DESC LIMIT ${LONGEST_STREAK}`,
    [publisher, outcome],
  );
  return rows.map(({ at }) => at);
}

export async function beginAttempt(dataSource: DataSource, publisher: string, at: Date): Promise<number> {
  const [row] = await dataSource.query<{ id: number }[]>(
    'INSERT INTO sync_attempts (publisher, started_at) VALUES ($1, $2) RETURNING id',
    [publisher, at],
  );
  if (row === undefined) throw new Error('The attempt has no number');
  return row.id;
}

/**
 * Writes the publication of an attempt in the same transaction, so that a process killed after the commit leaves an
 * attempt with what it published. @throws if another process has taken the attempt over
 */
export async function notePublication(
  client: pg.PoolClient,
  id: number,
  { dataVersion, vintage }: { readonly dataVersion: number; readonly vintage: string },
): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE sync_attempts SET data_version = $2, vintage_day = $3 WHERE id = $1 AND outcome IS NULL',
    [id, dataVersion, vintage],
  );
  if (rowCount !== 1) throw new TakenOverError();
}

export interface AttemptEnd {
  readonly endedAt: Date;
  readonly outcome: AttemptOutcome;
  readonly why: string | null;
  readonly nextAt: Date;
  readonly content?: string | null;
}

/** @throws if another process has ended it as killed */
export async function endAttempt(
  dataSource: DataSource,
  id: number,
  { endedAt, outcome, why, nextAt, content = null }: AttemptEnd,
): Promise<Attempt> {
  const [rows] = await dataSource.query<[Attempt[], number]>(
    `UPDATE sync_attempts SET ended_at = $2, outcome = $3, why = $4, next_at = $5, content = $6
     WHERE id = $1 AND outcome IS NULL RETURNING ${COLUMNS}`,
    [id, endedAt, outcome, why, nextAt, content],
  );
  const [ended] = rows;
  if (ended === undefined) throw new TakenOverError();
  return ended;
}

/** This process lost its claim in the middle of an attempt, and another one has recorded that. */
export class TakenOverError extends Error {
  constructor() {
    super('the connection that held the claim was lost, and another sync took over');
    this.name = 'TakenOverError';
  }
}
