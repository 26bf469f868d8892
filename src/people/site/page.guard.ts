import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Prices } from '../../serve/access/keys/prices.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { LoadShedder } from '../../serve/http/overload/load-shedder.js';
import { addressKey, clientAddress, trustProxies, type TrustedProxies } from '../../serve/limits/client-address.js';
import { MINUTE_MS, retryAfterSeconds } from '../../serve/limits/window.js';
import { SearchEngines } from './search-engines.js';

/** Refuses pages with figures earlier than the API under load, and limits each client address. */
@Injectable()
export class PageGuard implements CanActivate {
  private readonly trusted: TrustedProxies;

  constructor(
    private readonly loadShedder: LoadShedder,
    @Inject(CONFIG) private readonly config: Config,
    private readonly prices: Prices,
    private readonly engines: SearchEngines,
  ) {
    this.trusted = trustProxies(config.trustedProxies);
  }

  /** @throws ApiError `unavailable` while the instance is busy, `address_limit_exceeded` above the price of the page */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.loadShedder.isBusy) throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
    const request = context.switchToHttp().getRequest<IncomingMessage>();
    const client = clientAddress(request, this.trusted);
    const payer = { address: addressKey(client) };
    const isEngine = this.engines.isConfirmed(client, request.headers['user-agent']);
    const waitMs = await this.prices.wait('page', payer);
    if (waitMs === 0 || (isEngine && (await this.prices.allows('crawled_page', payer)))) return true;
    throw new ApiError('address_limit_exceeded', {
      retryAfterSeconds: retryAfterSeconds(waitMs),
      detail: waitMs > MINUTE_MS + 1 ? 'pages_day' : 'pages',
      args: { ...this.config.pageLimits },
    });
  }
}
