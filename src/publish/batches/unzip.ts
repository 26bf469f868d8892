// Reads files of a ZIP archive, bounded in size: Node inflates but does not read the container.
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { ImportError } from './importer.js';

const MOST_PACKED = 32_000_000;
/** Far above any publisher's file; a larger claim is an attack or damage. */
const MOST_UNPACKED = 512_000_000;

const END_OF_DIRECTORY = 0x06054b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_LENGTH = 46;
const LOCAL_HEADER = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly size: number;
  readonly packed: Buffer;
}

export const isZip = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 4)).equals(Buffer.from('PK\u0003\u0004', 'latin1'));

/** @throws ImportError if the archive is incomplete, damaged, encrypted, too large, or contains not exactly one file */
export async function* unzipped(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Uint8Array, void, void> {
  yield* contentOf(onlyEntry(await whole(chunks, file), file), file);
}

/**
 * The named file of an archive, as text in UTF-8; null if it has none of that name.
 * @throws ImportError as `unzipped` does, and if the file is larger than `mostBytes`
 */
export async function textInArchive(
  archive: Buffer,
  name: string,
  mostBytes: number,
  file: string,
): Promise<string | null> {
  const entry = entriesOf(archive, file).find((one) => one.name === name);
  if (entry === undefined) return null;
  if (entry.size > mostBytes) throw new ImportError(`${file}: ${name} is larger than ${mostBytes} bytes`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of contentOf(entry, file)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function* contentOf(
  { method, checksum, size, packed }: Entry,
  file: string,
): AsyncGenerator<Uint8Array, void, void> {
  let count = 0;
  let sum = 0;
  for await (const chunk of method === STORED ? [packed] : inflated(packed, file)) {
    count += chunk.byteLength;
    if (count > size) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (count !== size || sum !== checksum) throw new ImportError(`${file}: the archive is damaged`);
}

async function whole(chunks: AsyncIterable<Uint8Array>, file: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > MOST_PACKED) throw new ImportError(`${file} is larger than ${MOST_PACKED} bytes: unpack it first`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

async function* inflated(packed: Buffer, file: string): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  // Errors of either side reach the loop below, because the pipeline destroys the other with them.
  pipeline(Readable.from([packed]), inflate, () => undefined);
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) yield chunk;
  } catch (cause) {
    throw new ImportError(`${file}: the archive is damaged`, { cause });
  }
}

function onlyEntry(archive: Buffer, file: string): Entry {
  const [entry, ...others] = entriesOf(archive, file);
  if (entry !== undefined && others.length === 0) return entry;
  const count = others.length + Number(entry !== undefined);
  throw new ImportError(`${file} contains ${count} files, expected one: unpack it first`);
}

/** The directory at the end of the archive. */
function entriesOf(archive: Buffer, file: string): Entry[] {
  const end = endOf(archive);
  if (end < 0) throw new ImportError(`${file} is an incomplete ZIP archive`);
  const count = archive.readUInt16LE(end + 10);
  const entries: Entry[] = [];
  for (let at = archive.readUInt32LE(end + 16); entries.length < count; at += lengthAt(archive, at)) {
    if (at + DIRECTORY_LENGTH > end || archive.readUInt32LE(at) !== DIRECTORY_ENTRY) {
      throw new ImportError(`${file}: the archive is damaged`);
    }
    entries.push(entryAt(archive, at, file));
  }
  return entries;
}

const lengthAt = (archive: Buffer, at: number): number =>
  DIRECTORY_LENGTH + archive.readUInt16LE(at + 28) + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);

function entryAt(archive: Buffer, at: number, file: string): Entry {
  const name = archive.toString('utf8', at + DIRECTORY_LENGTH, at + DIRECTORY_LENGTH + archive.readUInt16LE(at + 28));
  const method = archive.readUInt16LE(at + 10);
  const size = archive.readUInt32LE(at + 24);
  const encrypted = (archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0;
  if (encrypted || (method !== STORED && method !== DEFLATED) || size > MOST_UNPACKED) {
    throw new ImportError(`${file} uses an unsupported compression: unpack it first`);
  }
  const packed = packedBytes(archive, archive.readUInt32LE(at + 42), archive.readUInt32LE(at + 20));
  if (packed === null) throw new ImportError(`${file}: the archive is damaged`);
  return { name, method, checksum: archive.readUInt32LE(at + 16), size, packed };
}

function endOf(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = archive.length - END_LENGTH; at >= lowest; at--) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  return -1;
}

function packedBytes(archive: Buffer, header: number, length: number): Buffer | null {
  if (header + 30 > archive.length || archive.readUInt32LE(header) !== LOCAL_HEADER) return null;
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  return start + length > archive.length ? null : archive.subarray(start, start + length);
}
