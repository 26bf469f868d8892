import { figure, type Provenance } from '../../../domain/figures/figure.js';
import type { Figure, MissingReason } from '../../../domain/figures/figure.schema.js';
import { periodsBetween, previousPeriod } from '../../../domain/figures/periods.js';
import type { Locale } from '../../../domain/locale/locale.js';
import type { UnitCode } from '../../../domain/figures/units.js';
import type { Citations } from '../../../domain/sources/citations.js';
import type { ObservationRow } from './macro.rows.js';
import type { SeriesFigure } from './macro.schema.js';

/** Maps the observations of one series; rows are oldest first. */
export class Observations {
  private readonly byPeriod: ReadonlyMap<string, ObservationRow>;
  private readonly provenance: Provenance;

  constructor(
    private readonly rows: readonly [ObservationRow, ...ObservationRow[]],
    private readonly unit: UnitCode,
    private readonly cite: Citations,
    private readonly locale: Locale,
    /** A decision holds until the next one: the days between are not missing. */
    private readonly decision = false,
  ) {
    this.byPeriod = new Map(rows.map((row) => [row.period, row]));
    this.provenance = rows[0];
  }

  get first(): string {
    return this.rows[0].period;
  }

  get last(): string {
    return this.rows.at(-1)?.period ?? this.first;
  }

  /** Every period from the first to the last; a missing one appears with its reason. */
  whole(): Figure[] {
    if (this.decision) return this.held();
    return periodsBetween(this.first, this.last).map((period) => this.at(period));
  }

  /** The stored observations only. */
  held(): Figure[] {
    return this.rows.map((row) => this.show(row));
  }

  /** Every value of each period, with the days from and to which it was known. */
  vintages(): SeriesFigure[] {
    return this.rows.map((row) => ({
      ...this.show({ ...row, withdrawn: false }),
      knownUntil: row.knownUntil ?? null,
    }));
  }

  latest(): Figure {
    const before = this.at(previousPeriod(this.last));
    const { value, text, missing } = before;
    const period = previousPeriod(this.last);
    return { ...this.at(this.last), previous: { value, text, period, basis: 'period', missing } };
  }

  private at(period: string): Figure {
    const row = this.byPeriod.get(period);
    return row === undefined ? this.absent(period, 'not_published') : this.show(row);
  }

  private show({ period, value, knownSince, withdrawn }: ObservationRow): Figure {
    return withdrawn
      ? this.absent(period, 'withdrawn_by_source')
      : figure(this.cite, { ...this.common(), period, value, missing: null, knownSince });
  }

  private absent(period: string, missing: MissingReason): Figure {
    return figure(this.cite, { ...this.common(), period, value: null, missing, knownSince: null });
  }

  private common() {
    const { source, origins } = this.provenance;
    const { currency } = this.rows[0];
    return { source, origins, unit: this.unit, currency, locale: this.locale };
  }
}

/** Groups the rows of many series by region, in their order. */
export function byRegion(
  rows: readonly ObservationRow[],
): Map<string, [ObservationRow, ...ObservationRow[]]> {
  const groups = new Map<string, [ObservationRow, ...ObservationRow[]]>();
  for (const row of rows) {
    const group = groups.get(row.region);
    if (group === undefined) groups.set(row.region, [row]);
    else group.push(row);
  }
  return groups;
}
