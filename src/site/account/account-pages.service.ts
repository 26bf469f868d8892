import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../access/access-error.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../http/settings.js';
import { Texts } from '../../locale/texts.service.js';
import { PAGE_POLICY } from '../page-responses.service.js';
import { pageLocale } from '../page-locale.js';
import { Views } from '../views.service.js';
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
  | '/account/notifications';

export interface AccountModel {
  readonly status?: number;
  readonly [more: string]: unknown;
}

/**
 * Sends the pages of accounts. They are neither compressed, because they contain secrets beside text that the client
 * sent, nor cached.
 */
@Injectable()
export class AccountPages {
  readonly baseUrl: string;

  constructor(
    private readonly views: Views,
    private readonly texts: Texts,
    @Inject(HTTP_SETTINGS) { baseUrl }: HttpSettings,
  ) {
    this.baseUrl = baseUrl;
  }

  show(
    request: AccountRequest,
    response: Response,
    view: string,
    { status = 200, ...model }: AccountModel = {},
  ) {
    const locale = pageLocale(request);
    const shared = {
      title: this.texts.say(locale, `account.${view.replace('account-', '').replaceAll('-', '_')}.title`),
      path: request.method === 'POST' ? '/account' : request.context.path,
      form: formToken(request.accountCookie),
      signedIn: request.signedIn,
      error: null,
      count: (count: number) => count.toLocaleString(locale),
      time: (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    };
    const html = Buffer.from(this.views.render(view, { ...shared, ...model }, locale));
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': html.length,
      'content-language': locale,
      'content-security-policy': PAGE_POLICY.replace("script-src 'self'; connect-src 'self'; ", ''),
      'cache-control': 'no-store',
      // A form on our pages must send its origin.
      'referrer-policy': 'same-origin',
      vary: 'cookie, accept-language',
    });
    response.end(request.method === 'HEAD' ? undefined : html);
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
    const status = code === 'too_many_attempts' ? 429 : code === 'form_foreign' ? 403 : 400;
    const reason = this.texts.say(pageLocale(request), `account.refused.${code}`, args);
    this.show(request, response, view, { ...model, status, error: reason });
  }

  /** Redirects by 303, so that a reload does not submit the form again. */
  lead(
    request: AccountRequest,
    response: Response,
    path: AccountPath,
    query: Readonly<Record<string, string>> = {},
  ): void {
    response.setHeader('cache-control', 'no-store');
    const search = new URLSearchParams({ ...query, locale: pageLocale(request) });
    response.redirect(303, `${path}?${search.toString()}`);
  }

  signIn(request: AccountRequest, response: Response, token: string): void {
    setCookie(response, this.baseUrl, token);
    this.lead(request, response, '/account');
  }

  signOut(request: AccountRequest, response: Response): void {
    setCookie(response, this.baseUrl);
    this.lead(request, response, '/account/sign-in');
  }
}
