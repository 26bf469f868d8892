// runs: in full only
import { importFiles } from '../../src/publish/import/import-files.js';
import type { Delivery, FigureRow } from '../../src/publish/batches/importer.js';
import { NOW, usePublishing, type Settings } from './publishing.js';

type Days = Readonly<Record<string, string>>;

const START = Date.parse('2026-01-01');
const day = (index: number): string => new Date(START + index * 86_400_000).toISOString().slice(0, 10);

/** Prices of consecutive days from the first of January, alternately one percent up and down. */
const calm = (from: number, to: number): Days =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, at) => [day(from + at), (from + at) % 2 === 0 ? '1.0000' : '1.0100']),
  );

function deliveryOf(vintage: string, figures: Days, instrument = 'eurusd', first = ''): Delivery {
  const periods = Object.keys(figures).sort();
  const rows: FigureRow[] = periods.map((period, index) => ({
    indicator: instrument,
    region: null,
    period,
    value: figures[period] ?? '',
    place: { file: 'prices.csv', line: index + 2, column: 'Price' },
  }));
  const span = { first: first === '' ? (periods[0] ?? '') : first, last: periods.at(-1) ?? '' };
  return {
    name: `prices of ${vintage}`,
    vintage,
    basis: 'retrieved',
    bytes: 0,
    async *read() {
      yield { kind: 'extents', rows: [{ indicator: instrument, region: null, ...span }] };
      yield { kind: 'figures', rows };
      await Promise.resolve();
    },
  };
}

describe('Stored moves', () => {
  const publishing = usePublishing();

  const publish = async (vintage: string, figures: Days, settings: Settings = {}, first = '', instrument = 'eurusd') =>
    importFiles(publishing.publisher(), { publisher: 'starter' }, [deliveryOf(vintage, figures, instrument, first)], {
      accept: 'a test',
      now: () => NOW,
      ...settings,
    });
  const moves = () =>
    publishing.sql<{ id: string; period: string; status: string; actual: number; previous: number; day: string }>(
      `SELECT id, period, status, actual_value::float AS actual, previous_value::float AS previous,
              previous_period AS before, occurred_at::date::text AS day
       FROM changes WHERE kind = 'move' ORDER BY period`,
    );

  it('are derived from daily prices, dated by the price’s day and not by its vintage', async () => {
    await publish(day(80), calm(0, 80));
    expect(await moves()).toEqual([]);
    const [report] = await publish(day(83), { [day(81)]: '1.0800' });
    expect(report?.counts).toMatchObject({ moves: 1, releases: 0, revisions: 0 });
    expect(await moves()).toMatchObject([
      { period: day(81), day: day(81), actual: 1.08, previous: 1, before: day(80), status: 'verified' },
    ]);
  });

  it('are derived at the first import for its last three years only', async () => {
    const end = 1_400;
    const shocks = { [day(end - 1_096)]: '1.1000', [day(end - 1_094)]: '1.1000', [day(end - 10)]: '1.1000' };
    const later = new Date(START + 1_600 * 86_400_000);
    await publish(day(end), { ...calm(0, end), ...shocks }, { now: () => later });
    const made = new Set((await moves()).map(({ period }) => period));
    expect(made.has(day(end - 1_096))).toBe(false);
    expect(made.has(day(end - 1_094))).toBe(true);
    expect(made.has(day(end - 10))).toBe(true);
  });

  it('are not derived from too few prices', async () => {
    await publish(day(50), { ...calm(0, 50), [day(50)]: '2.0000' });
    expect(await moves()).toEqual([]);
  });

  it('are corrected under the same id if the vintage is replaced', async () => {
    await publish(day(80), calm(0, 80));
    await publish(day(81), { [day(81)]: '1.0800' });
    const [before] = await moves();
    await publish(day(81), { [day(81)]: '1.0900' }, { replace: true });
    expect(await moves()).toEqual([{ ...before, actual: 1.09, status: 'corrected' }]);
  });

  it('are corrected if a later vintage restates the price', async () => {
    await publish(day(80), calm(0, 80));
    await publish(day(81), { [day(81)]: '1.0800' });
    await publish(day(82), { [day(81)]: '1.0700', [day(82)]: '1.0600' });
    expect(await moves()).toMatchObject([{ period: day(81), actual: 1.07, status: 'corrected' }]);
  });

  it('are withdrawn if the price becomes ordinary, or the source withdraws it', async () => {
    await publish(day(80), calm(0, 80));
    await publish(day(82), { [day(81)]: '1.0800', [day(82)]: '1.0000' });
    expect((await moves()).map(({ status }) => status)).toEqual(['verified', 'verified']);
    await publish(day(83), { [day(82)]: '1.0700', [day(83)]: '1.0700' }, {}, day(81));
    expect((await moves()).map(({ period, status }) => [period, status])).toEqual([
      [day(81), 'withdrawn'],
      [day(82), 'corrected'],
    ]);
  });

  it('compare with the last day that has a price, if one between was withdrawn', async () => {
    await publish(day(80), calm(0, 80));
    await publish(day(81), { [day(79)]: '1.0100', [day(81)]: '1.0800' }, {}, day(79));
    expect(await moves()).toMatchObject([{ period: day(81), previous: 1.01, before: day(79) }]);
  });

  it('are not evaluated again because a later vintage adds earlier days', async () => {
    await publish(day(80), calm(0, 80));
    await publish(day(81), { [day(81)]: '1.0800' });
    const [before] = await moves();
    await publish(day(82), { [day(80)]: '1.0050', [day(81)]: '1.0800', [day(82)]: '1.0800' });
    expect(await moves()).toEqual([before]);
  });

  it('are not derived by a backfill', async () => {
    await publish(day(120), calm(82, 120));
    await publish(day(90), { ...calm(0, 80), [day(81)]: '1.2000' }, { backfill: true });
    expect(await moves()).toEqual([]);
  });

  it('are the same whether days arrive one by one or the last vintage is imported again', async () => {
    await publish(day(80), calm(0, 80));
    for (let at = 81; at < 90; at++) await publish(day(at), { [day(at)]: at % 3 === 0 ? '1.0900' : '1.0000' });
    const one = await moves();
    const [again] = await publish(day(89), { [day(89)]: '1.0000' });
    expect(again?.outcome).toBe('unchanged');
    expect(await moves()).toEqual(one);
    expect(one.length).toBeGreaterThan(2);
  });

  it('are derived from monthly averages, but not from weekly ones, whose days have their own', async () => {
    const months = Object.fromEntries(
      Array.from({ length: 80 }, (_, at) => [
        `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`,
        at === 79 ? '150.0' : at % 2 === 0 ? '100.0' : '101.0',
      ]),
    );
    await publish('2026-07-31', months, {}, '', 'brent-monthly-average');
    expect(await moves()).toMatchObject([{ period: '2025-08', day: '2025-08-31' }]);
    const weeks = Object.fromEntries(
      Array.from({ length: 52 + 20 }, (_, at) => [
        at < 52 ? `2025-W${String(at + 1).padStart(2, '0')}` : `2026-W${String(at - 51).padStart(2, '0')}`,
        at === 71 ? '150.0' : at % 2 === 0 ? '100.0' : '101.0',
      ]),
    );
    await publish('2026-07-31', weeks, {}, '', 'brent-weekly-average');
    expect(await moves()).toHaveLength(1);
  });

  it('of a pegged currency are those in which it left the other one', async () => {
    for (const one of ['eurusd', 'eurhkd']) await publish(day(80), calm(0, 80), {}, '', one);
    await publish(day(81), { [day(81)]: '1.0800' });
    await publish(day(81), { [day(81)]: '1.0801' }, {}, '', 'eurhkd');
    expect(await moves()).toMatchObject([{ actual: 1.08 }]);
    await publish(day(82), { [day(82)]: '1.0801' });
    await publish(day(82), { [day(82)]: '1.2000' }, {}, '', 'eurhkd');
    expect(await moves()).toMatchObject([{ actual: 1.08 }, { actual: 1.2 }]);
  });

  it('are never derived from a withheld source', async () => {
    await publish(day(80), calm(0, 80));
    await publishing.sql(`UPDATE sources SET withheld = true WHERE id = 'ecb'`);
    try {
      await publish(day(81), { [day(81)]: '1.0800' });
      expect(await moves()).toEqual([]);
    } finally {
      await publishing.sql(`UPDATE sources SET withheld = false WHERE id = 'ecb'`);
    }
  });
});
