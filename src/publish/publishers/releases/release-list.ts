// Reads lists of past releases: the figure published on each day, with the previous period's figure as known then.
import {
  frequencyOf,
  isDay,
  isPeriod,
  lastDayOf,
  previousPeriod,
  shiftedDay,
} from '../../../domain/figures/periods.js';
import { unitNamed } from '../../../domain/figures/units.js';
import { readCatalogue } from '../../catalogue/catalogue.js';
import type { IndicatorEntry } from '../../catalogue/catalogue.schema.js';
import type { BadRow, ScheduleRow, Extent, FigureRow } from '../../batches/importer.js';
import { namedRows, type NamedRow } from '../../batches/named-columns.js';
import { positiveFigure, printedFigure } from '../../batches/printed-figure.js';
import { quoted } from '../../batches/text.js';

export const RELEASE_COLUMNS = [
  ...(['release_date', 'region', 'series', 'reference_period'] as const),
  ...(['estimate', 'actual', 'previous_period_value'] as const),
] as const;
type Column = (typeof RELEASE_COLUMNS)[number];

/** All offices in these lists publish by Washington time. */
const RELEASE_PROVIDERS: readonly string[] = ['bls', 'bea', 'frb'];
const TIME_ZONE = 'America/New_York';

/** Days after which no office prints a figure for the first time, nor its next estimates; shutdowns included. */
const LONGEST_LAG = 200;

export interface Release {
  readonly day: string;
  readonly figures: readonly FigureRow[];
  readonly extent: Extent;
  readonly event: ScheduleRow;
}

/** The releases of one file, and its bad rows. */
export async function readReleases(
  text: string,
  file: string,
): Promise<{ readonly releases: Release[]; readonly bad: BadRow[] }> {
  const releases: Release[] = [];
  const bad: BadRow[] = [];
  for (const row of await namedRows(text, file, RELEASE_COLUMNS)) {
    const read = releaseOf(row);
    if ('reason' in read) bad.push({ place: row.place(read.column), reason: read.reason });
    else releases.push(read);
  }
  return { releases, bad: [...bad, ...outOfOrder(releases)] };
}

/** A period that is printed for the first time after a later one: its day is wrong. */
function outOfOrder(releases: readonly Release[]): BadRow[] {
  const first = new Map<string, Release>();
  for (const release of releases) {
    const { indicator, region, last } = release.extent;
    const key = `${indicator} ${region ?? ''} ${last}`;
    const known = first.get(key);
    if (known === undefined || release.day < known.day) first.set(key, release);
  }
  const firsts = [...first.values()].sort((a, b) => (a.extent.last < b.extent.last ? -1 : 1));
  return firsts.flatMap(({ day, extent: { indicator, region, last }, event }) => {
    const earlier = firsts.find(
      ({ day: other, extent }) =>
        extent.indicator === indicator && extent.region === region && extent.last > last && other < day,
    );
    if (earlier === undefined) return [];
    const reason = `${last} is released on ${day}, after ${earlier.extent.last} on ${earlier.day}: one day is wrong`;
    return [{ place: event.place, reason }];
  });
}

interface Fault {
  readonly column: Column | '';
  readonly reason: string;
}

function releaseOf(row: NamedRow<Column>): Release | Fault {
  if (row.fault !== null) return { column: '', reason: row.fault };
  const day = row.cell('release_date');
  if (!isDay(day)) return { column: 'release_date', reason: `${quoted(day)} is not a day` };
  const indicator = row.cell('series');
  const region = row.cell('region');
  const entry = entryOf(indicator);
  const period = periodOf(row.cell('reference_period'));
  const fault = periodFault(period, day, entry, row);
  if (period === null || fault !== null) return { column: 'reference_period', reason: fault ?? '' };
  const estimate = estimateOf(row.cell('estimate'));
  if (estimate === undefined) {
    return { column: 'estimate', reason: `${quoted(row.cell('estimate'))} is not an estimate that is known` };
  }
  const cell = (column: 'actual' | 'previous_period_value', of: string): FigureRow | Fault => {
    const printed = isPositive(entry) ? positiveFigure(row.cell(column)) : printedFigure(row.cell(column));
    if ('reason' in printed) return { column, reason: printed.reason };
    return { indicator, region, period: of, value: printed.value, place: row.place(column) };
  };
  const actual = cell('actual', period);
  if ('reason' in actual) return actual;
  // A decision has no previous figure, because the list does not state the day of the previous decision.
  const alone = entry?.decision === true || row.cell('previous_period_value') === '';
  const previous = alone ? null : cell('previous_period_value', previousPeriod(period));
  if (previous !== null && 'reason' in previous) return previous;
  return {
    day,
    figures: previous === null ? [actual] : [previous, actual],
    extent: { indicator, region, first: previous?.period ?? period, last: period },
    event: {
      indicator,
      region,
      period,
      estimate,
      scheduledOn: day,
      timeZone: TIME_ZONE,
      scheduledAt: null,
      status: 'scheduled',
      sourceUrl: null,
      place: row.place('release_date'),
    },
  };
}

function periodFault(
  period: string | null,
  day: string,
  entry: IndicatorEntry | undefined,
  row: NamedRow<Column>,
): string | null {
  const shown = quoted(row.cell('reference_period'));
  if (period === null) return `${shown} is not a period`;
  if (entry === undefined) return null;
  if (frequencyOf(period) !== entry.frequency) return `${shown} is not a period of ${entry.providerCode}`;
  if (entry.decision) return null;
  if (lastDayOf(period) >= day) return `${shown} had not ended on the day of its release`;
  if (shiftedDay(lastDayOf(period), LONGEST_LAG) < day) {
    return `${shown} was over for more than ${LONGEST_LAG} days on ${day}: one of the two is wrong`;
  }
  return null;
}

const entryOf = (code: string): IndicatorEntry | undefined =>
  readCatalogue().indicators.find(
    ({ provider, providerCode }) => providerCode === code && RELEASE_PROVIDERS.includes(provider),
  );

/** Amounts and indices are positive. */
const isPositive = (entry: IndicatorEntry | undefined): boolean =>
  entry !== undefined && ['money', 'index'].includes(unitNamed(entry.unit).dimension);

/** `2000-12`, `1999Q4`, or a day. */
function periodOf(text: string): string | null {
  const period = text.replace(/^(\d{4})Q(\d)$/, '$1-Q$2');
  return isPeriod(period) ? period : null;
}

/** The number of the print; `null` if the period is published once; undefined if the text states neither. */
function estimateOf(text: string): number | null | undefined {
  if (/^(final|change)\b/.test(text)) return null;
  if (/^advance\b/.test(text)) return 1;
  const [, ordinal] = /^(?:vintage )?([1-9])(?:(?:st|nd|rd|th) print$| of the same quarter\b)/.exec(text) ?? [];
  return ordinal === undefined ? undefined : Number(ordinal);
}
