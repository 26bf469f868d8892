// Groups files of price tables into deliveries and determines their days.
import { createReadStream } from 'node:fs';
import { firstDayOf } from '../../domain/figures/periods.js';
import { ImportError, type Batch, type Delivery, type OnStrayFile } from './importer.js';
import { csvRecords } from './csv-records.js';
import { deliveriesOf, type StatedDay } from './deliveries.js';
import { readTable, scanTable, type PriceTable, type TableScan } from './price-table.js';
import { recognisedSources } from './source-files.js';
import { kindOf } from './text-head.js';
import { unzipped } from './unzip.js';

interface PriceFile extends TableScan {
  readonly path: string;
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Batch>;
}

export interface PriceFiles {
  /**
   * The table of a file, identified by its name if the content does not identify it.
   * @throws ImportError
   */
  readonly tableOf: (path: string) => PriceTable;
  /**
   * Whether the publisher prints each day's figures on that day: the newest printed day is then the vintage, unless the
   * folder or the operator names a later one.
   */
  readonly sameDay: boolean;
  readonly zipped?: boolean;
}

/** The deliveries in the files, oldest first. Files of one day must not cover the same figures. */
export async function openPriceFiles(
  paths: readonly string[],
  given: string | null,
  { tableOf, sameDay, zipped = false }: PriceFiles,
  onStray?: OnStrayFile,
): Promise<Delivery[]> {
  const scan = async (path: string): Promise<PriceFile> => scanned(path, tableOf(path), zipped);
  const sources = await recognisedSources(paths, scan, onStray);
  const newest = (day: string | null): string =>
    sources.reduce((held, source) => {
      const last = source.day === day ? source.recognised.last : '';
      return last > held ? last : held;
    }, '');
  const dated = sources.map(({ recognised, ...source }) => {
    const printed = newest(source.day);
    const isOfThatDay = sameDay && (source.day ?? given ?? printed) === printed;
    const stated: StatedDay | null = isOfThatDay ? { day: printed, basis: 'released' } : null;
    return { ...source, recognised: { ...recognised, stated } };
  });
  return deliveriesOf(dated, given, requireApart).map(untilVintage);
}

async function scanned(path: string, table: PriceTable, zipped: boolean): Promise<PriceFile> {
  const packed = (await kindOf(path)) === 'zip';
  if (packed && !zipped) throw new ImportError(`${path} is a ZIP archive: unpack it first`);
  const textOf = (chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    packed ? withLastBreak(unzipped(chunks, path)) : chunks;
  const scan = await scanTable(csvRecords(textOf(createReadStream(path)), path), path, table);
  return { path, ...scan, read: (chunks) => readTable(csvRecords(textOf(chunks), path), path, table, scan) };
}

/** An archive has the checksum of its content, so a last line without a line break is not cut. */
async function* withLastBreak(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: number | undefined;
  for await (const chunk of chunks) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== undefined && last !== 0x0a) yield Buffer.from('\n');
}

function requireApart(files: readonly PriceFile[]): void {
  for (const [index, one] of files.entries()) {
    const other = files.slice(index + 1).find((file) => overlap(one, file));
    if (other !== undefined) {
      throw new ImportError(`${one.path} and ${other.path} cover the same days: import one of them`);
    }
  }
}

const overlap = (one: PriceFile, other: PriceFile): boolean =>
  one.first <= other.last && other.first <= one.last && one.codes.some((code) => other.codes.includes(code));

/** Refuses figures of days after the vintage day: either the vintage or the file is wrong. */
function untilVintage(delivery: Delivery): Delivery {
  const { vintage } = delivery;
  return {
    ...delivery,
    async *read(onBytes) {
      for await (const batch of delivery.read(onBytes)) {
        const late =
          batch.kind === 'figures' ? batch.rows.find(({ period }) => firstDayOf(period) > vintage) : undefined;
        if (late !== undefined) {
          const { file, line } = late.place;
          throw new ImportError(`${file}:${line}: ${late.period} lies after the vintage day ${vintage}`);
        }
        yield batch;
      }
    },
  };
}
