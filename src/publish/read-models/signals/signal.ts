import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Localized } from '../../../domain/locale/locale.js';

/** The rules; each has a section in docs/explanation/signals.md. */
export type SignalRule = 'streak' | 'turn' | 'revision_cluster' | 'persistent_move';

export type SignalStage = 'emerging' | 'active' | 'closed';
export type Direction = 'up' | 'down';

/** A detected signal, without its rule and what the database knows of its sources. */
export interface DetectedSignal {
  /** The evaluated subject: `gdp-growth@JP`. */
  readonly subject: string;
  /** Its first period or day. */
  readonly starts: string;
  readonly title: Localized;
  readonly summary: Localized;
  readonly stage: SignalStage;
  /** Days without news, by the newest data day, after which it counts as closed. */
  readonly currentDays: number;
  /** `YYYY-MM-DD`, by the data's own clock. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Number of its figures, by source. */
  readonly figures: ReadonlyMap<string, number>;
  /** Number of different series or periods among them. */
  readonly independent: number;
  /** Positions of the changes that it rests on. */
  readonly changes: readonly number[];
}

/** What a rule evaluated: signals in it that are not detected are deleted. */
export interface Scope {
  readonly subject: string;
  /** Bounds of a signal's start, both inclusive; without one, any. */
  readonly from?: string | null;
  readonly to?: string | null;
}

export interface Evaluation {
  readonly scopes?: readonly Scope[];
  readonly signals?: readonly DetectedSignal[];
}

/** Evaluates a rule for what the publication affected, part by part. */
export type Detector = (client: pg.PoolClient) => AsyncIterable<Evaluation>;

interface SignalIdentity extends Pick<DetectedSignal, 'subject' | 'starts'> {
  readonly rule: SignalRule;
}

/** Stable across databases: independent of values and of the order of imports. */
export function signalId({ rule, subject, starts }: SignalIdentity): string {
  const hash = createHash('sha256').update([rule, subject, starts].join('|'));
  return `sig_${hash.digest('base64url').slice(0, 27)}`;
}

export function directionOf(from: string, to: string): Direction | null {
  const step = Number(to) - Number(from);
  return step === 0 ? null : step > 0 ? 'up' : 'down';
}

/** The number of figures by source. @param each figures of one row */
export function figuresOf(rows: readonly { readonly source: string }[], each: number): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const { source } of rows) figures.set(source, (figures.get(source) ?? 0) + each);
  return figures;
}
