import { figure, type Provenance } from '../../figures/figure.js';
import type { Figure } from '../../figures/figure.schema.js';
import { periodsBetween, previousPeriod } from '../../figures/periods.js';
import type { UnitCode } from '../../figures/units.js';
import type { Citations } from '../../sources/citations.js';
import type { ObservationRow } from './macro-rows.js';

/** Shows the observations of one series; rows come oldest first. */
export class Observations {
  private readonly byPeriod: ReadonlyMap<string, ObservationRow>;
  private readonly provenance: Provenance;

  constructor(
    private readonly rows: readonly [ObservationRow, ...ObservationRow[]],
    private readonly unit: UnitCode,
    private readonly cite: Citations,
    /** Decisions hold until the next: the days between are not missing. */
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

  /** From the first period to the last: what is missing in between stands there with its reason. */
  whole(): Figure[] {
    if (this.decision) return this.rows.map(({ period }) => this.at(period));
    return periodsBetween(this.first, this.last).map((period) => this.at(period));
  }

  /** The period before the newest, whether published or not, then the newest. */
  latestTwo(): Figure[] {
    if (this.decision) return this.rows.slice(-2).map(({ period }) => this.at(period));
    const before = previousPeriod(this.last);
    return this.rows.length === 1 && !this.byPeriod.has(before)
      ? [this.at(this.last)]
      : [this.at(before), this.at(this.last)];
  }

  latest(): Figure {
    const before = this.at(previousPeriod(this.last));
    const { value, missing } = before;
    const period = previousPeriod(this.last);
    return { ...this.at(this.last), previous: { value, period, basis: 'period', missing } };
  }

  private at(period: string): Figure {
    const row = this.byPeriod.get(period);
    const shown = row === undefined || row.withdrawn ? null : row.value;
    return figure(this.cite, {
      source: this.provenance.source,
      origins: this.provenance.origins,
      unit: this.unit,
      period,
      value: shown,
      missing: shown !== null ? null : row === undefined ? 'not_published' : 'withdrawn_by_source',
      knownSince: shown === null || row === undefined ? null : row.knownSince,
    });
  }
}

/** Rows of many series, one group a region, in the order they came. */
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
