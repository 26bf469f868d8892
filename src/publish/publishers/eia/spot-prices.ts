// Reads the EIA's tables of spot prices. Only the file's name identifies the table.
import { basename } from 'node:path';
import { isDay, isPeriod, periodOn, type Frequency } from '../../../domain/figures/periods.js';
import { ImportError } from '../../batches/importer.js';
import type { PriceTable } from '../../batches/price-table.js';

/** The EIA's own names: the route of the API, and the series without its frequency. */
export const SPOT_SERIES = {
  brent: { route: 'petroleum/pri/spt', facet: 'RBRTE', code: 'PET.RBRTE' },
  wti: { route: 'petroleum/pri/spt', facet: 'RWTC', code: 'PET.RWTC' },
  'henry-hub': { route: 'natural-gas/pri/fut', facet: 'RNGWHHD', code: 'NG.RNGWHHD' },
} as const;
export type SpotSeries = keyof typeof SPOT_SERIES;

export const SPOT_FREQUENCIES = { daily: 'D', weekly: 'W', monthly: 'M' } as const;
export type SpotFrequency = keyof typeof SPOT_FREQUENCIES;

/** In US dollars. WTI was -36.98 on 20 April 2020, so negative prices are possible; ten times a record is not. */
const HIGHEST = 1_500;

/** Weekly averages carry the date of the Friday that ends the week, monthly ones a date within the month. */
const PERIODS: Readonly<Record<SpotFrequency, (date: string) => string | null>> = {
  daily: (date) => (isDay(date) ? date : null),
  weekly: (date) => (isDay(date) && isFriday(date) ? periodOn(date, 'W') : null),
  monthly: (date) => (isDay(date) || isPeriod(`${date}-01`) ? date.slice(0, 7) : null),
};
const EXAMPLES: Readonly<Record<SpotFrequency, string>> = {
  daily: '2026-08-18',
  weekly: '2026-08-14, a Friday',
  monthly: '2026-07 or 2026-07-15',
};

const isFriday = (day: string): boolean => new Date(`${day}T00:00:00Z`).getUTCDay() === 5;

/** @throws ImportError if the file's name has another form than `brent-daily.csv` */
export function spotTable(path: string): PriceTable {
  const [, series = '', frequency = ''] = /^(.+)-([a-z]+)\.csv$/.exec(basename(path)) ?? [];
  if (!isSeries(series) || !isFrequency(frequency)) {
    throw new ImportError(
      `${path}: expected a file named for its figures, ${Object.keys(SPOT_SERIES).join(', ')} with ` +
        `${Object.keys(SPOT_FREQUENCIES).join(', ')}, such as brent-daily.csv`,
    );
  }
  const letter: Frequency = SPOT_FREQUENCIES[frequency];
  return {
    dates: ['Date', 'Month', 'Week'],
    code: (column) => (column === 'Price' ? `${SPOT_SERIES[series].code}.${letter}` : null),
    period: PERIODS[frequency],
    example: EXAMPLES[frequency],
    absent: [''],
    fault: (value) => (Math.abs(value) <= HIGHEST ? null : 'is no price in US dollars'),
  };
}

const isSeries = (name: string): name is SpotSeries => Object.hasOwn(SPOT_SERIES, name);
const isFrequency = (name: string): name is SpotFrequency => Object.hasOwn(SPOT_FREQUENCIES, name);
