// The record of what the audit held: whole deliveries, and deliveries of which some series or entities are in quarantine.
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../store/snapshots.js';
import { noSuch } from '../../domain/errors/nearest.js';
import type { CodeBook } from '../catalogue/code-book.js';
import { ImportError, type Batch, type Delivery } from '../batches/importer.js';
import type { ImportOptions } from '../publication/import-options.js';
import type { Finding } from '../publication/finding.js';
import { batchesAbout, batchesOf, storeBatches, storedBatches, type DayMark } from './held-content.js';
import type { Quarantine } from './quarantine.js';
import type { EndedRelation } from './waiting-entities.js';

/** A series that waits, with its newest figures to the last one that failed: decimal text, null without a figure; or an entity. */
export interface WaitingSeries {
  readonly series: string;
  readonly since: string;
  readonly checks: readonly string[];
  readonly stored: readonly (string | null)[];
  readonly given: readonly (string | null)[];
}

export interface HeldDelivery {
  readonly id: number;
  readonly publisher: string;
  readonly name: string;
  readonly vintage: string;
  readonly basis: Delivery['basis'];
  readonly bytes: number;
  readonly backfill: boolean;
  readonly replace: boolean;
  readonly skipBadRows: boolean;
  readonly findings: readonly Finding[];
  readonly heldAt: Date;
  readonly state: 'held' | 'accepted' | 'dropped' | 'superseded';
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly dataVersion: number | null;
  /** The data version of its other series; null: the delivery is held whole. */
  readonly publishedWith: number | null;
  /** Its series or entities that still wait; empty if the whole delivery waits. */
  readonly waiting: readonly WaitingSeries[];
}

const COLUMNS = `
  id, publisher, name, vintage_day AS vintage, basis, bytes::float8 AS bytes, backfill, replace,
  skip_bad_rows AS "skipBadRows", findings, held_at AS "heldAt", state, decided_at AS "decidedAt",
  decided_by AS "decidedBy", reason, data_version AS "dataVersion", published_with AS "publishedWith",
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
      'series', coalesce(q.entity, concat_ws(' ', s.instrument, s.indicator, s.region)), 'since', q.since, 'checks', q.checks,
      'stored', q.stored_values::text[], 'given', q.given_values::text[])
      ORDER BY s.indicator, s.instrument, s.region, q.entity), '[]')
   FROM quarantined_series q LEFT JOIN series s ON s.id = q.series_id
   WHERE q.delivery_id = held_deliveries.id AND q.ended_by IS NULL) AS waiting`;

const FIND_SAME = `
  SELECT id FROM held_deliveries WHERE publisher = $1 AND vintage_day = $2 AND digest = $3 AND state = 'held'`;

const ADD = `
  INSERT INTO held_deliveries (publisher, name, vintage_day, basis, bytes, backfill, replace, skip_bad_rows,
    digest, findings, held_at, published_with)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, gen_random_uuid()::text), $10, $11, $12) RETURNING id`;

/** What is implausible, and why. */
interface Judged {
  readonly name: string;
  readonly vintage: string;
  readonly findings: readonly Finding[];
  readonly digest?: string;
  readonly publishedWith?: number;
}

async function add(
  client: pg.PoolClient,
  publisher: string,
  deliveries: readonly Delivery[],
  { name, vintage, findings, digest, publishedWith }: Judged,
  options: ImportOptions,
): Promise<number> {
  const basis = deliveries[0]?.basis ?? 'retrieved';
  const bytes = deliveries.reduce((sum, delivery) => sum + delivery.bytes, 0);
  const { rows } = await client.query<{ id: number }>(ADD, [
    publisher,
    name,
    vintage,
    basis,
    bytes,
    options.backfill === true,
    options.replace === true,
    options.skipBadRows === true,
    digest,
    JSON.stringify(findings),
    options.now(),
    publishedWith,
  ]);
  return rows[0]?.id ?? 0;
}

/**
 * @param deliveries one, or all days of a list, which are decided together
 * @returns the number of the held delivery; content that is held already keeps its number
 */
export async function holdDelivery(
  dataSource: DataSource,
  publisher: string,
  deliveries: readonly Delivery[],
  judged: Judged,
  options: ImportOptions,
): Promise<number> {
  const client = await poolOf(dataSource).connect();
  try {
    await client.query('BEGIN');
    const id = await add(client, publisher, deliveries, judged, options);
    const digest = await storeBatches(client, id, batchesOf(deliveries));
    const same = await client.query<{ id: number }>(FIND_SAME, [publisher, judged.vintage, digest]);
    const [held] = same.rows;
    if (held === undefined) {
      await client.query('UPDATE held_deliveries SET digest = $2 WHERE id = $1', [id, digest]);
    }
    await client.query(held === undefined ? 'COMMIT' : 'ROLLBACK');
    return held?.id ?? id;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Holds the series and entities in quarantine, in the transaction that publishes the others. @returns its number */
export async function holdSeries(
  client: pg.PoolClient,
  publisher: string,
  delivery: Delivery,
  { series, endings, digest }: Quarantine,
  held: { readonly findings: readonly Finding[]; readonly codes: CodeBook; readonly publishedWith: number },
  options: ImportOptions,
): Promise<number> {
  const judged = { ...delivery, findings: held.findings, digest, publishedWith: held.publishedWith };
  const id = await add(client, publisher, [delivery], judged, options);
  const names = new Set(series.map((one) => one.series));
  await storeBatches(client, id, heldBatches(batchesAbout(delivery, names, held.codes), endings));
  return id;
}

async function* heldBatches(about: AsyncIterable<Batch>, endings: readonly EndedRelation[]): AsyncGenerator<Batch> {
  yield* about;
  const place = { file: '', line: 0, column: '' };
  for (const { source, ...row } of endings) yield { kind: 'relations', source, rows: [{ ...row, place }] };
}

/** Newest first. Without `all` only those that wait for a decision. */
export function listHeld(dataSource: DataSource, all: boolean): Promise<HeldDelivery[]> {
  return dataSource.query<HeldDelivery[]>(
    `SELECT ${COLUMNS} FROM held_deliveries WHERE $1 OR state = 'held' ORDER BY id DESC`,
    [all],
  );
}

/** @throws ImportError if there is none of that number */
export async function findHeld(dataSource: DataSource, id: number): Promise<HeldDelivery> {
  const [found] = await dataSource.query<HeldDelivery[]>(`SELECT ${COLUMNS} FROM held_deliveries WHERE id = $1`, [id]);
  if (found === undefined) throw new ImportError(noSuch('held delivery', id));
  return found;
}

/** @throws ImportError if it was accepted or dropped before */
export async function findUndecided(dataSource: DataSource, id: number): Promise<HeldDelivery> {
  const found = await findHeld(dataSource, id);
  if (found.state !== 'held') throw new ImportError(`The delivery ${id} was ${found.state} before`);
  return found;
}

/** The delivery as it was when it was held, or the days of the list. */
export async function deliveriesOfHeld(dataSource: DataSource, held: HeldDelivery): Promise<Delivery[]> {
  const { id, name, vintage, basis, bytes } = held;
  const whole = { name, vintage, basis, bytes };
  const days: DayMark[] = [];
  for await (const batch of storedBatches(dataSource, id, () => undefined)) {
    if (batch.kind !== 'day') continue;
    days.push(batch);
  }
  if (days.length === 0) return [{ ...whole, read: (onBytes) => ofDay(dataSource, id, null, onBytes) }];
  return days.map((day) => ({
    ...whole,
    name: day.name,
    vintage: day.vintage,
    bytes: 0,
    listed: true,
    read: (onBytes) => ofDay(dataSource, id, day.vintage, onBytes),
  }));
}

/** The batches of one day of a list; without a day all of them. */
async function* ofDay(
  dataSource: DataSource,
  id: number,
  vintage: string | null,
  onBytes: (count: number) => void,
): AsyncGenerator<Batch> {
  let current: string | null = null;
  for await (const batch of storedBatches(dataSource, id, onBytes)) {
    if (batch.kind === 'day') current = batch.vintage;
    else if (current === vintage) yield batch;
  }
}

export interface HeldDecision {
  readonly state: 'accepted' | 'dropped';
  readonly at: Date;
  readonly by: string;
  readonly reason: string | null;
  readonly dataVersion: number | null;
}

/** A connection, or the transaction that publishes what is accepted. */
interface Executor {
  query(text: string, parameters: unknown[]): Promise<unknown>;
}

/** Records the decision and forgets the content, once none of its series waits. */
export async function decideHeld(
  executor: Executor,
  id: number,
  { state, at, by, reason, dataVersion }: HeldDecision,
): Promise<void> {
  await executor.query(
    `WITH decided AS (
       UPDATE held_deliveries d
       SET state = $2, decided_at = $3, decided_by = $4, reason = $5, data_version = $6
       WHERE id = $1 AND NOT EXISTS (
         SELECT FROM quarantined_series q WHERE q.delivery_id = d.id AND q.ended_by IS NULL) RETURNING id)
     DELETE FROM held_delivery_parts p USING decided d WHERE p.delivery_id = d.id`,
    [id, state, at, by, reason, dataVersion],
  );
}
