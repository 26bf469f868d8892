import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OBSERVATIONS, readList, readRows, ROWS } from '../../src/publish/starter/starter-format.js';

async function all<Line>(lines: AsyncGenerator<Line>): Promise<Line[]> {
  const read: Line[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

describe('A list of the starter set', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-lists-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['of figures', OBSERVATIONS.file, (path: string) => all<object>(readList(path, OBSERVATIONS))],
    ['of other rows', ROWS.file, (path: string) => all<object>(readRows(path))],
  ])('%s is refused by its name if its end is missing', async (_, name, read) => {
    await writeFile(file(name), gzipSync('x'.repeat(1_000)).subarray(0, -12));
    await expect(read(file(name))).rejects.toThrow(`${file(name)} cannot be read: unexpected end of file`);
  });

  it.each([
    ['of figures', 'observations.csv', '', 'is empty'],
    ['of figures', 'observations.csv', 'a,b\n', ':1: expected the columns indicator,region'],
    ['of figures', 'observations.csv', `${OBSERVATIONS.columns.join()}\n1,2\n`, ':2: expected the columns'],
  ])('%s is refused: %s %j', async (_, name, text, words) => {
    await writeFile(file(name), text);
    await expect(all(readList(file(name), OBSERVATIONS))).rejects.toThrow(words);
  });

  it('of other rows may be missing', async () => {
    expect(await all(readRows(file('none.gz')))).toEqual([]);
  });
});
