// Conditions on figures: alerts set them, publishing evaluates them.
import { isAbove, percentChange } from './decimal.js';
import { frequencyOf, previousPeriod } from './periods.js';

export const VALUE_METRICS = ['value_above', 'value_below', 'move_percent'] as const;
export type ValueMetric = (typeof VALUE_METRICS)[number];

export interface Condition {
  readonly metric: ValueMetric;
  /** Plain decimal text: in the figure's unit, or the percent of a move in either direction. */
  readonly threshold: string;
}

/**
 * Above and below are strict; a move is at least the threshold. There is no percentage move from a missing figure,
 * from zero or from below.
 */
export function holds({ metric, threshold }: Condition, value: string, previous: string | null): boolean {
  switch (metric) {
    case 'value_above':
      return isAbove(value, threshold);
    case 'value_below':
      return isAbove(threshold, value);
    case 'move_percent': {
      const percent = previous === null ? null : percentChange(previous, value);
      return percent !== null && !isAbove(threshold, percent.replace(/^-/, ''));
    }
  }
}

export interface FigureAt {
  readonly period: string;
  /** Plain decimal text. */
  readonly value: string;
}

/** The figure to compare with: in a daily series the last one before it, else only the one of the previous period. */
export function comparedWith({ period }: FigureAt, before: FigureAt | undefined): string | null {
  if (before === undefined) return null;
  return frequencyOf(period) === 'D' || before.period === previousPeriod(period) ? before.value : null;
}
