import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { doubleCarries, parseDecimal } from '../../domain/figures/decimal.js';
import { isDay, isPeriod } from '../../domain/figures/periods.js';
import { isVintageBasis, type VintageBasis } from '../../domain/figures/vintage-basis.js';
import { OWN_CODES } from '../catalogue/code-book.js';
import { ImportError, type Batch, type Delivery, type Extent, type Importer } from '../batches/importer.js';
import { BatchBuffer } from '../batches/batch-buffer.js';
import { OBSERVATIONS, readList, readRows, PUBLICATIONS, ROWS, VINTAGES } from './starter-format.js';

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
      throw new ImportError(`${folder} contains no starter set: ${OBSERVATIONS.file} is missing`, {
        cause: error,
      });
    });
    return (await recordedPublications(folder)).map((publication) => delivery(folder, publication, size));
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

function delivery(folder: string, publication: RecordedPublication, bytes: number): Delivery {
  return {
    name: `${folder} (${publication.vintage})`,
    vintage: publication.vintage,
    basis: publication.basis,
    recordedAt: publication.recordedAt,
    bytes,
    async *read(onBytes) {
      const extents = await extentsOf(folder, publication.number);
      yield { kind: 'extents', rows: [...extents.values()] };
      yield* figuresOf(folder, publication.vintage, extents, onBytes);
      yield* rowsOf(folder, Number(publication.number));
    },
  };
}

async function extentsOf(folder: string, publication: string): Promise<Map<string, Extent>> {
  const extents = new Map<string, Extent>();
  for await (const { fields } of readList(join(folder, VINTAGES.file), VINTAGES)) {
    const [indicator = '', region = '', number, first = '', last = ''] = fields;
    if (number === publication) {
      extents.set(`${indicator},${region}`, { indicator, region: placeOf(region), first, last });
    }
  }
  return extents;
}

/** The figures valid on the day, of the series that the vintage covers. */
async function* figuresOf(
  folder: string,
  day: string,
  extents: ReadonlyMap<string, Extent>,
  onBytes: (count: number) => void,
): AsyncGenerator<Batch> {
  const path = join(folder, OBSERVATIONS.file);
  const batch = new BatchBuffer();
  for await (const { line, fields } of readList(path, OBSERVATIONS, onBytes)) {
    const [indicator = '', region = '', period = '', from = '', to = '', value = ''] = fields;
    const extent = extents.get(`${indicator},${region}`);
    if (extent === undefined || from > day || (to !== '' && to <= day)) continue;
    if (period < extent.first || period > extent.last) continue;
    const place = { file: path, line, column: 'value' };
    if (isPeriod(period) && parseDecimal(value) === value && doubleCarries(value))
      batch.add('figures', { indicator, region: placeOf(region), period, value, place });
    else batch.add('bad', { place, reason: 'expected a period and a plain decimal number' });
    if (batch.full) yield* batch.take();
  }
  yield* batch.take();
}

/** A series without a region is an instrument's. */
const placeOf = (region: string): string | null => (region === '' ? null : region);

/** Rows other than figures, a register's apart from the others'. */
async function* rowsOf(folder: string, publication: number): AsyncGenerator<Batch> {
  const file = join(folder, ROWS.file);
  const batches = new Map<string | undefined, BatchBuffer>();
  for await (const { line, recorded } of readRows(file)) {
    if (recorded.publication !== publication) continue;
    const { kind, source, row } = recorded;
    const register = kind === 'events' ? undefined : source;
    const batch = batches.get(register) ?? new BatchBuffer(register);
    batches.set(register, batch);
    batch.add(kind, { ...row, place: { file, line, column: kind } });
    if (batch.full) yield* batch.take();
  }
  for (const batch of batches.values()) yield* batch.take();
}
