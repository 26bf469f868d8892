// How much a change is worth a reader's attention, 0..100: the rule of docs/explanation/importance.md.
import { lastDayOf } from '../../figures/periods.js';
import type { DerivedChange, KnownRange } from './release-revision.rule.js';

const MILLISECONDS_A_YEAR = 365.25 * 86_400_000;
/** How many past steps a series is compared with. */
const STEPS = 20;

export interface Weighing {
  readonly kind: 'release' | 'revision';
  /** 0..1: how far the change goes beyond the series' ordinary step. */
  readonly unusualness: number;
  /** 0..100: the economy's weight, from the catalogue. */
  readonly regionWeight: number;
  /** Years from the end of the period to the vintage day. */
  readonly age: number;
}

/**
 * A release of a period that ended up to two years ago never falls below 30; a revision of one that ended
 * five years ago or more never rises above 22.
 */
export function importanceOf({ kind, unusualness, regionWeight, age }: Weighing): number {
  const weight = regionWeight / 100;
  const score =
    kind === 'release'
      ? (30 + 40 * unusualness + 30 * weight) / (1 + 0.1 * Math.max(0, age - 2))
      : (54 * unusualness + 36 * weight) / (1 + 0.7 * Math.max(0, age - 0.5));
  return Math.round(score);
}

/** One half for a step of median size, towards one for larger steps; one half if the median is unknown. */
export function unusualnessOf(step: number | null, ordinaryStep: number | null): number {
  if (step === null || ordinaryStep === null) return 0.5;
  const size = Math.abs(step);
  return size === 0 ? 0 : size / (size + ordinaryStep);
}

/** The median size of the last twenty steps before `period`, as known on `day`; `null` without any step. */
export function ordinaryStepOf(ranges: readonly KnownRange[], day: string, period: string): number | null {
  const values: number[] = [];
  for (const range of ranges) {
    if (range.period >= period) break;
    if (range.from <= day && (range.to === null || range.to > day)) values.push(Number(range.value));
  }
  const recent = values.slice(-STEPS - 1);
  const steps = recent.slice(1).map((value, index) => Math.abs(value - (recent[index] ?? value)));
  if (steps.length === 0) return null;
  steps.sort((a, b) => a - b);
  const middle = Math.floor(steps.length / 2);
  const upper = steps[middle] ?? 0;
  return steps.length % 2 === 1 ? upper : ((steps[middle - 1] ?? 0) + upper) / 2;
}

export function weigh(
  change: DerivedChange,
  ranges: readonly KnownRange[],
  day: string,
  regionWeight: number,
): number {
  const previous = change.previous.value;
  const step = previous === null ? null : Number(change.actual) - Number(previous);
  return importanceOf({
    kind: change.kind,
    unusualness: unusualnessOf(step, ordinaryStepOf(ranges, day, change.period)),
    regionWeight,
    age: Math.max(0, (Date.parse(day) - Date.parse(lastDayOf(change.period))) / MILLISECONDS_A_YEAR),
  });
}
