// The names of the checks, and what they find.

/** What kind of fault a check finds: the notice of a series in quarantine says it. */
export type FaultKind = 'impossible' | 'jump' | 'missing' | 'misplaced';

/** The checks of figures, in order, by the fault that they find. */
export const FIGURE_CHECKS = {
  bounds: 'impossible',
  future_period: 'impossible',
  weekend: 'impossible',
  gaps: 'missing',
  closed: 'missing',
  vanished_code: 'missing',
  restated: 'jump',
  restated_by_half: 'jump',
  final: 'jump',
  scale: 'jump',
  sudden_scale: 'jump',
  jump: 'jump',
  unusual: 'jump',
  together: 'jump',
  copied: 'misplaced',
  still: 'misplaced',
  turned: 'impossible',
  identity: 'impossible',
  swapped: 'misplaced',
  swapped_new: 'misplaced',
  inverted: 'jump',
  moved: 'misplaced',
  repeated: 'misplaced',
  partial: 'missing',
  gone: 'missing',
  cut: 'missing',
  constant: 'misplaced',
  superseded: 'misplaced',
  rounded: 'misplaced',
  alike: 'jump',
  other_base: 'jump',
  zero: 'impossible',
  missing_code: 'impossible',
  missing_days: 'missing',
  borrowed: 'misplaced',
  neighbours: 'misplaced',
  shared: 'misplaced',
  coarse: 'impossible',
  older: 'misplaced',
  average: 'impossible',
  hole: 'missing',
} as const satisfies Readonly<Record<string, FaultKind>>;
export type FigureCheck = keyof typeof FIGURE_CHECKS;
export const CHECKS = Object.keys(FIGURE_CHECKS) as readonly FigureCheck[];

/** The checks of single entities: those that fail wait, and the rest of the register is published. */
export const ENTITY_CHECKS = { exchanged: 'misplaced', circular: 'impossible' } as const satisfies Readonly<
  Record<string, FaultKind>
>;

export const REGISTER_CHECKS = [
  'renamed',
  'relocated',
  'inactive',
  'ended',
  'reversed',
  'unlisted',
  'requoted',
  'exchanged',
  'circular',
] as const;
export type RegisterCheck = (typeof REGISTER_CHECKS)[number];

/** One figure that a delivery changes, or that fails a check. */
export interface AuditedCell {
  /** `gdp-growth JP`, an instrument, an LEI or `CIK 320193`; null for a finding about a whole source. */
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

/** A series or an entity that waits while the others of its delivery are published. */
export interface QuarantinedSeries {
  /** `gdp-growth JP`, an instrument, an LEI, or `CIK 320193`. */
  readonly series: string;
  readonly checks: readonly string[];
}

export const isEntity = (name: string): boolean => /^(CIK \d+|[A-Z0-9]{18}\d{2})$/.test(name);

/** `3 series`, `1 entity`. A delivery has series or entities. */
export function countOfWaiting(waiting: readonly Pick<QuarantinedSeries, 'series'>[]): string {
  const [first] = waiting;
  const count = waiting.length.toLocaleString('en');
  if (first === undefined || !isEntity(first.series)) return `${count} series`;
  return `${count} ${waiting.length === 1 ? 'entity' : 'entities'}`;
}

/** `3 series wait`. */
export function waitText(waiting: readonly Pick<QuarantinedSeries, 'series'>[]): string {
  const count = countOfWaiting(waiting);
  return `${count} ${count === '1 entity' ? 'waits' : 'wait'}`;
}
