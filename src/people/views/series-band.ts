import type { Figure } from '../../domain/figures/figure.schema.js';
import type { ChartPoint } from './chart.js';

/** Each period with its current figure and the lowest and highest value of any vintage. */
export function bandOf(observations: readonly Figure[], vintages: readonly Figure[]): ChartPoint[] {
  const byPeriod = new Map<string, number[]>();
  for (const { period, value } of vintages) {
    if (period !== null && value !== null) byPeriod.set(period, [...(byPeriod.get(period) ?? []), value]);
  }
  return observations.flatMap(({ period: label, value, text }) => {
    if (label === null) return [];
    const values = byPeriod.get(label) ?? [];
    const range = values.length === 0 ? {} : { low: Math.min(...values), high: Math.max(...values) };
    return [{ label, value, text, ...range }];
  });
}
