import { Turns, type TurnBounds } from '../../access/keys/turns.js';

interface SlotLimits extends TurnBounds {
  readonly slots: number;
}

const LIMITS: SlotLimits = {
  // With connection (0.9 s) and statement (2 s at most), the response is sent before load balancers time out.
  waitMs: 2_000,
  // Of ten database connections.
  slots: 8,
  mostWaiting: Infinity,
};

/**
 * Limits the concurrent cache misses of one account, so that one key cannot occupy all database connections. The
 * excess waits, because a page that sends twenty requests at once needs twenty responses.
 */
export class AccountSlots {
  private readonly accounts = new Map<string, Turns<'request'>>();
  private readonly limits: SlotLimits;

  constructor(limits: Partial<SlotLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** @throws ApiError `unavailable` if no slot becomes free in time */
  async run<Made>(accountId: string, work: () => Promise<Made>): Promise<Made> {
    const turns = this.accounts.get(accountId) ?? new Turns({ request: this.limits.slots }, this.limits);
    this.accounts.set(accountId, turns);
    try {
      return await turns.run('request', work);
    } finally {
      if (turns.isIdle) this.accounts.delete(accountId);
    }
  }
}
