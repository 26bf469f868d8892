import type { Figure } from '../../domain/figures/figure.schema.js';
import type { RestatedPeriod } from '../../serve/resources/macro/surroundings.service.js';
import type { ChartPoint } from './chart.js';

/** Each period with its current figure and, where it was restated, the lowest and highest value of any vintage. */
export function bandOf(observations: readonly Figure[], restated: readonly RestatedPeriod[]): ChartPoint[] {
  const ranges = new Map(restated.map(({ period, low, high }) => [period, { low, high }]));
  return observations.flatMap(({ period: label, value, text }) =>
    label === null ? [] : [{ label, value, text, ...ranges.get(label) }],
  );
}
