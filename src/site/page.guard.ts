import {
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
  type FactoryProvider,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { CLOCK, type Clock } from '../config/clock.js';
import { ApiError } from '../errors/api-error.js';
import { LoadShedder } from '../http/overload/load-shedder.js';
import { HTTP_SETTINGS, type HttpSettings } from '../http/settings.js';
import { addressKey, clientAddress, trustProxies, type TrustedProxies } from '../limits/client-address.js';
import { LocalLimiter } from '../limits/local-limiter.js';
import { NO_BASELINE } from '../limits/rate-limit-store.js';
import { retryAfterSeconds } from '../limits/window.js';

/** Above what a person reads in a minute; one page needs a few requests for itself and its files. */
const BUDGET = { perMinute: 120, perDay: null };

const PAGE_LIMITER = Symbol('The limiter of all pages');

/** One of an instance, because each module with pages has a guard of its own. */
export const pageLimiter: FactoryProvider<LocalLimiter> = {
  provide: PAGE_LIMITER,
  inject: [CLOCK],
  useFactory: (clock: Clock) => new LocalLimiter(clock),
};

/** Refuses pages earlier than the API under load, and limits each client address. */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly trusted: TrustedProxies;

  constructor(
    private readonly loadShedder: LoadShedder,
    @Inject(HTTP_SETTINGS) { trustedProxies }: HttpSettings,
    @Inject(PAGE_LIMITER) private readonly limiter: LocalLimiter,
  ) {
    this.trusted = trustProxies(trustedProxies);
  }

  /** @throws ApiError `unavailable` while the instance is busy, `address_limit_exceeded` past 120 a minute. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.loadShedder.isBusy) throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const key = addressKey(clientAddress(request, this.trusted));
    const { admitted, retryAfterMs } = await this.limiter.admit(key, BUDGET, NO_BASELINE);
    if (admitted) return true;
    throw new ApiError('address_limit_exceeded', { retryAfterSeconds: retryAfterSeconds(retryAfterMs) });
  }
}
