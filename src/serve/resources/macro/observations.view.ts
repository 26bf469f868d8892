import type { Figure, SeriesFigure } from '../../../domain/figures/figure.schema.js';
import { periodsBetween, previousPeriod } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { Citations } from '../../../domain/sources/citations.js';
import { SeriesFigures } from '../series/series-figures.view.js';
import type { IndicatorRow, ObservationRow } from './macro.rows.js';

/** Maps the observations of one series; rows are oldest first. */
export class Observations {
  private readonly byPeriod: ReadonlyMap<string, ObservationRow>;
  private readonly figures: SeriesFigures;

  constructor(
    private readonly rows: readonly [ObservationRow, ...ObservationRow[]],
    private readonly indicator: Pick<IndicatorRow, 'unit' | 'decision'>,
    cite: Citations,
    locale: Locale,
  ) {
    this.byPeriod = new Map(rows.map((row) => [row.period, row]));
    this.figures = new SeriesFigures({ ...rows[0], unit: indicator.unit }, cite, locale);
  }

  /** Every period from the first to the last; a missing one appears with its reason. */
  whole(): Figure[] {
    // A decision holds until the next one: the days between are not missing.
    if (this.indicator.decision) return this.stored();
    return periodsBetween(this.rows[0].period, this.last).map((period) => this.at(period));
  }

  /** The stored observations only. */
  stored(): Figure[] {
    return this.rows.map((row) => this.show(row));
  }

  /** Every value of each period, with the days from and to which it was known. */
  vintages(): SeriesFigure[] {
    return this.rows.map((row) => ({ ...this.figures.at(row), knownUntil: row.knownUntil ?? null }));
  }

  latest(): Figure {
    const period = previousPeriod(this.last);
    const { value, text, missing } = this.at(period);
    return { ...this.at(this.last), previous: { value, text, period, basis: 'period', missing } };
  }

  private get last(): string {
    return (this.rows.at(-1) ?? this.rows[0]).period;
  }

  private at(period: string): Figure {
    const row = this.byPeriod.get(period);
    return row === undefined ? this.figures.absent(period, 'not_published') : this.show(row);
  }

  private show(row: ObservationRow): Figure {
    return row.withdrawn ? this.figures.absent(row.period, 'withdrawn_by_source') : this.figures.at(row);
  }
}

/** Rows from a period on, each series after the period whose value held when it began. Rows are oldest first in each series. */
export function inForceFrom(first: string, rows: readonly ObservationRow[]): ObservationRow[] {
  const inForce = new Map<string, string>();
  for (const row of rows) {
    if (row.period < first && !row.withdrawn && row.knownUntil == null) inForce.set(row.region, row.period);
  }
  return rows.filter((row) => row.period >= first || row.period === inForce.get(row.region));
}

/** The last row of each period: its value, or that it is withdrawn. */
export function newestOnly(rows: readonly ObservationRow[]): ObservationRow[] {
  return rows.filter(({ region, period }, index) => {
    const next = rows[index + 1];
    return next?.region !== region || next.period !== period;
  });
}
