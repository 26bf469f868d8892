// Reads a file that is small by its nature, such as a release list, and says what it is where it is no such file.
import { readFile, stat } from 'node:fs/promises';
import { ImportError } from '../importer.js';
import { wordsOf } from './text.js';

/** Far above any list of releases or answer of a few series. */
const MOST_BYTES = 8_000_000;

/** The text without a byte order mark. @throws ImportError that names the file and says what it is instead */
export async function wholeText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) {
    throw new ImportError(
      `${file} has ${size} bytes, more than a file of this kind can have (${MOST_BYTES})`,
    );
  }
  const bytes = await readFile(file);
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') {
    throw new ImportError(`${file} is a ZIP archive: unpack it first`);
  }
  const text = decoded(bytes, file).trimStart();
  if (text === '') throw new ImportError(`${file} is empty`);
  if (text.startsWith('<'))
    throw new ImportError(`${file} is a page of HTML or XML that says ${wordsOf(text)}`);
  return text;
}

function decoded(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ImportError(`${file} is not text in UTF-8`, { cause: error });
  }
}
