import { numberOf } from '../../../domain/figures/figure.js';
import type { SeriesFigure } from '../../../domain/figures/figure.schema.js';
import { figureText } from '../../../domain/figures/figure-text.js';
import { AGELESS, ageOf } from '../../../domain/figures/timetable.js';
import { lastDayOf, previousPeriod } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { VintageRow } from '../series/point.rows.js';
import { moveBetween, SeriesFigures } from '../series/series-figures.view.js';
import type { InstrumentRow, RangeRow } from './market.rows.js';
import type { Instrument, PriceRange } from './market.schema.js';

/** The figures of one instrument. */
export class Quotes extends SeriesFigures {
  constructor(
    private readonly row: InstrumentRow,
    private readonly citations: Citations,
    private readonly language: Locale,
    /** The day for which ages are computed: today, or `asOf`. */
    private readonly day: string,
  ) {
    super(row, citations, language);
  }

  /** A value, and until when it was known. */
  once(row: VintageRow): SeriesFigure {
    return { ...this.at(row), knownUntil: row.knownUntil };
  }

  range({ oldest, lowest, highest, mean, ...span }: RangeRow): PriceRange {
    return {
      ...span,
      oldest: this.at(oldest),
      lowest: this.at(lowest),
      highest: this.at(highest),
      mean: { value: numberOf(mean), text: figureText(this.language, this.row, mean) },
    };
  }

  /** The newest price and the previous one. */
  quote(): Instrument['quote'] {
    const { timetable, discontinued, unit, latest } = this.row;
    const [last, previous] = latest;
    if (last === undefined) return null;
    const age = discontinued ? AGELESS : ageOf(timetable, last.period, this.day);
    this.citations.age({ ...age, newest: last.period, series: this.row.key, asOf: this.day });
    return {
      last: this.at(last),
      ...(previous === undefined
        ? { previous: this.absent(previousPeriod(last.period), 'not_published'), change: null, changePercent: null }
        : { previous: this.at(previous), ...moveBetween(unit, previous.value, last.value) }),
      ...age,
    };
  }

  /** The last day of the newest period with a price. */
  lastObservedOn(): string | null {
    const [last] = this.row.latest;
    return last === undefined ? null : lastDayOf(last.period);
  }
}
