// Groups a publisher's files into deliveries, one per day.
import { createReadStream } from 'node:fs';
import { isDay } from '../../domain/figures/periods.js';
import type { VintageBasis } from '../../domain/figures/vintage-basis.js';
import { ImportError, type Batch, type Delivery, type OnStrayFile } from './importer.js';
import { recognisedSources, type RecognisedSource } from './source-files.js';
import { quoted } from './text.js';
import { grouped } from '../../domain/grouped.js';

export interface StatedDay {
  readonly day: string;
  readonly basis: Exclude<VintageBasis, 'retrieved'>;
}

/** The properties of a file that an importer needs before it reads the whole file. */
export interface RecognisedFile {
  /** The day that the file states, and what it means to the publisher; null if it states none. */
  readonly stated: StatedDay | null;
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Batch>;
}

interface DatedFile extends RecognisedSource<RecognisedFile> {
  readonly vintage: string;
}

export async function openDeliveries<File extends RecognisedFile>(
  paths: readonly string[],
  given: string | null,
  recognise: (path: string) => Promise<File>,
  requireWhole?: (files: readonly File[]) => void,
  onStray?: OnStrayFile,
): Promise<Delivery[]> {
  return deliveriesOf(await recognisedSources(paths, recognise, onStray), given, requireWhole);
}

/**
 * @param given the operator's `--vintage`, which must agree with the day that a file states
 * @param requireWhole refuses an incomplete set of files of one day
 */
export function deliveriesOf<File extends RecognisedFile>(
  sources: readonly RecognisedSource<File>[],
  given: string | null,
  requireWhole: (files: readonly File[]) => void = () => undefined,
): Delivery[] {
  if (given !== null && !isDay(given)) {
    throw new ImportError(`--vintage ${quoted(given)} is not a day such as 2026-07-01`);
  }
  const dated = sources.map((source) => ({ ...source, vintage: vintageOf(source, given) }));
  const byVintage = [...grouped(dated, ({ vintage }) => vintage)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byVintage.map(([vintage, files]) => {
    requireWhole(files.map((file) => file.recognised));
    return deliveryOf(vintage, files);
  });
}

function vintageOf(source: RecognisedSource<RecognisedFile>, given: string | null): string {
  const days = [
    { day: source.recognised.stated?.day ?? null, by: 'the file says' },
    { day: source.day, by: 'its folder is named' },
    { day: given, by: '--vintage says' },
  ].flatMap(({ day, by }) => (day === null ? [] : [{ day, by }]));
  const [first, ...others] = days;
  if (first === undefined) {
    if (source.retrievedOn !== null) return source.retrievedOn;
    throw new ImportError(`${source.path} does not say of which day it is: give --vintage YYYY-MM-DD`);
  }
  const other = others.find(({ day }) => day !== first.day);
  if (other !== undefined) {
    throw new ImportError(`${source.path}: ${first.by} ${first.day}, but ${other.by} ${other.day}`);
  }
  return first.day;
}

function deliveryOf(vintage: string, files: readonly DatedFile[]): Delivery {
  return {
    name: nameOf([...new Set(files.map(({ origin }) => origin))]),
    vintage,
    basis: basisOf(files),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    read: (onBytes) => readAll(files, onBytes),
  };
}

/** What holds for all files: a delivery is released only if each of its files states a release. */
function basisOf(files: readonly DatedFile[]): VintageBasis {
  const bases = files.map(({ recognised }) => recognised.stated?.basis ?? 'retrieved');
  if (bases.includes('retrieved')) return 'retrieved';
  return bases.includes('updated') ? 'updated' : 'released';
}

function nameOf(origins: readonly string[]): string {
  const [first = '', ...others] = origins;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

async function* readAll(files: readonly DatedFile[], onBytes: (count: number) => void): AsyncGenerator<Batch> {
  for (const { path, recognised } of files) yield* recognised.read(counted(path, onBytes));
}

async function* counted(path: string, onBytes: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
}
