// What is counted and compared over a span of figures.
import { Fraction } from './fraction.js';
import { isNext, type Sequence, type Term } from './sequence.js';

const SIDES = ['below', 'equal', 'above'] as const;

/** A term with a value. */
export type ValuedTerm = Term & { readonly value: Fraction };

export interface Run {
  readonly figures: number;
  readonly first: string;
  readonly last: string;
}

export interface LevelStatistics {
  readonly above: number;
  readonly equal: number;
  readonly below: number;
  readonly longestAbove: Run | null;
  readonly longestBelow: Run | null;
  /** Which the last figure ends. */
  readonly lastRun: (Run & { readonly side: (typeof SIDES)[number] }) | null;
  /** From one side of the level to the other, or from it; oldest first. */
  readonly crossings: readonly { readonly term: ValuedTerm; readonly direction: 'up' | 'down' }[];
  readonly lastAbove: ValuedTerm | null;
  readonly lastBelow: ValuedTerm | null;
}

export interface Step {
  readonly from: ValuedTerm;
  readonly to: ValuedTerm;
  readonly change: Fraction;
}

export interface SpanStatistics {
  readonly figures: number;
  readonly missing: number;
  readonly lowest: ValuedTerm;
  readonly highest: ValuedTerm;
  readonly mean: Fraction;
  /** From the first figure to the last; null of a single one. */
  readonly change: Step | null;
  /** Between two consecutive figures; null if none rises. */
  readonly largestRise: Step | null;
  readonly largestFall: Step | null;
  readonly level: LevelStatistics | null;
}

/** Null of a span without figures. Of equal figures the first counts. */
export function statisticsOf(terms: Sequence, level: string | undefined): SpanStatistics | null {
  const valued = terms.filter((term): term is ValuedTerm => term.value !== null);
  const [first] = valued;
  if (first === undefined) return null;
  const pick = (better: (a: Fraction, b: Fraction) => boolean): ValuedTerm =>
    valued.reduce((best, term) => (better(term.value, best.value) ? term : best), first);
  const steps = pairsOf(valued).map(([from, to]) => stepOf(from, to));
  return {
    figures: valued.length,
    missing: terms.length - valued.length,
    lowest: pick((a, b) => a.compare(b) < 0),
    highest: pick((a, b) => a.compare(b) > 0),
    mean: Fraction.sum(valued.map(({ value }) => value)).over(Fraction.of(String(valued.length))),
    change: stepBetween(first, valued.at(-1) ?? first),
    largestRise: largest(
      steps.filter(({ change }) => !change.isNegative && !change.isZero),
      1,
    ),
    largestFall: largest(
      steps.filter(({ change }) => change.isNegative),
      -1,
    ),
    level: level === undefined ? null : levelStatistics(valued, Fraction.of(level)),
  };
}

const stepOf = (from: ValuedTerm, to: ValuedTerm): Step => ({ from, to, change: to.value.minus(from.value) });

const stepBetween = (from: ValuedTerm, to: ValuedTerm): Step | null => (from === to ? null : stepOf(from, to));

/** Neighbours between which nothing is missing. */
function pairsOf(valued: readonly ValuedTerm[]): (readonly [ValuedTerm, ValuedTerm])[] {
  return valued.slice(1).flatMap((term, index) => {
    const before = valued[index];
    return before !== undefined && isNext(before, term) ? [[before, term] as const] : [];
  });
}

const largest = (steps: readonly Step[], sign: 1 | -1): Step | null =>
  steps.reduce<Step | null>(
    (best, step) => (best === null || sign * step.change.compare(best.change) > 0 ? step : best),
    null,
  );

function levelStatistics(valued: readonly ValuedTerm[], level: Fraction): LevelStatistics {
  const sides = valued.map((term) => ({ term, side: Math.sign(term.value.compare(level)) }));
  const lastAt = (side: number) => sides.findLast((one) => one.side === side)?.term ?? null;
  const count = (side: number): number => sides.filter((one) => one.side === side).length;
  const crossings: LevelStatistics['crossings'][number][] = [];
  const longest = new Map<number, Run>();
  let run = null as Run | null;
  // The last side off the level; a figure on it belongs to neither.
  let lastSide = 0;
  for (const [index, { term, side }] of sides.entries()) {
    const before = sides[index - 1];
    const joined = before !== undefined && isNext(before.term, term);
    if (!joined) lastSide = 0;
    if (side !== 0 && lastSide !== 0 && side !== lastSide)
      crossings.push({ term, direction: side > 0 ? 'up' : 'down' });
    if (side !== 0) lastSide = side;
    const { period } = term;
    run =
      run !== null && joined && before.side === side
        ? { ...run, figures: run.figures + 1, last: period }
        : { figures: 1, first: period, last: period };
    if (run.figures > (longest.get(side)?.figures ?? 0)) longest.set(side, run);
  }
  return {
    above: count(1),
    equal: count(0),
    below: count(-1),
    crossings,
    longestAbove: longest.get(1) ?? null,
    longestBelow: longest.get(-1) ?? null,
    lastRun: run && { ...run, side: SIDES[(sides.at(-1)?.side ?? 0) + 1] ?? 'equal' },
    lastAbove: lastAt(1),
    lastBelow: lastAt(-1),
  };
}
