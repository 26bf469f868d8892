// runs: in full only
import fc from 'fast-check';
import { importFiles } from '../../src/publish/import/import-files.js';
import { deliveryOf, OWN } from './deliveries.js';
import { openScratchDatabase, type ScratchDatabase } from './scratch-database.js';

const DAYS = ['2026-01-05', '2026-02-05', '2026-03-05', '2026-04-05', '2026-05-05'];
const PERIODS = ['2019', '2020', '2021', '2022', '2023'];
const SERIES = 'gdp-growth JP';

interface Vintage {
  readonly day: string;
  readonly first: number;
  readonly last: number;
  readonly values: readonly (string | null)[];
}

interface Range {
  readonly period: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: number;
}

/** What a vintage states of a cell: a value, an absence (null), or nothing (undefined). */
const said = (vintage: Vintage, at: number): string | null | undefined =>
  at < vintage.first || at > vintage.last ? undefined : (vintage.values[at] ?? null);

/** By definition: the value on a day is that of the newest vintage that covers the cell. */
function modelRanges(vintages: readonly Vintage[]): Range[] {
  return PERIODS.flatMap((period, at) => {
    const ranges: Range[] = [];
    let value: string | null = null;
    for (const vintage of [...vintages].sort((a, b) => (a.day < b.day ? -1 : 1))) {
      const next = said(vintage, at);
      if (next === undefined || (next === null ? value === null : Number(next) === Number(value ?? NaN))) continue;
      const open = ranges.at(-1);
      if (open?.to === null) ranges[ranges.length - 1] = { ...open, to: vintage.day };
      if (next !== null) ranges.push({ period, from: vintage.day, to: null, value: Number(next) });
      value = next;
    }
    return ranges;
  });
}

const vintageOf = (day: string): fc.Arbitrary<Vintage> =>
  fc
    .record({
      bounds: fc.tuple(fc.nat(PERIODS.length - 1), fc.nat(PERIODS.length - 1)),
      values: fc.array(fc.constantFrom(null, '1', '1', '2', '3.0'), { minLength: 5, maxLength: 5 }),
    })
    .map(({ bounds, values }) => ({ day, first: Math.min(...bounds), last: Math.max(...bounds), values }));

const histories = fc
  .subarray(DAYS, { minLength: 2 })
  .chain((days) => fc.tuple(...days.map(vintageOf)))
  .chain((vintages) =>
    fc.record({
      order: fc.shuffledSubarray(vintages, { minLength: vintages.length }),
      replacement: fc.option(fc.constantFrom(...vintages).chain(({ day }) => vintageOf(day))),
    }),
  );

const toDelivery = (vintage: Vintage) => {
  const values = PERIODS.flatMap((period, at) => {
    const value = said(vintage, at);
    return typeof value === 'string' ? [[period, value] as const] : [];
  });
  return deliveryOf(vintage.day, {
    // Another series, so that a vintage without a figure of this one is still a vintage.
    figures: { [SERIES]: Object.fromEntries(values), 'gdp-growth US': { 2023: '1' } },
    speaks: { [SERIES]: [PERIODS[vintage.first] ?? '', PERIODS[vintage.last] ?? ''] },
  });
};

describe('Validity ranges', () => {
  let scratch: ScratchDatabase;
  beforeAll(async () => {
    scratch = await openScratchDatabase();
  });
  afterAll(() => scratch.close());

  const stored = (): Promise<Range[]> =>
    scratch.sql(
      `SELECT period, valid_from AS "from", valid_to AS "to", value::float8 AS value
       FROM observations o JOIN series s ON s.id = o.series_id
       WHERE s.region = 'JP' ORDER BY period, valid_from`,
    );

  const importAll = async (vintages: readonly Vintage[], replace = false): Promise<void> => {
    await importFiles(scratch.publisher, OWN, vintages.map(toDelivery), {
      backfill: true,
      replace,
      accept: 'a test',
      now: () => new Date('2026-06-01T00:00:00Z'),
    });
  };

  it('are independent of the order of the vintages, and of a replacement', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ order, replacement }) => {
        await scratch.sql('TRUNCATE series, publications CASCADE');
        await importAll(order);
        expect(await stored()).toEqual(modelRanges(order));
        if (replacement === null) return;
        await importAll([replacement], true);
        const replaced = order.map((vintage) => (vintage.day === replacement.day ? replacement : vintage));
        // A cell that only the replaced file covered is as if that file had never been.
        expect(await stored()).toEqual(modelRanges(replaced));
      }),
      { numRuns: 15 },
    );
  });
});
