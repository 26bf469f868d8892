import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { doubleCarries, parseDecimal } from '../../domain/figures/decimal.js';
import { isDay, isPeriod } from '../../domain/figures/periods.js';
import { isVintageBasis, type VintageBasis } from '../../domain/figures/vintage-basis.js';
import { OWN_CODES } from '../catalogue/code-book.js';
import { ImportError, type Batch, type Delivery, type Extent, type Importer } from '../batches/importer.js';
import { BatchBuffer } from '../batches/batch-buffer.js';
import {
  OBSERVATIONS,
  readList,
  readRows,
  PUBLICATIONS,
  ROWS,
  VINTAGES,
  type ListLine,
  type RecordedLine,
} from './starter-format.js';

interface RecordedPublication {
  readonly number: string;
  readonly vintage: string;
  readonly recordedAt: Date;
  readonly basis: VintageBasis;
}

/** Replays a recorded history: one delivery a data version, with the time at which it was published. */
export const starter: Importer = {
  publisher: OWN_CODES,
  async open(paths) {
    const [folder, ...others] = paths;
    if (folder === undefined || others.length > 0) {
      throw new ImportError('Name the folder of the starter set');
    }
    const { size } = await stat(join(folder, OBSERVATIONS.file)).catch((error: unknown) => {
      throw new ImportError(`${folder} contains no starter set: ${OBSERVATIONS.file} is missing`, { cause: error });
    });
    let read: Promise<RecordedLists> | undefined;
    const lists = () => (read ??= readLists(folder));
    return (await recordedPublications(folder)).map((publication) => delivery(folder, publication, size, lists));
  },
};

async function recordedPublications(folder: string): Promise<RecordedPublication[]> {
  const publications: RecordedPublication[] = [];
  const path = join(folder, PUBLICATIONS.file);
  for await (const { line, fields } of readList(path, PUBLICATIONS)) {
    const [number = '', vintage = '', time = '', basis] = fields;
    const recordedAt = new Date(time);
    if (!isDay(vintage) || Number.isNaN(recordedAt.getTime()) || !isVintageBasis(basis)) {
      throw new ImportError(`${path}:${line}: expected a publication's number, day, time and basis`);
    }
    publications.push({ number, vintage, recordedAt, basis });
  }
  return publications.sort((a, b) => a.recordedAt.getTime() - b.recordedAt.getTime());
}

/** What the lists of a folder say, read once for all of its publications: some megabytes. */
interface RecordedLists {
  /** Extents by publication. */
  readonly extents: ReadonlyMap<string, readonly Extent[]>;
  /** Lines of figures by series. */
  readonly figures: ReadonlyMap<string, readonly ListLine[]>;
  /** Rows other than figures, by publication. */
  readonly rows: ReadonlyMap<string, readonly RecordedLine[]>;
}

const seriesName = (indicator: string, region: string | null): string => `${indicator},${region ?? ''}`;

async function readLists(folder: string): Promise<RecordedLists> {
  const extents = new Map<string, Extent[]>();
  for await (const { fields } of readList(join(folder, VINTAGES.file), VINTAGES)) {
    const [indicator = '', region = '', publication = '', first = '', last = ''] = fields;
    listOf(extents, publication).push({ indicator, region: placeOf(region), first, last });
  }
  const figures = new Map<string, ListLine[]>();
  for await (const one of readList(join(folder, OBSERVATIONS.file), OBSERVATIONS)) {
    const [indicator = '', region = ''] = one.fields;
    listOf(figures, seriesName(indicator, region)).push(one);
  }
  const rows = new Map<string, RecordedLine[]>();
  for await (const one of readRows(join(folder, ROWS.file))) listOf(rows, String(one.recorded.publication)).push(one);
  return { extents, figures, rows };
}

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function delivery(
  folder: string,
  { number, vintage, basis, recordedAt }: RecordedPublication,
  bytes: number,
  lists: () => Promise<RecordedLists>,
): Delivery {
  return {
    name: `${folder} (${vintage})`,
    vintage,
    basis,
    recordedAt,
    bytes,
    async *read(onBytes) {
      const { extents, figures, rows } = await lists();
      const covered = extents.get(number) ?? [];
      yield { kind: 'extents', rows: covered };
      yield* figuresOf(join(folder, OBSERVATIONS.file), vintage, covered, figures);
      yield* rowsOf(join(folder, ROWS.file), rows.get(number) ?? []);
      onBytes(bytes);
    },
  };
}

/** The figures valid on the day, of the series that the vintage covers. */
function* figuresOf(
  file: string,
  day: string,
  extents: readonly Extent[],
  figures: RecordedLists['figures'],
): Generator<Batch> {
  const batch = new BatchBuffer();
  for (const { indicator, region, first, last } of extents) {
    for (const { line, fields } of figures.get(seriesName(indicator, region)) ?? []) {
      const [, , period = '', from = '', to = '', value = ''] = fields;
      if (from > day || (to !== '' && to <= day) || period < first || period > last) continue;
      const place = { file, line, column: 'value' };
      if (isPeriod(period) && parseDecimal(value) === value && doubleCarries(value))
        batch.add('figures', { indicator, region, period, value, place });
      else batch.add('bad', { place, reason: 'expected a period and a plain decimal number' });
      if (batch.full) yield* batch.take();
    }
  }
  yield* batch.take();
}

/** A series without a region is an instrument's. */
const placeOf = (region: string): string | null => (region === '' ? null : region);

/** Rows other than figures, a register's apart from the others'. */
function* rowsOf(file: string, rows: readonly RecordedLine[]): Generator<Batch> {
  const batches = new Map<string | undefined, BatchBuffer>();
  for (const { line, recorded } of rows) {
    const { kind, source, row } = recorded;
    const register = kind === 'events' ? undefined : source;
    const batch = batches.get(register) ?? new BatchBuffer(register);
    batches.set(register, batch);
    batch.add(kind, { ...row, place: { file, line, column: kind } });
    if (batch.full) yield* batch.take();
  }
  for (const batch of batches.values()) yield* batch.take();
}
