import type { Plan } from '../plans/plans.js';

/** The account and key of a request. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly plan: Plan;
}
