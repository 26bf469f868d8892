import { numberOf } from '../../../domain/figures/figure.js';
import { lastDayOf, shiftedDay } from '../../../domain/figures/periods.js';
import type { IndicatorRow, ObservationRow } from './macro.rows.js';
import type { MacroQuery, MacroSeries } from './macro.schema.js';

type Series = readonly [ObservationRow, ...ObservationRow[]];

/** A country whose newest figure lags the newest of all by more is left out of a ranking. */
const MOST_DAYS_BEHIND = 3 * 366;
const USUAL = 10;

interface Ranked<One> {
  readonly shown: readonly One[];
  /** All that are ranked, the first ones of which are shown. */
  readonly compared: readonly One[];
  /** Null for series that are not ranked, or among which the caller chose. */
  readonly ranking: MacroSeries['ranking'];
}

/** Series by their newest value; the rows of each are oldest first. Equal values are ordered by code. */
export function ranked<One extends Series>(
  all: readonly One[],
  { decision }: Pick<IndicatorRow, 'decision'>,
  { rank, limit, from, region }: MacroQuery,
): Ranked<One> {
  if (rank === undefined) return { shown: all, compared: all, ranking: null };
  const end = (series: Series): string => lastDayOf(newest(series).period);
  const last = all.map(end).sort().at(-1);
  // A decision holds until the next one, however old it is.
  const earliest =
    last === undefined || decision || from !== undefined || region !== undefined
      ? ''
      : shiftedDay(last, -MOST_DAYS_BEHIND);
  const sign = rank === 'highest' ? -1 : 1;
  const sorted = all
    .filter((series) => end(series) >= earliest)
    .sort((a, b) => sign * (numberOf(newest(a).value) - numberOf(newest(b).value)));
  const shown = sorted.slice(0, limit ?? USUAL);
  const newestPeriod = sorted
    .map((series) => newest(series).period)
    .sort()
    .at(-1);
  if (region !== undefined || newestPeriod === undefined) return { shown, compared: sorted, ranking: null };
  const inNewestPeriod = sorted.filter((series) => newest(series).period === newestPeriod).length;
  return { shown, compared: sorted, ranking: { countries: sorted.length, newestPeriod, inNewestPeriod } };
}

function newest(series: Series): ObservationRow {
  return series.at(-1) ?? series[0];
}
