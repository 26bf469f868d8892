import { readFileSync } from 'node:fs';

// Closes of weeks and months from a publisher's daily file, computed without the service's code.

export interface ExpectedClose {
  readonly period: string;
  readonly day: string;
  readonly value: number;
}

/** Printed prices by day, oldest first. */
export function dailyPrices(file: string, column: string): (readonly [day: string, value: number])[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const at = header.split(',').indexOf(column);
  return lines
    .map((line) => line.split(','))
    .filter((cells) => cells[at] !== '' && cells[at] !== 'N/A')
    .map((cells) => [cells[0] ?? '', Number(cells[at])] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The last price of each period, oldest period first. */
export function closesOf(
  prices: readonly (readonly [day: string, value: number])[],
  periodOf: (day: string) => string,
): ExpectedClose[] {
  const last = new Map<string, ExpectedClose>();
  for (const [day, value] of prices) last.set(periodOf(day), { period: periodOf(day), day, value });
  return [...last.values()];
}

export const monthOf = (day: string): string => day.slice(0, 7);

/** Counts days from the Monday of the week that contains 4 January. */
export function isoWeekOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  for (const year of [at.getUTCFullYear() + 1, at.getUTCFullYear(), at.getUTCFullYear() - 1]) {
    const fourth = new Date(Date.UTC(year, 0, 4));
    const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * 86_400_000;
    if (at.getTime() < monday) continue;
    const week = Math.floor((at.getTime() - monday) / (7 * 86_400_000)) + 1;
    return `${year}-W${String(week).padStart(2, '0')}`;
  }
  throw new Error(`${day} lies in no week`);
}
