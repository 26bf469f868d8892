import { open } from 'node:fs/promises';
import { ImportError } from '../importer.js';
import { wordsOf } from './text.js';

const HEAD_BYTES = 4_096;

/**
 * The first characters of a file that may be text, without what stands before them.
 * @throws ImportError where it is empty, an archive, not UTF-8, or a page of HTML in place of data.
 */
export async function headOfText(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head[0] === 0xff || head[0] === 0xfe) throw new ImportError(`${file} is not text in UTF-8`);
    const start = head
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart();
    if (start === '') throw new ImportError(`${file} is empty`);
    if (start.startsWith('PK\u0003\u0004'))
      throw new ImportError(`${file} is a ZIP archive: unpack it first`);
    if (start.startsWith('<')) {
      throw new ImportError(`${file} is a page of HTML or XML that says ${wordsOf(start)}`);
    }
    return start;
  } finally {
    await handle.close();
  }
}
