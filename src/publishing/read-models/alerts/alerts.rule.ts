import { comparedWith, holds, type Condition, type FigureAt } from '../../../figures/condition.js';

/** The last evaluation of an alert; null before the first. */
export interface LastEvaluation {
  readonly evaluatedPeriod: string | null;
  readonly met: boolean | null;
}

export interface Crossing {
  readonly figure: FigureAt;
  /** The figure that it was compared with. */
  readonly previous: FigureAt | null;
}

export interface AlertEvaluation {
  readonly last: LastEvaluation;
  readonly crossings: readonly Crossing[];
}

/**
 * Evaluates the figures of a series in the order of their periods. A crossing is a figure, later than any
 * evaluated one, that turns the condition true. Restated figures are not evaluated again, so one delivery or many
 * give the same crossings.
 * @param figures in order; those up to the evaluated period only serve for comparison
 */
export function evaluateAlert(
  condition: Condition,
  from: LastEvaluation,
  figures: readonly FigureAt[],
): AlertEvaluation {
  const crossings: Crossing[] = [];
  let { evaluatedPeriod, met } = from;
  for (const [index, figure] of figures.entries()) {
    if (evaluatedPeriod !== null && figure.period <= evaluatedPeriod) continue;
    const before = figures[index - 1];
    const now = holds(condition, figure.value, comparedWith(figure, before));
    if (now && met === false) crossings.push({ figure, previous: before ?? null });
    evaluatedPeriod = figure.period;
    met = now;
  }
  return { last: { evaluatedPeriod, met }, crossings };
}
