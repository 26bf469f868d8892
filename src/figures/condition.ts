// Conditions that a figure can meet: the same when an account sets one and when a publication judges it.
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
 * Above and below are strict; a move is one of at least the threshold. Against no figure, or one that is not above
 * zero, nothing moves by any percentage.
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

/**
 * What a figure is compared with, given the newest one before it: in a daily series whatever the source printed
 * last, else only the very period before.
 */
export function comparedWith({ period }: FigureAt, before: FigureAt | undefined): string | null {
  if (before === undefined) return null;
  return frequencyOf(period) === 'D' || before.period === previousPeriod(period) ? before.value : null;
}
