import type { Figure } from '../../domain/figures/figure.schema.js';
import type { ChartPoint } from './chart.js';

/** Each period with its current figure and the lowest and highest value of any vintage. */
export function bandOf(observations: readonly Figure[], vintages: readonly Figure[]): ChartPoint[] {
  const said = new Map<string, number[]>();
  for (const { period, value } of vintages) {
    if (period !== null && value !== null) said.set(period, [...(said.get(period) ?? []), value]);
  }
  return observations.map(({ period, value }) => {
    const label = period ?? '';
    const values = said.get(label) ?? [];
    return values.length === 0
      ? { label, value }
      : { label, value, low: Math.min(...values), high: Math.max(...values) };
  });
}
