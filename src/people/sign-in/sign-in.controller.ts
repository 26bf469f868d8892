import { Controller, Get, Inject, Post } from '@nestjs/common';
import { IdentityProvider } from '../../serve/access/single-sign-on/identity-provider.js';
import { SignIn } from '../../serve/access/sign-in/sign-in.js';
import { Log } from '../../serve/log/log.js';
import { AccountPage, OnRefusal } from '../account/account-page.decorator.js';
import { AccountExchange, Exchange } from '../account/account-exchange.js';

@AccountPage('anybody')
@Controller('account')
export class SignInController {
  constructor(
    private readonly signIn: SignIn,
    private readonly log: Log,
    @Inject(IdentityProvider) private readonly provider: IdentityProvider | null,
  ) {}

  @Get('sign-in')
  async form(@Exchange() page: AccountExchange): Promise<void> {
    await this.provider?.prepare();
    page.show('account-sign-in', { email: '', leadsToProvider: true });
  }

  @Post('sign-in')
  @OnRefusal('account-sign-in', (_, page) => ({ email: page.field('email'), leadsToProvider: true }))
  async byPassword(@Exchange() page: AccountExchange): Promise<void> {
    const [email, password] = [page.field('email'), page.field('password')];
    const { addressKey } = page.visitor;
    page.signIn(await this.signIn.byPassword({ email, password, addressKey }, page.client));
  }

  @Get('link')
  linkButton(@Exchange() page: AccountExchange): void {
    page.show('account-link', { token: page.parameter('token') });
  }

  @Post('link')
  async byLink(@Exchange() page: AccountExchange): Promise<void> {
    page.signIn(await this.signIn.byLink(page.field('token'), page.client));
  }

  @Get('forgotten')
  forgotten(@Exchange() page: AccountExchange): void {
    page.show('account-forgotten', { email: '' });
  }

  @Post('forgotten')
  @OnRefusal('account-forgotten', (_, page) => ({ email: page.field('email') }))
  async requestLink(@Exchange() page: AccountExchange): Promise<void> {
    const email = page.field('email');
    const purpose = page.field('link') === 'sign_in' ? 'sign_in' : 'reset';
    const { mailed } = await this.signIn.requestLink(purpose, email, page.visitor.addressKey);
    mailed.catch((error: unknown) => this.log.failure(page.request.context.id, error));
    page.lead('/account/sent');
  }

  @Get('reset')
  resetForm(@Exchange() page: AccountExchange): void {
    page.show('account-reset', { token: page.parameter('token') });
  }

  @Post('reset')
  @OnRefusal('account-reset', (_, page) => ({ token: page.field('token') }))
  async reset(@Exchange() page: AccountExchange): Promise<void> {
    page.signIn(await this.signIn.reset(page.field('token'), page.field('password'), page.client));
  }

  @Post('sign-out')
  async signOut(@Exchange() page: AccountExchange): Promise<void> {
    const { signedIn, shortAddress } = page.visitor;
    if (signedIn !== null) await this.signIn.end(signedIn, signedIn.sessionId, shortAddress);
    const isSso = this.provider !== null && signedIn?.issuer === this.provider.settings.issuer;
    const url = isSso ? await this.provider.signOutUrl(page.locale) : null;
    page.signOut(url);
  }
}
