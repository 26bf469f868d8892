// Years of national accounts that are not calendar years.
import { z } from 'zod';
import { previousPeriod } from './periods.js';
import { readEntries } from '../catalogue/catalogue-files.js';

const months = new Map(
  readEntries('sources', z.looseObject({ fiscalYears: z.record(z.string(), z.int()).optional() })).entries.map(
    ({ key, value }) => [key, new Map(Object.entries(value.fiscalYears ?? {}))],
  ),
);
const origins = new Map(
  readEntries('indicators', z.looseObject({ origins: z.array(z.string()) })).entries.map(({ key, value }) => [
    key,
    value.origins[0] ?? '',
  ]),
);

export interface FiscalYear {
  readonly first: string;
  readonly last: string;
}

/**
 * The first and the last month of an economy's year, where that is a fiscal year; null for any other period. The World Bank
 * names a fiscal year after the calendar year with its larger part; one of July to June after the year in which it ends.
 */
export function fiscalYearOf(indicator: string, region: string, period: string): FiscalYear | null {
  const month = months.get(origins.get(indicator) ?? '')?.get(region);
  if (month === undefined || !/^\d{4}$/.test(period)) return null;
  const year = month > 6 ? Number(period) - 1 : Number(period);
  const first = `${year}-${String(month).padStart(2, '0')}`;
  return { first, last: previousPeriod(`${year + 1}${first.slice(4)}`) };
}
