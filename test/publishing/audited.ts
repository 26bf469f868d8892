// Figures for the specs of the audit, and ways to spoil them.
import { isHoliday } from '../../src/domain/figures/holidays.js';
import type { DeliveryTraits, Figures } from './deliveries.js';

export type Values = Readonly<Record<string, string>>;
export const byYear = (first: number, values: readonly string[]): Values =>
  Object.fromEntries(values.map((value, index) => [String(first + index), value]));
export const mapped = (
  figures: Figures,
  to: (value: string, period: string, series: string) => string | null,
): Figures =>
  Object.fromEntries(
    Object.entries(figures).map(([series, values]) => [
      series,
      Object.fromEntries(
        Object.entries(values).flatMap(([period, value]) => {
          const made = to(value, period, series);
          return made === null ? [] : [[period, made]];
        }),
      ),
    ]),
  );
export const times = (factor: number) => (value: string) => String(Number(value) * factor);

export const GROWTH: Figures = {
  'gdp-growth JP': byYear(2019, ['-0.4', '-4.2', '2.7', '0.9', '1.5', '0.1']),
  'gdp-growth DE': byYear(2019, ['1.1', '-3.8', '3.2', '1.4', '-0.3', '-0.2']),
  'gdp-growth US': byYear(2019, ['2.3', '-2.8', '5.9', '1.9', '2.5', '2.8']),
};
export const PEOPLE: Figures = {
  'population JP': byYear(2019, ['126633000', '126261000', '125682000', '125125000', '124517000', '123975000']),
  'population DE': byYear(2019, ['83093000', '83161000', '83196000', '83798000', '83280000', '83511000']),
};
export const GDP: Figures = {
  'gdp JP': byYear(2019, [
    '5117993853016',
    '5055587093502',
    '5034620784580',
    '4256410760724',
    '4213167000000',
    '4026211000000',
  ]),
  'gdp DE': byYear(2019, [
    '3957208055000',
    '3940142541000',
    '4348297440000',
    '4163596357000',
    '4525703904000',
    '4659929335000',
  ]),
};
export const days = (first: string, values: readonly string[]): Values => {
  const day = new Date(`${first}T00:00:00Z`);
  return Object.fromEntries(
    values.map((value) => {
      while ([0, 6].includes(day.getUTCDay())) day.setUTCDate(day.getUTCDate() + 1);
      const text = day.toISOString().slice(0, 10);
      day.setUTCDate(day.getUTCDate() + 1);
      return [text, value];
    }),
  );
};
/** On days on which both the euro and oil are traded. */
export const pricesOf = (values: readonly string[]): Values => {
  const isOpen = (day: string) => !isHoliday('target', day) && !isHoliday('us-federal', day);
  const open = Object.keys(
    days(
      '2025-06-02',
      Array.from({ length: 2 * values.length }, () => ''),
    ),
  ).filter(isOpen);
  return Object.fromEntries(values.map((value, at) => [open[at] ?? '', value]));
};
export const wave = (count: number, at: number, by: number): string[] =>
  Array.from({ length: count }, (_, index) => (at + by * Math.sin(index)).toFixed(4));
export const RATES: Figures = {
  eurusd: days('2026-01-05', wave(60, 1.17, 0.01)),
  eurjpy: days('2026-01-05', wave(60, 182, 2)),
};
/** Without the holidays of the Treasury. */
export const YIELDS: Figures = {
  'us-par-yield-10y': Object.fromEntries(
    Object.entries(days('2026-01-05', wave(60, 4.4, 0.1))).filter(([day]) => !isHoliday('us-federal', day)),
  ),
};

/** The delivery covers all that is stored, and what it gives. */
export const speaking = (figures: Figures, stored: Figures): DeliveryTraits => ({
  figures,
  speaks: Object.fromEntries(
    Object.keys(stored).map((series) => {
      const periods = [...Object.keys(stored[series] ?? {}), ...Object.keys(figures[series] ?? {})].sort();
      return [series, [periods[0] ?? '', periods.at(-1) ?? ''] as const];
    }),
  ),
});
