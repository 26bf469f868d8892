// Reads the Treasury's table of par yields. Its columns differ by year: a maturity appears when it is first issued.
import { isDay } from '../../../domain/figures/periods.js';
import type { PriceTable } from '../../batches/price-table.js';

const MATURITY = /^(\d{1,2}(?:\.5)?) (?:(Mo)(?:nth)?|(Yr))$/;
const AMERICAN_DAY = /^(\d{2})\/(\d{2})\/(\d{4})$/;
/** Percent per year, far beyond any past yield: a larger number lacks its decimal point. */
const [LOWEST, HIGHEST] = [-10, 50];

/** `2025-07-11`, or `07/11/2025` on the Treasury's own site. */
function parseDay(text: string): string | null {
  const [, month = '', date = '', year = ''] = AMERICAN_DAY.exec(text) ?? [];
  const day = year === '' ? text : `${year}-${month}-${date}`;
  return isDay(day) ? day : null;
}

/** `10 Yr`, `1 Mo`, and `1.5 Mo` for the site's `1.5 Month`. */
function maturityOf(column: string): string | null {
  const [, number = '', months] = MATURITY.exec(column) ?? [];
  return number === '' ? null : `${number} ${months === undefined ? 'Yr' : 'Mo'}`;
}

/** The market's last day of a year is the 29th or later: a file that contains it covers the whole year. */
function endOfYear(last: string): string {
  const year = last.slice(0, 4);
  return last >= `${year}-12-29` ? `${year}-12-31` : last;
}

export const PAR_YIELDS: PriceTable = {
  dates: ['Date'],
  code: maturityOf,
  period: parseDay,
  example: '2025-07-11 or 07/11/2025',
  absent: ['', 'N/A'],
  fault: (value) => (value >= LOWEST && value <= HIGHEST ? null : 'is no yield in percent'),
  // Files cover whole calendar years, so that consecutive files leave no gap.
  span: (first, last) => [`${first.slice(0, 4)}-01-01`, endOfYear(last)],
};
