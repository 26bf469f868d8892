import { difference, percentChange } from '../../../domain/figures/decimal.js';
import { figure, numberOf, type Provenance } from '../../../domain/figures/figure.js';
import type { Figure, MissingReason } from '../../../domain/figures/figure.schema.js';
import { unitNamed, type UnitCode } from '../../../domain/figures/units.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { PointRow } from './point.rows.js';

/** What a series measures, and whose figures they are. */
export interface SeriesMeasure extends Provenance {
  readonly unit: UnitCode;
  /** Of an exchange rate: the currency whose amount it states, where known. */
  readonly currency: string | null;
}

/** Makes figures from the points of one series. */
export class SeriesFigures {
  constructor(
    private readonly series: SeriesMeasure,
    private readonly cite: Citations,
    private readonly locale: Locale,
  ) {}

  at({ period, value, knownSince }: PointRow): Figure {
    return this.figure({ period, value, missing: null, knownSince });
  }

  absent(period: string | null, missing: MissingReason): Figure {
    return this.figure({ period, value: null, missing, knownSince: null });
  }

  private figure(known: Pick<Parameters<typeof figure>[1], 'period' | 'value' | 'missing' | 'knownSince'>) {
    const { unit, currency, source, origins } = this.series;
    return figure(this.cite, { ...known, unit, currency, source, origins, locale: this.locale });
  }
}

/** From one value to a later one; percent only of what is no percentage itself, and from above zero. */
export function moveBetween(unit: UnitCode, previous: string, last: string) {
  const percent = unitNamed(unit).dimension === 'ratio' ? null : percentChange(previous, last);
  return { change: numberOf(difference(last, previous)), changePercent: numberOf(percent) };
}
