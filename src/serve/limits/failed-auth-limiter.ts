import type { IncomingMessage } from 'node:http';
import type { FailedAuthHandler } from '../access/keys/api-key.guard.js';
import type { Prices } from '../access/keys/prices.js';
import { ApiError } from '../../domain/errors/api-error.js';
import type { Plan } from '../../domain/plans/plans.js';
import { addressKey, clientAddress, type TrustedProxies } from './client-address.js';
import { headersWithNothingLeft } from './rate-limit-headers.js';
import { retryAfterSeconds } from './window.js';

/** Limits failed keys by client address. */
export class FailedAuthLimiter implements FailedAuthHandler {
  constructor(
    private readonly prices: Prices,
    private readonly trusted: TrustedProxies,
    private readonly onAttempt: (admitted: boolean) => void = () => undefined,
  ) {}

  /**
   * Counts one failed attempt.
   * @throws ApiError `too_many_failed_attempts` above the price of the act, without counting
   */
  async onFailure(request: IncomingMessage): Promise<void> {
    const address = addressKey(clientAddress(request, this.trusted));
    const waitMs = await this.prices.wait('failed_key', { address });
    this.onAttempt(waitMs === 0);
    if (waitMs > 0) {
      throw new ApiError('too_many_failed_attempts', { retryAfterSeconds: retryAfterSeconds(waitMs) });
    }
  }

  headersWithNothingLeft(plan: Plan): Readonly<Record<string, string>> {
    return headersWithNothingLeft(plan);
  }
}
