import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { SignIn } from '../../serve/access/sign-in/sign-in.js';
import { Log } from '../../serve/log/log.js';
import { pageLocale } from '../site/page-locale.js';
import { AccountPage } from '../account/account-page.decorator.js';
import { AccountPages } from '../account/account-pages.service.js';
import { clientOf, field, type AccountRequest } from '../account/account-request.js';

@AccountPage()
@Controller('account')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly pages: AccountPages,
    private readonly log: Log,
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | null,
  ) {}

  @Get('sign-in')
  async form(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    await this.provider?.prepare();
    this.pages.show(request, response, 'account-sign-in', { email: '', leadsToProvider: true });
  }

  @Post('sign-in')
  async byPassword(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const [email, password] = [field(request, 'email'), field(request, 'password')];
    try {
      const { addressKey } = request;
      const session = await this.signIn.byPassword({ email, password, addressKey }, clientOf(request));
      this.pages.signIn(request, response, session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-sign-in', error, { email, leadsToProvider: true });
    }
  }

  @Get('link')
  linkButton(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-link', { token: request.context.query['token'] ?? '' });
  }

  @Post('link')
  async byLink(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    this.pages.signIn(
      request,
      response,
      await this.signIn.byLink(field(request, 'token'), clientOf(request)),
    );
  }

  @Get('forgotten')
  forgotten(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-forgotten', { email: '' });
  }

  @Post('forgotten')
  async requestLink(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const email = field(request, 'email');
    const purpose = field(request, 'link') === 'sign_in' ? 'sign_in' : 'reset';
    try {
      const { mailed } = await this.signIn.requestLink(purpose, email, request.addressKey);
      mailed.catch((error: unknown) => this.log.failure(request.context.id, error));
      this.pages.lead(request, response, '/account/sent');
    } catch (error) {
      this.pages.refuse(request, response, 'account-forgotten', error, { email });
    }
  }

  @Get('reset')
  resetForm(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-reset', { token: request.context.query['token'] ?? '' });
  }

  @Post('reset')
  async reset(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const token = field(request, 'token');
    try {
      const session = await this.signIn.reset(token, field(request, 'password'), clientOf(request));
      this.pages.signIn(request, response, session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-reset', error, { token });
    }
  }

  @Post('sign-out')
  async signOut(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { signedIn, shortAddress } = request;
    if (signedIn !== null) await this.signIn.end(signedIn, signedIn.sessionId, shortAddress);
    const isSso = this.provider !== null && signedIn?.issuer === this.provider.settings.issuer;
    const url = isSso ? await this.provider.signOutUrl(pageLocale(request)) : null;
    this.pages.signOut(request, response, url);
  }
}
