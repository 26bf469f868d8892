import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import type { Actor } from '../../serve/access/accounts/audit-log.js';
import type { Client, SignedIn } from '../../serve/access/sign-in/sessions.js';
import { ownMember } from '../../domain/names/own-member.js';
import type { Locale } from '../../domain/locale/locale.js';
import { RequestContext } from '../../serve/responses/request-context.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { pageLocale } from '../site/page-locale.js';

/** The paths that a form may redirect to; a request cannot name another. */
export type AccountPath =
  | '/account'
  | '/account/sign-in'
  | '/account/sent'
  | '/account/sessions'
  | '/account/links'
  | '/account/follows'
  | '/account/alerts'
  | '/account/alerts/one'
  | '/account/notifications'
  | '/account/sso'
  | '/account/delete';

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

/** Renders and sends pages of accounts. */
export interface AccountSender {
  readonly baseUrl: string;
  show(exchange: AccountExchange, view: string, model: AccountModel): void;
  setCookie(response: Response, token?: string): void;
}

/** A request of the account page, after its guard. */
export interface AccountRequest extends ApiRequest {
  exchange: AccountExchange;
  /** The fields of the form as texts. */
  body: Readonly<Record<string, unknown>> | undefined;
}

/** The browser behind a request. */
export interface Visitor {
  /** The value of a session or of an anonymous visitor. */
  readonly cookie: string;
  readonly signedIn: SignedIn | null;
  /** The key under which the client's address counts. */
  readonly addressKey: string;
  /** The address of the client, behind trusted proxies; empty if it is unknown. */
  readonly clientAddress: string;
  /** The address without its last part, for sessions and the audit log. */
  readonly shortAddress: string;
}

/** One request of the account page with its response. */
export class AccountExchange {
  constructor(
    readonly request: AccountRequest,
    readonly response: Response,
    readonly visitor: Visitor,
    private readonly pages: AccountSender,
  ) {}

  get locale(): Locale {
    return pageLocale(this.request);
  }

  /** The text of a field; empty if it is missing or repeated. */
  field(name: string): string {
    return textOf(ownMember(this.request.body ?? {}, name));
  }

  /** The text of a parameter in the URL; empty if it is missing or repeated. */
  parameter(name: string): string {
    return textOf(ownMember(this.request.context.query, name));
  }

  /** @throws AccessError `sign_in_first` */
  get owner(): SignedIn {
    const { signedIn } = this.visitor;
    if (signedIn === null) throw new AccessError('Nobody is signed in', { code: 'sign_in_first' });
    return signedIn;
  }

  get actor(): Actor {
    return { kind: 'owner', address: this.visitor.shortAddress };
  }

  get client(): Client {
    const name = (this.request.headers['user-agent'] ?? '').slice(0, 100);
    return { name, address: this.visitor.shortAddress };
  }

  get baseUrl(): string {
    return this.pages.baseUrl;
  }

  get now(): Date {
    return this.request.context.receivedAt;
  }

  /** The context with which the signed-in owner asks the API's services: a session takes the place of a key. */
  get context(): RequestContext {
    const { accountId, plan } = this.owner;
    const { id, receivedAt, path } = this.request.context;
    const context = new RequestContext(id, receivedAt, path, () => ({ locale: this.locale }));
    context.caller = { accountId, keyId: null, plan };
    return context;
  }

  show(view: string, model: AccountModel = {}): void {
    this.pages.show(this, view, model);
  }

  /** Redirects by 303, so that a reload does not submit the form again. */
  lead(path: AccountPath, query: Readonly<Record<string, string>> = {}): void {
    const search = new URLSearchParams({ ...query, locale: this.locale });
    this.redirect(`${path}?${search.toString()}`);
  }

  /** Redirects to a page of our own, or to the OpenID provider. */
  redirect(target: string): void {
    this.response.setHeader('cache-control', 'no-store');
    this.response.redirect(303, target);
  }

  signIn(token: string, path: AccountPath = '/account'): void {
    this.pages.setCookie(this.response, token);
    this.lead(path);
  }

  /** @param providerUrl where the browser signs out of the provider too */
  signOut(providerUrl: URL | null = null): void {
    this.pages.setCookie(this.response);
    if (providerUrl === null) this.lead('/account/sign-in');
    else this.redirect(providerUrl.href);
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The exchange of a handler, which sends the response by it. */
export const Exchange = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AccountRequest>().exchange,
);
