import type { Locale } from '../locale/locale.js';
import type { Plan, PlanTerms } from '../plans/plans.js';

/** Who asks: what a verified key stands for. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: Plan;
}

/** All that a service may know about a call, whichever delivery it came by. */
export interface CallContext {
  readonly caller: Caller;
  readonly reach: PlanTerms;
  readonly locale: Locale;
  /** The UTC day on which defaults that depend on today are resolved, `YYYY-MM-DD`. */
  readonly today: string;
  /** The revision of the page before, in a walk through a list: no older state may answer. 0 at its beginning. */
  readonly notBefore: number;
}
