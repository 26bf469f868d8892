import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { urlencoded, type Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { Prices } from '../../serve/access/keys/prices.js';
import { Sessions } from '../../serve/access/sign-in/sessions.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { LoadShedder } from '../../serve/http/overload/load-shedder.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { addressKey, clientAddress, trustProxies, type TrustedProxies } from '../../serve/limits/client-address.js';
import { isFormToken, readCookie, setCookie } from './account-cookie.js';
import { AccountDatabase } from './account-database.js';
import { AccountExchange, type AccountRequest, type Visitor } from './account-exchange.js';
import { AccountPages } from './account-pages.service.js';

const parseForm = urlencoded({ extended: false, limit: '10kb', parameterLimit: 20 });

/** Finds the session, sets a cookie for a visitor, and refuses a form that another site sent. */
@Injectable()
export class AccountGuard implements CanActivate {
  private readonly trusted: TrustedProxies;

  constructor(
    private readonly database: AccountDatabase,
    private readonly sessions: Sessions,
    private readonly prices: Prices,
    private readonly loadShedder: LoadShedder,
    private readonly pages: AccountPages,
    @Inject(HTTP_SETTINGS) private readonly settings: HttpSettings,
  ) {
    this.trusted = trustProxies(settings.trustedProxies);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<AccountRequest>();
    const response = http.getResponse<Response>();
    const { baseUrl } = this.settings;
    if (this.loadShedder.isBusy) throw new ApiError('unavailable', { detail: 'busy', retryAfterSeconds: 1 });
    const address = clientAddress(request, this.trusted);
    const cookie = readCookie(request, baseUrl);
    const stranger = {
      cookie: cookie ?? '',
      signedIn: null,
      addressKey: addressKey(address),
      clientAddress: address,
      shortAddress: shortenAddress(address),
    };
    const begin = (more: Partial<Visitor> = {}): AccountExchange =>
      (request.exchange = new AccountExchange(request, response, { ...stranger, ...more }, this.pages));
    begin();
    await this.pay(request, stranger.addressKey, cookie);
    await this.database.open();
    if (cookie === null) begin({ cookie: setCookie(response, baseUrl) });
    if (request.method === 'POST') {
      await readForm(request, response);
      this.refuseForeign(request, cookie);
    }
    if (cookie !== null) begin({ signedIn: await this.sessions.find(cookie) });
    return true;
  }

  /** Comes before all that costs: the form, the session and the database. */
  private async pay({ method }: AccountRequest, address: string, cookie: string | null): Promise<void> {
    if (cookie !== null && this.sessions.isKnown(cookie)) return this.prices.take('owner_page', { subject: cookie });
    return this.prices.take(method === 'POST' ? 'account_form' : 'account_page', { address });
  }

  /** Browsers state the origin of a form; the token protects where they do not. */
  private refuseForeign(request: AccountRequest, cookie: string | null): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isOwn =
      site === undefined
        ? origin === undefined || origin === new URL(this.settings.baseUrl).origin
        : site === 'same-origin';
    if (!isOwn || cookie === null || !isFormToken(request.exchange.field('form'), cookie)) {
      throw new AccessError('The form was not sent from our page', { code: 'form_foreign' });
    }
  }
}

async function readForm(request: AccountRequest, response: Response): Promise<void> {
  if (request.is('application/x-www-form-urlencoded') === false) throw new ApiError('unsupported_media_type');
  await new Promise<void>((resolve, reject) => {
    parseForm(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(new ApiError('body_too_large', {}, { cause: error }));
    });
  });
}

/** Three of four parts, or the network of an IPv6 address: enough to distinguish places. */
function shortenAddress(address: string): string {
  const key = addressKey(address).slice('addr:'.length);
  return key.includes(':') ? key : key.replace(/\.\d+$/, '.x');
}
