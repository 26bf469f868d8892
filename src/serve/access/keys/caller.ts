import type { Plan } from '../../../domain/plans/plans.js';

/** The account of a request, and its key. */
export interface Caller {
  readonly accountId: string;
  /** Null: an access token or a session. */
  readonly keyId: string | null;
  readonly plan: Plan;
  /** Of a file link: the address of the page whose table it opens, and nothing else. */
  readonly reads?: string;
}

/** This process itself, which has no account: its requests are not counted, logged or measured. */
export const OWN_CALLER: Caller = { accountId: 'own', keyId: null, plan: 'developer' };
