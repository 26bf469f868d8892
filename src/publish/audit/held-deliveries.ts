// Keeps what the audit held: the batches of a delivery as compressed lines of JSON, so that it can be read again.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { DataSource } from 'typeorm';
import { poolOf } from '../../store/snapshots.js';
import { noSuch } from '../../domain/errors/nearest.js';
import { ImportError, type Batch, type Delivery } from '../batches/importer.js';
import type { ImportOptions } from '../publication/import-options.js';
import type { Finding } from '../publication/finding.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Characters of JSON in a part: bounds memory, also when it is read again. */
const PART_SIZE = 1_000_000;

export interface HeldDelivery {
  readonly id: number;
  readonly publisher: string;
  readonly name: string;
  readonly vintage: string;
  readonly basis: 'released' | 'retrieved';
  readonly bytes: number;
  readonly backfill: boolean;
  readonly replace: boolean;
  readonly skipBadRows: boolean;
  readonly findings: readonly Finding[];
  readonly heldAt: Date;
  readonly state: 'held' | 'accepted' | 'dropped';
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly dataVersion: number | null;
}

const COLUMNS = `
  id, publisher, name, vintage_day AS vintage, basis, bytes::float8 AS bytes, backfill, replace,
  skip_bad_rows AS "skipBadRows", findings, held_at AS "heldAt", state, decided_at AS "decidedAt",
  decided_by AS "decidedBy", reason, data_version AS "dataVersion"`;

const FIND_SAME = `
  SELECT id FROM held_deliveries WHERE publisher = $1 AND vintage_day = $2 AND digest = $3 AND state = 'held'`;

/** Which of them is implausible, and why. */
interface Judged {
  readonly name: string;
  readonly vintage: string;
  readonly findings: readonly Finding[];
}

/** Begins a day of a list among the stored batches. */
interface DayMark {
  readonly kind: 'day';
  readonly vintage: string;
  readonly name: string;
}

/**
 * @param deliveries one, or all days of a list, which are decided together
 * @returns the number of the held delivery; content that is held already keeps its number
 */
export async function holdDelivery(
  dataSource: DataSource,
  publisher: string,
  deliveries: readonly Delivery[],
  { name, vintage, findings }: Judged,
  options: ImportOptions,
): Promise<number> {
  const client = await poolOf(dataSource).connect();
  try {
    await client.query('BEGIN');
    const basis = deliveries[0]?.basis ?? 'retrieved';
    const bytes = deliveries.reduce((sum, delivery) => sum + delivery.bytes, 0);
    const made = await client.query<{ id: number }>(
      `INSERT INTO held_deliveries
         (publisher, name, vintage_day, basis, bytes, backfill, replace, skip_bad_rows, digest, findings, held_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, gen_random_uuid()::text, $9, $10) RETURNING id`,
      [
        ...[publisher, name, vintage, basis, bytes, options.backfill === true, options.replace === true],
        ...[options.skipBadRows === true, JSON.stringify(findings), options.now()],
      ],
    );
    const id = made.rows[0]?.id;
    const digest = createHash('sha256');
    let number = 0;
    for await (const text of partsOf(deliveries)) {
      digest.update(text);
      await client.query('INSERT INTO held_delivery_parts VALUES ($1, $2, $3)', [
        id,
        (number += 1),
        await compress(text),
      ]);
    }
    const content = digest.digest('hex');
    const same = await client.query<{ id: number }>(FIND_SAME, [publisher, vintage, content]);
    const [held] = same.rows;
    if (held === undefined) {
      await client.query('UPDATE held_deliveries SET digest = $2 WHERE id = $1', [id, content]);
    }
    await client.query(held === undefined ? 'COMMIT' : 'ROLLBACK');
    return held?.id ?? id ?? 0;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function* partsOf(deliveries: readonly Delivery[]): AsyncGenerator<string> {
  let lines: string[] = [];
  let size = 0;
  for await (const batch of storedBatches(deliveries)) {
    const line = JSON.stringify(batch);
    lines.push(line);
    size += line.length;
    if (size < PART_SIZE) continue;
    yield lines.join('\n');
    lines = [];
    size = 0;
  }
  if (lines.length > 0) yield lines.join('\n');
}

async function* storedBatches(deliveries: readonly Delivery[]): AsyncGenerator<Batch | DayMark> {
  for (const delivery of deliveries) {
    const { listed, vintage, name } = delivery;
    if (listed === true) yield { kind: 'day', vintage, name };
    yield* delivery.read(() => undefined);
  }
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
  const [found] = await dataSource.query<HeldDelivery[]>(
    `SELECT ${COLUMNS} FROM held_deliveries WHERE id = $1`,
    [id],
  );
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
  for await (const batch of batchesOf(dataSource, id, () => undefined)) {
    if (batch.kind !== 'day') continue;
    days.push(batch);
  }
  if (days.length === 0) return [{ ...whole, read: (onBytes) => ofDay(dataSource, id, null, onBytes) }];
  return days.map((day) => ({
    ...{ ...whole, name: day.name, vintage: day.vintage, bytes: 0, listed: true },
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
  for await (const batch of batchesOf(dataSource, id, onBytes)) {
    if (batch.kind === 'day') current = batch.vintage;
    else if (current === vintage) yield batch;
  }
}

async function* batchesOf(
  dataSource: DataSource,
  id: number,
  onBytes: (count: number) => void,
): AsyncGenerator<Batch | DayMark> {
  for (let number = 1; ; number += 1) {
    const [part] = await dataSource.query<{ content: Buffer }[]>(
      'SELECT content FROM held_delivery_parts WHERE delivery_id = $1 AND number = $2',
      [id, number],
    );
    if (part === undefined) return;
    onBytes(part.content.byteLength);
    const text = (await decompress(part.content)).toString('utf8');
    for (const line of text.split('\n')) yield JSON.parse(line) as Batch | DayMark;
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

/** Records the decision and forgets the content. */
export async function decideHeld(
  executor: Executor,
  id: number,
  { state, at, by, reason, dataVersion }: HeldDecision,
): Promise<void> {
  await executor.query(
    `WITH decided AS (
       UPDATE held_deliveries
       SET state = $2, decided_at = $3, decided_by = $4, reason = $5, data_version = $6
       WHERE id = $1 RETURNING id)
     DELETE FROM held_delivery_parts p USING decided d WHERE p.delivery_id = d.id`,
    [id, state, at, by, reason, dataVersion],
  );
}
