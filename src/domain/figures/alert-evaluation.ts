// The rule by which alerts fire: publishing evaluates new figures by it, and the replay the figures of the last year.
import { comparedWith, holds, type Condition, type FigureAt } from './condition.js';
import { lastDayOf } from './periods.js';

/** Most events of one alert on changes in one publication: a re-basing must not fill the table. */
export const MOST_EVENTS_AT_ONCE = 20;

/** SQL: whether a change with its series, null without one, fires. A first import contains the past. */
export const firesSql = (change: string, series: string): string =>
  `(${series}.id IS NULL OR ${change}.vintage_day > ${series}.baseline_day)`;

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

/** A value of a period, with the vintages in which it was known: from the first day on, before the second. */
export interface FigureVintage extends FigureAt {
  readonly knownFrom: string;
  readonly knownUntil: string | null;
}

export interface ReplayedCrossing extends Crossing {
  /** The vintage day on which the figure was new; in the first vintage, which contains the past, the period's last day. */
  readonly day: string;
}

/**
 * The crossings of an alert that had always existed: evaluates the vintages one by one, with the values of their day.
 * @param known in the order of periods
 */
export function replayAlert(condition: Condition, known: readonly FigureVintage[]): ReplayedCrossing[] {
  const days = [...new Set(known.map(({ knownFrom }) => knownFrom))].sort();
  const first = days[0];
  let last: LastEvaluation = { evaluatedPeriod: null, met: null };
  return days.flatMap((vintage) => {
    const evaluation = evaluateAlert(condition, last, newFigures(known, vintage, last.evaluatedPeriod ?? ''));
    last = evaluation.last;
    return evaluation.crossings.map((crossing) => ({
      ...crossing,
      day: vintage === first ? lastDayOf(crossing.figure.period) : vintage,
    }));
  });
}

/** The figures of a vintage after a period, behind the figure with which the first of them is compared. */
function newFigures(known: readonly FigureVintage[], vintage: string, after: string): FigureVintage[] {
  const made = known.filter(({ period, knownFrom }) => knownFrom === vintage && period > after);
  const [first] = made;
  if (first === undefined) return [];
  const earlier = known.slice(0, known.indexOf(first));
  const before = earlier.findLast(
    ({ period, knownFrom, knownUntil }) =>
      period < first.period && knownFrom <= vintage && (knownUntil === null || knownUntil > vintage),
  );
  return before === undefined ? made : [before, ...made];
}
