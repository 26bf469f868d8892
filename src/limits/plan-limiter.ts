import type { Caller } from '../access/call-context.js';
import { PLAN_TERMS } from '../plans/plans.js';
import type { UsageLedger } from './usage-ledger.js';
import { NONE_YET, type Admission, type WindowStore } from './window-store.js';

/** What costs no request is bounded all the same, an account and minute. */
const FREE = { perMinute: 60, perDay: null };

/** Admits or refuses one request of an account, and has what is admitted written down. */
export class PlanLimiter {
  constructor(
    private readonly store: WindowStore,
    private readonly ledger: UsageLedger,
  ) {}

  async admit({ accountId, plan }: Caller): Promise<Admission> {
    const admission = await this.store.admit(accountId, PLAN_TERMS[plan], this.seed);
    if (admission.admitted) this.ledger.count(accountId, admission.day);
    return admission;
  }

  /** Counts in a window of its own, and gives the plan's windows as they stand: nothing is counted in them. */
  async admitFree({ accountId, plan }: Caller): Promise<Admission> {
    const [free, plans] = await Promise.all([
      this.store.admit(`free:${accountId}`, FREE, NONE_YET),
      // A day without room refuses whatever is asked: the answer says what the windows hold.
      this.store.admit(accountId, { ...PLAN_TERMS[plan], perDay: 0 }, this.seed),
    ]);
    const { admitted, retryAfterMs } = free;
    return { ...plans, admitted, refusedBy: admitted ? null : 'minute', retryAfterMs };
  }

  private readonly seed = (subject: string, day: string) => this.ledger.countedOn(subject, day);
}
