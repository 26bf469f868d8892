// What a held delivery contains: its batches as compressed lines of JSON, so that it can be read again.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { CodeBook, SeriesSubject, SubjectCodes } from '../catalogue/code-book.js';
import type { Batch, Delivery, Extent } from '../batches/importer.js';
import type { RegisterBatch } from '../batches/register-rows.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Characters of JSON in a part: bounds memory, also when it is read again. */
const PART_SIZE = 1_000_000;

/** Begins a day of a list among the stored batches. */
export interface DayMark {
  readonly kind: 'day';
  readonly vintage: string;
  readonly name: string;
}

/** @returns a hash of what it stores */
export async function storeBatches(
  client: pg.PoolClient,
  id: number,
  batches: AsyncIterable<Batch | DayMark>,
): Promise<string> {
  const digest = createHash('sha256');
  let number = 0;
  for await (const text of partsOf(batches)) {
    digest.update(text);
    await client.query('INSERT INTO held_delivery_parts VALUES ($1, $2, $3)', [
      id,
      (number += 1),
      await compress(text),
    ]);
  }
  return digest.digest('hex');
}

async function* partsOf(batches: AsyncIterable<Batch | DayMark>): AsyncGenerator<string> {
  let lines: string[] = [];
  let size = 0;
  for await (const batch of batches) {
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

/** All batches of one delivery, or of all days of a list. */
export async function* batchesOf(deliveries: readonly Delivery[]): AsyncGenerator<Batch | DayMark> {
  for (const delivery of deliveries) {
    const { listed, vintage, name } = delivery;
    if (listed === true) yield { kind: 'day', vintage, name };
    yield* delivery.read(() => undefined);
  }
}

const nameOf = (subject: SeriesSubject): string =>
  'instrument' in subject ? subject.instrument.key : `${subject.indicator.slug} ${subject.region.code}`;

/** Only what a delivery says about these series or entities. @param names `gdp-growth JP`, an instrument, an LEI, `CIK 320193` */
export async function* batchesAbout(
  delivery: Delivery,
  names: ReadonlySet<string>,
  codes: CodeBook,
): AsyncGenerator<Batch> {
  const isOne = (row: SubjectCodes): boolean => {
    const subject = codes.subject(row);
    return typeof subject !== 'string' && names.has(nameOf(subject));
  };
  for await (const batch of delivery.read(() => undefined)) {
    if (batch.kind === 'figures') yield* filled('figures', batch.rows.filter(isOne));
    else if (batch.kind === 'bad')
      yield* filled(
        'bad',
        batch.rows.filter(({ cell }) => cell === undefined || isOne(cell)),
      );
    else if (batch.kind === 'extents')
      yield* filled(
        'extents',
        batch.rows.flatMap((extent) => (isOne(extent) ? [extent] : ofRegions(extent, names, codes))),
      );
    else if ('source' in batch) {
      const rows = (batch.rows as readonly RegisterBatch['rows'][number][]).filter((row) => names.has(entityOf(row)));
      if (rows.length > 0) yield { ...batch, rows } as Batch;
    }
  }
}

/** The entity about which the row speaks: a relation is one of its child. */
function entityOf(row: RegisterBatch['rows'][number]): string {
  if ('cik' in row) return `CIK ${row.cik}`;
  if ('child' in row) return row.child;
  return 'side' in row && row.side === 'children' ? '' : row.lei;
}

function* filled<Kind extends 'figures' | 'bad' | 'extents'>(
  kind: Kind,
  rows: Extract<Batch, { kind: Kind }>['rows'],
): Generator<Batch> {
  if (rows.length > 0) yield { kind, rows } as Batch;
}

/** An extent of every region, as extents of those that wait. */
function ofRegions(extent: Extent, names: ReadonlySet<string>, codes: CodeBook): Extent[] {
  const slug = extent.region === null ? codes.indicator(extent.indicator)?.slug : undefined;
  if (slug === undefined) return [];
  return [...names].flatMap((name) =>
    name.startsWith(`${slug} `) ? [{ ...extent, region: name.slice(slug.length + 1) }] : [],
  );
}

export async function* storedBatches(
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
