import { createHash } from 'node:crypto';
import type { Localized } from '../../../locale/locale.js';

/** Named rules; each has a section in docs/signals.md. */
export type SignalRule = 'streak' | 'turn' | 'revision_cluster' | 'persistent_move';

export type Judged = 'emerging' | 'active' | 'closed';
export type Direction = 'up' | 'down';

/** What a rule has found, whole but for what the database knows of its sources. */
export interface Signal {
  readonly rule: SignalRule;
  /** What the rule was asked about: `gdp-growth@JP`. */
  readonly subject: string;
  /** Where it begins: a period or a day. */
  readonly starts: string;
  readonly title: Localized;
  readonly summary: Localized;
  readonly judged: Judged;
  /** Days without news, by the newest data day, after which it counts as closed. */
  readonly currentDays: number;
  /** `YYYY-MM-DD`, by the data's own clock. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Sourced figures that it rests on, by source. */
  readonly figures: ReadonlyMap<string, number>;
  /** Different series or periods among them. */
  readonly independent: number;
  /** Positions of the changes that it rests on. */
  readonly changes: readonly number[];
}

/** All that a rule was asked about, so that what it does not find any more can go. */
export interface Scope {
  readonly rule: SignalRule;
  readonly subject: string;
  /** Bounds of where a signal begins, both inclusive; `null`: none. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The same for the same signal in every database: never made of values or of the order of imports. */
export function signalId({ rule, subject, starts }: Pick<Signal, 'rule' | 'subject' | 'starts'>): string {
  const hash = createHash('sha256').update([rule, subject, starts].join('|'));
  return `sig_${hash.digest('base64url').slice(0, 27)}`;
}

export function directionOf(from: string, to: string): Direction | null {
  const step = Number(to) - Number(from);
  return step === 0 ? null : step > 0 ? 'up' : 'down';
}
