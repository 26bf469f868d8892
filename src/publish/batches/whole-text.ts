// Reads a file that is small by nature, such as a release list.
import { readFile, stat } from 'node:fs/promises';
import { ImportError, type Batch } from './importer.js';
import { headOfText } from './text-head.js';

/** Far above any list of releases or response with a few series. */
const MOST_BYTES = 8_000_000;

/**
 * The text without a byte order mark.
 * @throws ImportError that names the file and says what its content is instead
 */
export async function wholeText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) {
    throw new ImportError(`${file} has ${size} bytes, more than a file of this kind can have (${MOST_BYTES})`);
  }
  await headOfText(file);
  return decoded(await readFile(file), file).trimStart();
}

/** Parses a text that is in memory already; draining the chunks reports their progress. */
export async function* readHeld(
  chunks: AsyncIterable<Uint8Array>,
  read: () => Iterable<Batch> | AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  for await (const _chunk of chunks);
  yield* read();
}

function decoded(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ImportError(`${file} is not text in UTF-8`, { cause: error });
  }
}
