// Recognises a file by its first bytes, before it is read.
import { open } from 'node:fs/promises';
import { ImportError } from './importer.js';
import { visibleText } from './text.js';
import { isZip } from './unzip.js';

const HEAD_BYTES = 4_096;

/** @throws ImportError if the file is empty, an HTML page, or text in another encoding than UTF-8 */
export async function kindOf(file: string): Promise<'text' | 'zip'> {
  const head = await headOf(file);
  if (isZip(head)) return 'zip';
  textIn(head, file);
  return 'text';
}

/**
 * The first characters of a text file, without a byte order mark and leading blanks.
 * @throws ImportError as `kindOf` does, and for an archive
 */
export async function headOfText(file: string): Promise<string> {
  const head = await headOf(file);
  if (isZip(head)) throw new ImportError(`${file} is a ZIP archive: unpack it first`);
  return textIn(head, file);
}

function textIn(head: Buffer, file: string): string {
  const start = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start === '') throw new ImportError(`${file} is empty`);
  // UTF-16 with or without a byte order mark. A NUL further on is a fault of its line only.
  if (head[0] === 0xff || head[0] === 0xfe || head.subarray(0, 2).includes(0)) {
    throw new ImportError(`${file} is not text in UTF-8`);
  }
  if (start.startsWith('<')) {
    throw new ImportError(`${file} is a page of HTML or XML that says ${visibleText(start)}`);
  }
  return start;
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
