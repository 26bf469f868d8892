import { Controller, Get, Inject, Post } from '@nestjs/common';
import { AccessError, signUpClosed } from '../../serve/access/accounts/access-error.js';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { SignUp } from '../../serve/access/sign-in/sign-up.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { Log } from '../../serve/log/log.js';
import { AccountPage, OnRefusal } from '../account/account-page.decorator.js';
import { AccountExchange, Exchange } from '../account/account-exchange.js';

@AccountPage('anybody')
@Controller('account')
export class SignUpController {
  constructor(
    private readonly signUp: SignUp,
    private readonly log: Log,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | null,
  ) {}

  @Get('sign-up')
  async form(@Exchange() page: AccountExchange): Promise<void> {
    await this.provider?.prepare();
    page.show('account-sign-up', this.model(page));
  }

  @Post('sign-up')
  @OnRefusal<SignUpController>('account-sign-up', (self, page) => self.model(page))
  async request(@Exchange() page: AccountExchange): Promise<void> {
    if (this.config.signUp !== 'open') throw signUpClosed();
    const { locale, visitor, request } = page;
    const { addressKey } = visitor;
    await this.signUp.request({ email: page.field('email'), locale, addressKey }).catch((error: unknown) => {
      if (error instanceof AccessError && error.cause !== undefined) this.log.failure(request.context.id, error.cause);
      throw error;
    });
    page.lead('/account/sent');
  }

  @Get('sent')
  sent(@Exchange() page: AccountExchange): void {
    page.show('account-sent');
  }

  /** Shows the address, because the password that is set here opens its account. */
  @Get('confirm')
  async passwordForm(@Exchange() page: AccountExchange): Promise<void> {
    const token = page.parameter('token');
    const email = await this.signUp.addressOf(token);
    page.show('account-confirm', { token, email });
  }

  @Post('confirm')
  @OnRefusal<SignUpController>('account-confirm', (self, page) => self.tokenModel(page))
  async confirm(@Exchange() page: AccountExchange): Promise<void> {
    page.signIn(await this.signUp.confirm(page.field('token'), page.field('password'), page.client));
  }

  private model(page: AccountExchange) {
    if (this.config.signUp === 'closed') throw signUpClosed();
    return { email: page.field('email'), takesEmail: this.config.signUp === 'open', leadsToProvider: true };
  }

  private async tokenModel(page: AccountExchange) {
    const token = page.field('token');
    return { token, email: await this.signUp.addressOf(token) };
  }
}
