// What a publisher delivers, written in lines.
import { grouped } from '../../src/domain/grouped.js';
import type { Batch, Delivery, FigureRow, ScheduleRow } from '../../src/publish/batches/importer.js';

const place = { file: 'test', line: 1, column: 'value' };

/** Figures as `series period value`; a series without a region is an instrument. */
export const figures = (...lines: string[]): FigureRow[] =>
  lines.map((line) => {
    const [series = '', period = '', value = ''] = line.split(' ');
    const [indicator = '', region = null] = series.split('@');
    return { indicator, region, period, value, place };
  });

/** Releases of US consumer prices, as `period day`; of another indicator as `indicator period day`. */
export const events = (...lines: string[]): ScheduleRow[] =>
  lines.map((line) => {
    const [scheduledOn = '', period = '', indicator = 'consumer-price-index'] = line.split(' ').toReversed();
    return {
      indicator,
      region: 'US',
      period,
      estimate: null,
      scheduledOn,
      place,
      timeZone: 'America/New_York',
      scheduledAt: `${scheduledOn}T12:30:00Z`,
      status: 'scheduled',
      sourceUrl: null,
    };
  });

export const delivery = (vintage: string, rows: FigureRow[], scheduled: ScheduleRow[] = []): Delivery => ({
  name: `test of ${vintage}`,
  vintage,
  basis: 'retrieved',
  bytes: 0,
  async *read(): AsyncGenerator<Batch> {
    const all = grouped(rows, ({ indicator, region }) => `${indicator}@${region ?? ''}`);
    const extents = [...all.values()].map((some) => {
      const [{ indicator, region }] = some;
      const periods = some.map(({ period }) => period).sort();
      return { indicator, region, first: periods[0] ?? '', last: periods.at(-1) ?? '' };
    });
    yield await Promise.resolve({ kind: 'extents', rows: extents });
    yield { kind: 'figures', rows };
    yield { kind: 'events', rows: scheduled };
  },
});
