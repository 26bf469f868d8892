import type { IncomingMessage } from 'node:http';
import type { FailedAuthHandler } from '../access/api-key.guard.js';
import { ApiError } from '../errors/api-error.js';
import type { Plan } from '../plans/plans.js';
import { addressKey, clientAddress, type TrustedProxies } from './client-address.js';
import { headersWithNothingLeft } from './rate-limit-headers.js';
import { NO_BASELINE, type RateLimitStore } from './rate-limit-store.js';
import { retryAfterSeconds } from './window.js';

const BUDGET = { perMinute: 20, perDay: null };

/** Limits failed keys by client address, on this instance only: guesses must not load the shared store. */
export class FailedAuthLimiter implements FailedAuthHandler {
  constructor(
    private readonly store: RateLimitStore,
    private readonly trusted: TrustedProxies,
    private readonly onAttempt: (admitted: boolean) => void = () => undefined,
  ) {}

  /**
   * Counts one failed attempt.
   * @throws ApiError `too_many_failed_attempts` past 20 a minute, without counting
   */
  async onFailure(request: IncomingMessage): Promise<void> {
    const key = addressKey(clientAddress(request, this.trusted));
    const { admitted, retryAfterMs } = await this.store.admit(key, BUDGET, NO_BASELINE);
    this.onAttempt(admitted);
    if (!admitted) {
      throw new ApiError('too_many_failed_attempts', {
        retryAfterSeconds: retryAfterSeconds(retryAfterMs),
      });
    }
  }

  headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>> {
    return headersWithNothingLeft(plan);
  }
}
