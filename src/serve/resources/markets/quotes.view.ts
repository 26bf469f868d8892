import { difference, percentChange } from '../../../domain/figures/decimal.js';
import { figure, numberOf } from '../../../domain/figures/figure.js';
import type { Figure } from '../../../domain/figures/figure.schema.js';
import { figureText } from '../../../domain/figures/figure-text.js';
import { AGELESS, ageOf } from '../../../domain/figures/timetable.js';
import { lastDayOf, previousPeriod } from '../../../domain/figures/periods.js';
import { unitNamed, type UnitDefinition } from '../../../domain/figures/units.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { InstrumentRow, PriceRow, RangeRow } from './market.rows.js';
import type { Instrument, PriceRange } from './market.schema.js';

/** Makes figures from one instrument's prices. */
export class Quotes {
  constructor(
    private readonly row: InstrumentRow,
    private readonly cite: Citations,
    private readonly locale: Locale,
    /** The day for which ages are computed: today, or `asOf`. */
    private readonly day: string,
  ) {}

  price({ period, value, knownSince }: PriceRow): Figure {
    return figure(this.cite, { ...this.series(), period, value, missing: null, knownSince });
  }

  range({ lowest, highest, mean, ...span }: RangeRow): PriceRange {
    const { unit, currency } = this.row;
    return {
      ...span,
      lowest: this.price(lowest),
      highest: this.price(highest),
      mean: { value: numberOf(mean), text: figureText(this.locale, { unit, currency }, mean) },
    };
  }

  /** The newest price and the previous one. */
  quote(): Instrument['quote'] {
    const [last, previous] = this.row.latest;
    if (last === undefined) return null;
    const { timetable, discontinued } = this.row;
    const age = discontinued ? AGELESS : ageOf(timetable, last.period, this.day);
    this.cite.age({ ...age, newest: last.period });
    const unit: UnitDefinition = unitNamed(this.row.unit);
    return {
      last: this.price(last),
      previous: previous === undefined ? this.noneBefore(last.period) : this.price(previous),
      change: previous === undefined ? null : numberOf(difference(last.value, previous.value)),
      changePercent:
        previous === undefined || unit.dimension === 'ratio'
          ? null
          : numberOf(percentChange(previous.value, last.value)),
      ...age,
    };
  }

  /** The last day of the newest period with a price. */
  lastObservedOn(): string | null {
    const [last] = this.row.latest;
    return last === undefined ? null : lastDayOf(last.period);
  }

  private series() {
    const { source, origins, unit, currency } = this.row;
    return { source, origins, unit, currency, locale: this.locale };
  }

  private noneBefore(period: string): Figure {
    return figure(this.cite, {
      ...this.series(),
      period: previousPeriod(period),
      value: null,
      missing: 'not_published',
      knownSince: null,
    });
  }
}
