import type { BadRow, Batch, Delivery, ScheduleRow, Extent, FigureRow } from '../../src/publish/batches/importer.js';

/** The whole content of a delivery. */
export interface Said {
  figures: FigureRow[];
  bad: BadRow[];
  extents: Extent[];
  events: ScheduleRow[];
}

export async function gather(batches: AsyncIterable<Batch>): Promise<Said> {
  const said: Said = { figures: [], bad: [], extents: [], events: [] };
  for await (const batch of batches) {
    if (batch.kind === 'figures') said.figures.push(...batch.rows);
    else if (batch.kind === 'bad') said.bad.push(...batch.rows);
    else if (batch.kind === 'events') said.events.push(...batch.rows);
    else if (batch.kind === 'extents') said.extents.push(...batch.rows);
  }
  return said;
}

export const read = (delivery: Delivery | undefined): Promise<Said> => {
  if (delivery === undefined) throw new Error('There is no such delivery');
  return gather(delivery.read(() => undefined));
};

export const brief = ({ indicator, region, period, value }: FigureRow): string =>
  [indicator, region, period, value].join(' ');
export const spot = ({ place, reason }: BadRow): string => `${place.line}:${place.column}: ${reason}`;
