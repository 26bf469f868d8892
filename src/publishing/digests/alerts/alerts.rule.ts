import { comparedWith, holds, type Condition, type FigureAt } from '../../../figures/condition.js';

/** Where an alert stood when it was last judged; null before anything could be. */
export interface Standing {
  readonly judgedPeriod: string | null;
  readonly met: boolean | null;
}

export interface Crossing {
  readonly figure: FigureAt;
  /** What it was compared with. */
  readonly previous: FigureAt | null;
}

export interface Judgement {
  readonly standing: Standing;
  readonly crossings: readonly Crossing[];
}

/**
 * Steps through the figures of a series in the order of their periods. A figure later than any judged before can turn
 * the condition true, which is a crossing; nothing is one where the condition held already, and none is judged twice:
 * a restated figure says nothing new here. The same figures give the same crossings in one delivery or in many.
 *
 * @param figures in order; those up to the judged period only serve as what a later one is compared with
 */
export function judge(condition: Condition, from: Standing, figures: readonly FigureAt[]): Judgement {
  const crossings: Crossing[] = [];
  let { judgedPeriod, met } = from;
  for (const [index, figure] of figures.entries()) {
    if (judgedPeriod !== null && figure.period <= judgedPeriod) continue;
    const before = figures[index - 1];
    const now = holds(condition, figure.value, comparedWith(figure, before));
    if (now && met === false) crossings.push({ figure, previous: before ?? null });
    judgedPeriod = figure.period;
    met = now;
  }
  return { standing: { judgedPeriod, met }, crossings };
}
