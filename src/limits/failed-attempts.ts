import type { IncomingMessage } from 'node:http';
import type { Refusals } from '../access/api-key.guard.js';
import { ApiError } from '../errors/api-error.js';
import type { Plan } from '../plans/plans.js';
import { addressSubject, clientAddress, type TrustedProxies } from './client-address.js';
import { headersWithNothingLeft } from './limit-headers.js';
import { retryAfterSeconds } from './window.js';
import { NONE_YET, type WindowStore } from './window-store.js';

const BUDGET = { perMinute: 20, perDay: null };

/** Failed keys by client address, counted on this instance: a guess must not cost a store anything. */
export class FailedAttempts implements Refusals {
  constructor(
    private readonly store: WindowStore,
    private readonly trusted: TrustedProxies,
    private readonly onAttempt: (admitted: boolean) => void = () => undefined,
  ) {}

  /** @throws ApiError `too_many_failed_attempts` past 20 a minute; counts one otherwise. */
  async refuse(request: IncomingMessage): Promise<void> {
    const subject = addressSubject(clientAddress(request, this.trusted));
    const { admitted, retryAfterMs } = await this.store.admit(subject, BUDGET, NONE_YET);
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
