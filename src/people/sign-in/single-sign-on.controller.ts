import { Controller, Get, Inject, Post } from '@nestjs/common';
import type { RequestPurpose } from '../../serve/access/single-sign-on/authorization-requests.js';
import { SingleSignOn, type Browser } from '../../serve/access/single-sign-on/single-sign-on.js';
import { ApiError } from '../../domain/errors/api-error.js';
import type { ApiRequest } from '../../serve/http/request/api-request.js';
import { AccountPage, OnRefusal } from '../account/account-page.decorator.js';
import { type AccountPath, AccountExchange, Exchange } from '../account/account-exchange.js';

/** Where each request to the provider ends. */
const TARGETS: Readonly<Record<RequestPurpose, AccountPath>> = {
  sign_in: '/account',
  link: '/account/sso',
  confirm: '/account/delete',
};

const FAILED = 'account-sso-failed';
const LEADS = { leadsToProvider: true };

/** Single sign-on by OpenID Connect: the forms that lead to the provider, and its response. */
@AccountPage('anybody')
@Controller('account/sso')
export class SingleSignOnController {
  constructor(@Inject(SingleSignOn) private readonly configured: SingleSignOn | null) {}

  @Get()
  async show(@Exchange() page: AccountExchange): Promise<void> {
    page.show('account-sso', await this.model(page));
  }

  @Post()
  @OnRefusal(FAILED, () => LEADS)
  async signIn(@Exchange() page: AccountExchange): Promise<void> {
    page.redirect((await this.sso.begin('sign_in', browserOf(page), page.locale)).href);
  }

  @Post('confirm')
  @OnRefusal(FAILED, (_, { owner }) => ({ ...LEADS, owner }))
  async confirm(@Exchange() page: AccountExchange): Promise<void> {
    page.redirect((await this.sso.begin('confirm', browserOf(page), page.locale)).href);
  }

  @Post('link')
  @OnRefusal<SingleSignOnController>('account-sso', (self, page) => self.model(page))
  async link(@Exchange() page: AccountExchange): Promise<void> {
    const { sso } = this;
    const url = await sso.beginLink(page.owner, page.field('password'), browserOf(page), page.locale);
    page.redirect(url.href);
  }

  @Post('unlink')
  @OnRefusal<SingleSignOnController>('account-sso', (self, page) => self.model(page))
  async unlink(@Exchange() page: AccountExchange): Promise<void> {
    finish(page, '/account/sso', await this.sso.unlink(page.owner, page.field('password'), page.client));
  }

  /** The provider redirects here; no form of ours leads here, so `state` takes the place of the form's token. */
  @Get('callback')
  @OnRefusal(FAILED, () => LEADS)
  async callback(@Exchange() page: AccountExchange): Promise<void> {
    const { sso } = this;
    const sent = parametersOf(page.request);
    const expected = await sso.expect(sent['state'] ?? '', page.visitor.cookie);
    // The provider returns no locale.
    page.request.context.query = { locale: expected.locale };
    finish(page, TARGETS[expected.purpose], await sso.complete(expected, sent, browserOf(page)));
  }

  private get sso(): SingleSignOn {
    if (this.configured === null) throw new ApiError('not_found');
    return this.configured;
  }

  private async model(page: AccountExchange) {
    return { ...LEADS, linkedAt: await this.sso.linkedAt(page.owner) };
  }
}

function browserOf({ visitor, client }: AccountExchange): Browser {
  const { cookie, addressKey, signedIn: owner } = visitor;
  return { cookie, addressKey, owner, client };
}

function finish(page: AccountExchange, path: AccountPath, session: string | null): void {
  if (session === null) page.lead(path);
  else page.signIn(session, path);
}

/** The parameters of the response; one that is repeated or malformed counts as missing. */
function parametersOf({ context: { query } }: ApiRequest): Record<string, string> {
  const texts = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
