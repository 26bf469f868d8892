import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { AccessError, type RefusalCode } from '../../serve/access/accounts/access-error.js';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { utcMinute } from '../../domain/locale/utc-minute.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { PAGE_POLICY } from '../site/page-responses.service.js';
import { pageLocale } from '../site/page-locale.js';
import { Views } from '../site/views.service.js';
import { formToken, setCookie } from './account-cookie.js';
import type { AccountRequest } from './account-request.js';

/** The paths that a form may redirect to; a request cannot name another. */
export type AccountPath =
  | '/account'
  | '/account/sign-in'
  | '/account/sent'
  | '/account/sessions'
  | '/account/follows'
  | '/account/alerts'
  | '/account/alerts/one'
  | '/account/notifications'
  | '/account/sso'
  | '/account/delete';

const STATUSES: Partial<Record<RefusalCode, number>> = {
  too_many_attempts: 429,
  too_many_today: 429,
  form_foreign: 403,
  mail_unavailable: 503,
  sso_unavailable: 503,
};

const MOST_KEPT = 500;

export interface AccountModel {
  readonly status?: number;
  /** Whether a form of the page leads to the OpenID provider. */
  readonly leadsToProvider?: boolean;
  /** Whether the page contains nothing of the request but its language and error, and is rendered once. */
  readonly isKept?: boolean;
  /** A file of `assets/`; other pages run no script. */
  readonly script?: string;
  readonly [more: string]: unknown;
}

/**
 * Sends the pages of accounts. They are neither compressed, because they contain secrets beside text that the client
 * sent, nor cached.
 */
@Injectable()
export class AccountPages {
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
    request: AccountRequest,
    response: Response,
    view: string,
    { status = 200, leadsToProvider = false, isKept = false, ...model }: AccountModel = {},
  ) {
    const locale = pageLocale(request);
    const shared = {
      title: this.texts.say(locale, `account.${view.replace('account-', '').replaceAll('-', '_')}.title`),
      path: request.method === 'POST' ? '/account' : request.context.path,
      form: formToken(request.accountCookie),
      signedIn: request.signedIn,
      provider: this.provider?.settings.name ?? null,
      leadsToProvider: leadsToProvider && this.provider !== null,
      error: null,
      count: (count: number) => count.toLocaleString(locale),
      time: utcMinute,
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
        leadsToProvider || request.signedIn?.issuer != null,
        model.script !== undefined,
      ),
      'cache-control': 'no-store',
      // A form on our pages must send its origin.
      'referrer-policy': 'same-origin',
      vary: 'cookie, accept-language',
    });
    response.end(request.method === 'HEAD' ? undefined : html);
  }

  /** Refuses without a form to show again. */
  refuseUnread(request: AccountRequest, response: Response, error: AccessError): void {
    this.refuse(request, response, 'account-refused', error, { path: '/account', isKept: true });
  }

  /** Shows the same view again with the reason; rethrows any error that is no refusal. */
  refuse(
    request: AccountRequest,
    response: Response,
    view: string,
    error: unknown,
    model: AccountModel = {},
  ) {
    if (!(error instanceof AccessError) || error.refusal === null) throw error;
    const { code, args, retryAfterSeconds } = error.refusal;
    if (retryAfterSeconds !== undefined) response.setHeader('retry-after', String(retryAfterSeconds));
    const status = STATUSES[code] ?? 400;
    const named = { provider: this.provider?.settings.name ?? '', ...args };
    const reason = this.texts.say(pageLocale(request), `account.refused.${code}`, named);
    this.show(request, response, view, { ...model, status, error: reason });
  }

  /** Redirects by 303, so that a reload does not submit the form again. */
  lead(
    request: AccountRequest,
    response: Response,
    path: AccountPath,
    query: Readonly<Record<string, string>> = {},
  ): void {
    const search = new URLSearchParams({ ...query, locale: pageLocale(request) });
    this.redirect(response, `${path}?${search.toString()}`);
  }

  /** Redirects to the OpenID provider. */
  leadTo(url: URL, response: Response): void {
    this.redirect(response, url.href);
  }

  signIn(request: AccountRequest, response: Response, token: string, path: AccountPath = '/account'): void {
    setCookie(response, this.baseUrl, token);
    this.lead(request, response, path);
  }

  /** @param providerUrl where the browser signs out of the provider too */
  signOut(request: AccountRequest, response: Response, providerUrl: URL | null = null): void {
    setCookie(response, this.baseUrl);
    if (providerUrl === null) this.lead(request, response, '/account/sign-in');
    else this.leadTo(providerUrl, response);
  }

  private redirect(response: Response, target: string): void {
    response.setHeader('cache-control', 'no-store');
    response.redirect(303, target);
  }

  /** Browsers apply `form-action` to the redirects behind a form too. */
  private policy(leadsToProvider: boolean, hasScript: boolean): string {
    const own = PAGE_POLICY.replace("connect-src 'self'; ", '').replace(
      "script-src 'self'; ",
      hasScript ? '$&' : '',
    );
    if (!leadsToProvider || this.provider === null) return own;
    return own.replace("form-action 'self'", ["form-action 'self'", ...this.provider.origins].join(' '));
  }
}
