import type { BadRow, Delivery, Extent, FigureRow } from '../../src/publish/batches/importer.js';

/** Deliveries in the catalogue's own codes, so that a spec reads without a publisher's codes. */
export const OWN = { publisher: 'starter' };

/** Figures by series (`gdp-growth JP`, or an instrument: `eurusd`) and period. */
export type Figures = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface DeliveryTraits {
  readonly figures: Figures;
  /** Coverage beyond the given figures: by series, first and last period. */
  readonly speaks?: Readonly<Record<string, readonly [first: string, last: string]>>;
  readonly basis?: 'released' | 'updated' | 'retrieved';
  readonly bad?: readonly BadRow[];
  /** The delivery awaits it between the figures and the end. */
  readonly beforeEnd?: () => Promise<void>;
}

export function deliveryOf(vintage: string, traits: DeliveryTraits): Delivery {
  return {
    name: `figures of ${vintage}`,
    vintage,
    basis: traits.basis ?? 'retrieved',
    bytes: 0,
    async *read() {
      yield { kind: 'extents', rows: extentsOf(traits) };
      yield { kind: 'figures', rows: rowsOf(traits.figures) };
      if (traits.bad !== undefined) yield { kind: 'bad', rows: traits.bad };
      await traits.beforeEnd?.();
    },
  };
}

function extentsOf({ figures, speaks = {} }: DeliveryTraits): Extent[] {
  const own = Object.entries(figures).flatMap(([series, values]) => {
    const periods = Object.keys(values).sort();
    const [first, last] = [periods[0], periods.at(-1)];
    return speaks[series] || first === undefined || last === undefined ? [] : [extent(series, first, last)];
  });
  return [...own, ...Object.entries(speaks).map(([series, [first, last]]) => extent(series, first, last))];
}

function extent(series: string, first: string, last: string): Extent {
  const [indicator = '', region = null] = series.split(' ');
  return { indicator, region, first, last };
}

function rowsOf(figures: Figures): FigureRow[] {
  let line = 1;
  return Object.entries(figures).flatMap(([series, values]) => {
    const [indicator = '', region = null] = series.split(' ');
    return Object.entries(values).map(([period, value]) => {
      line += 1;
      return { indicator, region, period, value, place: { file: 'figures.csv', line, column: period } };
    });
  });
}
