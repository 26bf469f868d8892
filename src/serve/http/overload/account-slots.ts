import { ApiError } from '../../../domain/errors/api-error.js';

export interface SlotLimits {
  /** How long a request waits for a slot. */
  readonly waitMs: number;
  readonly slots: number;
  /** Requests beyond this are refused at once. */
  readonly mostWaiting: number;
}

const LIMITS: SlotLimits = {
  // With connection (0.9 s) and statement (2 s at most), the response is sent before load balancers time out.
  waitMs: 2_000,
  // Of ten database connections.
  slots: 8,
  mostWaiting: Infinity,
};

interface Account {
  free: number;
  /** In order of arrival; a released slot goes to the first. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits the concurrent cache misses of one account, so that one key cannot occupy all database connections. The
 * excess waits, because a page that sends twenty requests at once needs twenty responses.
 */
export class AccountSlots {
  private readonly accounts = new Map<string, Account>();

  private readonly limits: SlotLimits;

  constructor(limits: Partial<SlotLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** @throws ApiError `unavailable` if no slot becomes free in time */
  async run<Made>(accountId: string, work: () => Promise<Made>): Promise<Made> {
    const account = this.accounts.get(accountId) ?? { free: this.limits.slots, waiting: new Set() };
    this.accounts.set(accountId, account);
    if (account.free > 0) account.free -= 1;
    else await this.wait(account);
    try {
      return await work();
    } finally {
      this.release(accountId, account);
    }
  }

  private wait({ waiting }: Account): Promise<void> {
    const refusal = () => new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
    if (waiting.size >= this.limits.mostWaiting) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(refusal());
      }, this.limits.waitMs);
      waiting.add(begin);
    });
  }

  private release(accountId: string, account: Account): void {
    const [next] = account.waiting;
    if (next !== undefined) next();
    else if (++account.free === this.limits.slots) this.accounts.delete(accountId);
  }
}
