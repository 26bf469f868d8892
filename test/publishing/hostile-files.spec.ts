// runs: in full only
import { gleif } from '../../src/publish/publishers/gleif/gleif.importer.js';
import { readTickers } from '../../src/publish/publishers/sec.js';
import { responseParts } from '../../src/publish/publishers/estat/response-parts.js';
import { csvRecords } from '../../src/publish/batches/csv-records.js';
import { jsonMembers } from '../../src/publish/batches/json-parts.js';
import { readApiPage } from '../../src/publish/publishers/worldbank/api-rows.js';
import { useScratchFiles } from '../support/scratch-files.js';

type Reader = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>;

const CHUNK = 65_536;

/** Reads until the reader refuses the file, and returns how much it had read. */
async function refused(reader: Reader, head: string, filler: string, megabytes = 15) {
  let taken = 0;
  const chunk = Buffer.from(filler.repeat(Math.ceil(CHUNK / filler.length)));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(head));
    for (; taken < megabytes * 1_000_000; taken += chunk.length) yield chunk;
  }
  const reading = (async () => {
    for await (const _part of reader(chunks()));
  })();
  const error = await reading.catch((thrown: unknown) => thrown as Error);
  return { message: error?.message, taken };
}

const members: Reader = (chunks) => jsonMembers(chunks, 'answer.json');
const READERS: readonly (readonly [string, Reader, string])[] = [
  ["an answer of GLEIF's", members, '{"data":'],
  ["the SEC's list", (chunks) => readTickers(chunks, 'answer.json'), '{"0":'],
  ["a page of the World Bank's", (chunks) => readApiPage(chunks, 'answer.json'), '['],
  ["an answer of e-Stat's", (chunks) => responseParts(chunks, 'answer.json'), '{"GET_STATS_DATA":{"X":'],
];

describe('A reader of files', () => {
  const files = useScratchFiles();

  it.each(READERS)('stops at %s of opening brackets only, before they fill the memory', async (_, reader, head) => {
    for (const filler of ['[', '{"a":']) {
      const { message, taken } = await refused(reader, head, filler);
      expect(message).toContain('answer.json is nested more than 64 levels deep');
      expect(taken).toBeLessThan(3 * CHUNK);
    }
  });

  it.each(READERS)('stops at %s with an endless text', async (_, reader, head) => {
    const { message, taken } = await refused(reader, `${head}"`, 'x');
    expect(message).toMatch(/more than a million bytes|has no end/);
    expect(taken).toBeLessThan(20 * CHUNK);
  });

  it('stops at an item of more than a million bytes, however flat', async () => {
    const { message, taken } = await refused(members, '{"data":[[', '[],');
    expect(message).toContain('has no end');
    expect(taken).toBeLessThan(20 * CHUNK);
  });

  it('stops at a header with more columns than any publisher has', async () => {
    const { message, taken } = await refused((chunks) => csvRecords(chunks, 'wide.csv'), 'lei', ',', 0.1);
    expect({ message, taken }).toMatchObject({
      message: expect.stringMatching(/^wide.csv:1 has \d+ columns, more than any file of a publisher/) as string,
    });
  });

  it('stops at an endless field', async () => {
    const { message, taken } = await refused((chunks) => csvRecords(chunks, 'long.csv'), 'lei,"', 'x');
    expect(message).toContain('long.csv');
    expect(taken).toBeLessThan(20 * CHUNK);
  });

  it('stops at a GLEIF file that is deeply nested at its start', async () => {
    const path = await files.write('deep.json', `{"data":${'['.repeat(1_000_000)}`);
    await expect(gleif.open([path], '2026-01-05')).rejects.toThrow('is nested more than 64 levels deep');
  });
});
