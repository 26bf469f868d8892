import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Refusal, RefusalCode } from '../../serve/access/accounts/access-error.js';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { PAGE_POLICY } from '../site/page-responses.service.js';
import { Views } from '../site/views.service.js';
import { formToken, setCookie } from './account-cookie.js';
import type { AccountExchange, AccountModel, AccountSender } from './account-exchange.js';

const STATUSES: Partial<Record<RefusalCode, number>> = {
  too_many_attempts: 429,
  too_many_today: 429,
  form_foreign: 403,
  mail_unavailable: 503,
  sso_unavailable: 503,
};

const MOST_KEPT = 500;

/**
 * Sends the pages of accounts. They are neither compressed, because they contain secrets beside text that the client
 * sent, nor cached.
 */
@Injectable()
export class AccountPages implements AccountSender {
  readonly baseUrl: string;
  /** By language and error; a refusal above a price has one for each second to wait. */
  private readonly kept = new LRUCache<string, Buffer>({ max: MOST_KEPT });

  constructor(
    private readonly views: Views,
    private readonly texts: Texts,
    @Inject(HTTP_SETTINGS) { baseUrl }: HttpSettings,
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | null,
  ) {
    this.baseUrl = baseUrl;
  }

  show(
    { request, response, visitor, locale }: AccountExchange,
    view: string,
    { status = 200, leadsToProvider = false, isKept = false, ...model }: AccountModel = {},
  ): void {
    const shared = {
      title: this.texts.say(locale, `account.${view.replace('account-', '').replaceAll('-', '_')}.title`),
      path: request.method === 'POST' ? '/account' : request.context.path,
      form: formToken(visitor.cookie),
      signedIn: visitor.signedIn,
      provider: this.provider?.settings.name ?? null,
      leadsToProvider: leadsToProvider && this.provider !== null,
      error: null,
    };
    const key = isKept ? `${locale} ${String(model['error'])}` : null;
    const kept = key === null ? undefined : this.kept.get(key);
    const html = kept ?? Buffer.from(this.views.render(view, { ...shared, ...model }, locale));
    if (key !== null) this.kept.set(key, html);
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': html.length,
      'content-language': locale,
      'content-security-policy': this.policy(
        leadsToProvider || visitor.signedIn?.issuer != null,
        model.script !== undefined,
      ),
      'cache-control': 'no-store',
      // A form on our pages must send its origin.
      'referrer-policy': 'same-origin',
      vary: 'cookie, accept-language',
    });
    response.end(request.method === 'HEAD' ? undefined : html);
  }

  /** Shows the view with the reason of a refusal. */
  refuse(
    exchange: AccountExchange,
    { code, args, retryAfterSeconds }: Refusal,
    view: string,
    model: AccountModel,
  ): void {
    if (retryAfterSeconds !== undefined) exchange.response.setHeader('retry-after', String(retryAfterSeconds));
    const named = { provider: this.provider?.settings.name ?? '', ...args };
    const error = this.texts.say(exchange.locale, `account.refused.${code}`, named);
    this.show(exchange, view, { ...model, status: STATUSES[code] ?? 400, error });
  }

  /** A new value each time rights change. */
  setCookie(response: Response, token?: string): void {
    setCookie(response, this.baseUrl, token);
  }

  /** Browsers apply `form-action` to the redirects behind a form too. */
  private policy(leadsToProvider: boolean, hasScript: boolean): string {
    const own = PAGE_POLICY.replace("connect-src 'self'; ", '').replace("script-src 'self'; ", hasScript ? '$&' : '');
    if (!leadsToProvider || this.provider === null) return own;
    return own.replace("form-action 'self'", ["form-action 'self'", ...this.provider.origins].join(' '));
  }
}
