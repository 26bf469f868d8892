import type { Caller } from '../access/call-context.js';
import { PLAN_TERMS } from '../plans/plans.js';
import type { UsageLedger } from './usage-ledger.js';
import type { Admission, WindowStore } from './window-store.js';

/** Admits or refuses one request of an account, and has what is admitted written down. */
export class PlanLimiter {
  constructor(
    private readonly store: WindowStore,
    private readonly ledger: UsageLedger,
  ) {}

  async admit({ accountId, plan }: Caller): Promise<Admission> {
    const admission = await this.store.admit(accountId, PLAN_TERMS[plan], (subject, day) =>
      this.ledger.countedOn(subject, day),
    );
    if (admission.admitted) this.ledger.count(accountId, admission.day);
    return admission;
  }
}
