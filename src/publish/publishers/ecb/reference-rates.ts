// The ECB's tables of euro reference rates: the history and the daily file, which differ in how they write a day.
import { isDay } from '../../../domain/figures/periods.js';
import type { PriceTable } from '../../batches/price-table.js';

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const WORDED_DAY = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/;

/** `2026-04-13`, or `13 April 2026` in the daily file. */
export function parseDay(text: string): string | null {
  const [, date = '', month = '', year = ''] = WORDED_DAY.exec(text) ?? [];
  const number = MONTHS.indexOf(month) + 1;
  const day = date === '' ? text : `${year}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : null;
}

export const REFERENCE_RATES: PriceTable = {
  dates: ['Date'],
  code: (column) => (/^[A-Z]{3}$/.test(column) ? column : null),
  period: parseDay,
  example: '2026-04-13 or 13 April 2026',
  absent: ['N/A', ''],
  fault: (value) => (value > 0 ? null : 'is no exchange rate: one is above zero'),
};
