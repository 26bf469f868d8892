// The names of the checks, and what they find.

export const CHECKS = [
  ...(['bounds', 'future_period', 'weekend', 'gaps', 'closed', 'vanished_code'] as const),
  ...(['restated', 'restated_by_half', 'final', 'scale', 'sudden_scale', 'jump'] as const),
  ...(['swapped', 'swapped_new', 'inverted', 'moved', 'repeated', 'partial', 'gone', 'cut'] as const),
  ...(['constant', 'superseded', 'rounded', 'other_base'] as const),
  ...(['zero', 'missing_code', 'missing_days'] as const),
] as const;
export type FigureCheck = (typeof CHECKS)[number];

export const REGISTER_CHECKS = [
  ...(['renamed', 'inactive', 'ended', 'reversed', 'unlisted', 'requoted'] as const),
] as const;
export type RegisterCheck = (typeof REGISTER_CHECKS)[number];

/** One figure that a delivery changes, or that fails a check. */
export interface AuditedCell {
  /** `gdp-growth JP`, or an instrument; null for a finding about a whole source. */
  readonly series: string | null;
  readonly period: string;
  /** What is stored, as decimal text; null: nothing. */
  readonly held: string | null;
  /** What the delivery gives; null: nothing. */
  readonly value: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

export type CheckName = FigureCheck | RegisterCheck;

/** What is implausible about one indicator, instrument or source. */
export interface Finding {
  readonly check: CheckName;
  readonly subject: string;
  readonly reason: string;
  /** Of all cells. */
  readonly count: number;
  /** The first of them. */
  readonly cells: readonly AuditedCell[];
}
