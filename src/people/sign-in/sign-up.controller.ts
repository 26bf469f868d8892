import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AccessError } from '../../serve/access/accounts/access-error.js';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { SignUp } from '../../serve/access/sign-in/sign-up.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { Log } from '../../serve/log/log.js';
import { pageLocale } from '../site/page-locale.js';
import { AccountPage } from '../account/account-page.decorator.js';
import { AccountPages } from '../account/account-pages.service.js';
import { clientOf, field, parameter, type AccountRequest } from '../account/account-request.js';

@AccountPage()
@Controller('account')
export class SignUpController {
  constructor(
    private readonly signUp: SignUp,
    private readonly pages: AccountPages,
    private readonly log: Log,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | null,
  ) {}

  @Get('sign-up')
  async form(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const { signUp } = this.config;
    if (signUp === 'closed') throw signUpClosed();
    await this.provider?.prepare();
    const model = { email: '', takesEmail: signUp === 'open', leadsToProvider: true };
    this.pages.show(request, response, 'account-sign-up', model);
  }

  @Post('sign-up')
  async request(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    if (this.config.signUp !== 'open') throw signUpClosed();
    const { addressKey } = request;
    const email = field(request, 'email');
    try {
      await this.signUp.request({ email, locale: pageLocale(request), addressKey });
      this.pages.lead(request, response, '/account/sent');
    } catch (error) {
      if (error instanceof AccessError && error.cause !== undefined) {
        this.log.failure(request.context.id, error.cause);
      }
      const model = { email, takesEmail: true, leadsToProvider: true };
      this.pages.refuse(request, response, 'account-sign-up', error, model);
    }
  }

  @Get('sent')
  sent(@Req() request: AccountRequest, @Res() response: Response): void {
    this.pages.show(request, response, 'account-sent');
  }

  /** Shows the address, because the password that is set here opens its account. */
  @Get('confirm')
  async passwordForm(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const token = parameter(request, 'token');
    const email = await this.signUp.addressOf(token);
    this.pages.show(request, response, 'account-confirm', { token, email });
  }

  @Post('confirm')
  async confirm(@Req() request: AccountRequest, @Res() response: Response): Promise<void> {
    const token = field(request, 'token');
    const email = await this.signUp.addressOf(token);
    try {
      const session = await this.signUp.confirm(token, field(request, 'password'), clientOf(request));
      this.pages.signIn(request, response, session);
    } catch (error) {
      this.pages.refuse(request, response, 'account-confirm', error, { token, email });
    }
  }
}

function signUpClosed(): AccessError {
  return new AccessError('Sign-up is closed', { code: 'sign_up_closed' });
}
