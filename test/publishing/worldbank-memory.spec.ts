// runs: in full only
import type { Batch } from '../../src/publish/batches/importer.js';
import { ImportError } from '../../src/publish/batches/importer.js';
import { readApiPage } from '../../src/publish/publishers/worldbank/api-rows.js';
import { readCsv } from '../../src/publish/publishers/worldbank/csv-rows.js';

/** A page whose array is never closed fails at its end, after all of its rows. */
async function* untilCut(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof ImportError && error.message.includes('incomplete'))) throw error;
  }
}

describe('The memory of the World Bank importer', () => {
  const ROWS = 200_000;
  /** The number of rows in a chunk, as in a file's stream. */
  const CHUNK = 1_600;

  async function mostHeld(
    rows: number,
    head: string,
    row: (index: number) => string,
    reader: (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Batch>,
  ): Promise<{ read: number; held: number }> {
    let produced = 0;
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(head));
      const chunk = Buffer.from(Array.from({ length: CHUNK }, (_, index) => row(index)).join(''));
      for (; produced < rows; produced += CHUNK) yield chunk;
    }
    let consumed = 0;
    let held = 0;
    for await (const batch of reader(chunks())) {
      if (batch.kind === 'figures') consumed += batch.rows.length;
      held = Math.max(held, produced - consumed);
    }
    return { read: consumed, held };
  }

  it('holds at most a few batches of two hundred thousand CSV rows', async () => {
    const { read: rows, held } = await mostHeld(
      ROWS,
      'Country Code,Year,Value\n',
      (index) => `C${index % 997},${1960 + (index % 60)},${index}.25\n`,
      (chunks) => readCsv(chunks, 'long.csv', 'SP.POP.TOTL'),
    );
    expect(rows).toBe(ROWS);
    expect(held).toBeLessThan(10 * CHUNK);
  });

  it('holds at most a few batches of a large JSON file', async () => {
    const { held } = await mostHeld(
      ROWS / 5,
      '[{"page":1,"pages":1,"per_page":1,"total":1},[{"indicator":{"id":"A"},"country":{"id":"B"},"date":"2000","value":1}',
      (index) => `,{"indicator":{"id":"A"},"country":{"id":"B"},"date":"${1960 + (index % 60)}","value":${index}}`,
      // The array is never closed, which the reader reports only after it has returned all rows.
      (chunks) => untilCut(readApiPage(chunks, 'page.json')),
    );
    expect(held).toBeLessThan(10 * CHUNK);
  });
});
