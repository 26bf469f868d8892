import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { RequestPurpose } from '../../serve/access/single-sign-on/authorization-requests.js';
import { SingleSignOn, type Browser } from '../../serve/access/single-sign-on/single-sign-on.js';
import { ApiError } from '../../domain/errors/api-error.js';
import { pageLocale } from '../site/page-locale.js';
import { AccountPage } from '../account/account-page.decorator.js';
import { AccountPages, type AccountPath } from '../account/account-pages.service.js';
import { clientOf, field, type AccountRequest } from '../account/account-request.js';
import { sessionOf } from '../account/owner.guard.js';

/** Where each request to the provider ends. */
const TARGETS: Readonly<Record<RequestPurpose, AccountPath>> = {
  sign_in: '/account',
  link: '/account/sso',
  confirm: '/account/delete',
};

/** Single sign-on by OpenID Connect: the forms that lead to the provider, and its response. */
@AccountPage()
@Controller('account/sso')
export class SingleSignOnController {
  constructor(
    @Inject(SingleSignOn) private readonly configured: SingleSignOn | null,
    private readonly pages: AccountPages,
  ) {}

  @Get()
  async show(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    this.pages.show(request, response, 'account-sso', await this.model(request));
  }

  @Post()
  signIn(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    return this.leadOn(request, response, (sso, browser) =>
      sso.begin('sign_in', browser, pageLocale(request)),
    );
  }

  @Post('confirm')
  confirm(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    sessionOf(request);
    return this.leadOn(request, response, (sso, browser) =>
      sso.begin('confirm', browser, pageLocale(request)),
    );
  }

  @Post('link')
  async link(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const [owner, sso] = [sessionOf(request), this.sso];
    const password = field(request, 'password');
    try {
      const url = await sso.beginLink(owner, password, browserOf(request), pageLocale(request));
      this.pages.leadTo(url, response);
    } catch (error) {
      this.pages.refuse(request, response, 'account-sso', error, await this.model(request));
    }
  }

  @Post('unlink')
  async unlink(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const [owner, sso] = [sessionOf(request), this.sso];
    try {
      const session = await sso.unlink(owner, field(request, 'password'), clientOf(request));
      this.finish(request, response, '/account/sso', session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-sso', error, await this.model(request));
    }
  }

  /** The provider redirects here; no form of ours leads here, so `state` takes the place of the form's token. */
  @Get('callback')
  async callback(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { sso } = this;
    const sent = parametersOf(request);
    try {
      const expected = await sso.expect(sent['state'] ?? '', request.accountCookie);
      // The provider returns no locale.
      request.context.query = { locale: expected.locale };
      const session = await sso.complete(expected, sent, browserOf(request));
      this.finish(request, response, TARGETS[expected.purpose], session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-sso-failed', error, { leadsToProvider: true });
    }
  }

  private get sso(): SingleSignOn {
    if (this.configured === null) throw new ApiError('not_found');
    return this.configured;
  }

  private async leadOn(
    request: AccountRequest,
    response: Response,
    begin: (sso: SingleSignOn, browser: Browser) => Promise<URL>,
  ): Promise<void> {
    const { sso } = this;
    try {
      this.pages.leadTo(await begin(sso, browserOf(request)), response);
    } catch (error) {
      this.pages.refuse(request, response, 'account-sso-failed', error, { leadsToProvider: true });
    }
  }

  private finish(
    request: AccountRequest,
    response: Response,
    path: AccountPath,
    session: string | null,
  ): void {
    if (session === null) this.pages.lead(request, response, path);
    else this.pages.signIn(request, response, session, path);
  }

  private async model(request: AccountRequest) {
    return { linkedAt: await this.sso.linkedAt(sessionOf(request)), leadsToProvider: true };
  }
}

function browserOf(request: AccountRequest): Browser {
  const { accountCookie: cookie, addressKey, signedIn: owner } = request;
  return { cookie, addressKey, owner, client: clientOf(request) };
}

/** The parameters of the response; one that is repeated or malformed counts as missing. */
function parametersOf({ context: { query } }: AccountRequest): Record<string, string> {
  const texts = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
