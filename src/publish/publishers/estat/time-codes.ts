import { isPeriod } from '../../../domain/figures/periods.js';

/** A year, a mark of the fiscal year, and the months from and to: all ten digits. */
const CODE = /^(\d{4})(00|10)(\d{2})(\d{2})$/;

/**
 * `2020000000` as 2020, `2020100000` as FY2020, `2020000103` as 2020-Q1, `2020000712` as 2020-H2 and `2020000404` as
 * 2020-04; `null` for any other code.
 */
export function periodOfTime(code: string): string | null {
  const [, year = '', facetToken, from = '', to = ''] = CODE.exec(code) ?? [];
  if (facetToken === undefined) return null;
  const period = periodIn(year, facetToken === '10', Number(from), Number(to));
  return period !== null && isPeriod(period) ? period : null;
}

function periodIn(year: string, fiscal: boolean, from: number, to: number): string | null {
  if (from === 0 && to === 0) return fiscal ? `FY${year}` : year;
  if (fiscal) return null;
  if (from === to) return `${year}-${String(from).padStart(2, '0')}`;
  if (to - from === 2 && from % 3 === 1) return `${year}-Q${to / 3}`;
  return to - from === 5 && from % 6 === 1 ? `${year}-H${to / 6}` : null;
}
