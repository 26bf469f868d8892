import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Access } from '../serve/access/accounts/access.js';
import { AuthorizationRequests } from '../serve/access/single-sign-on/authorization-requests.js';
import { IdentityProvider } from '../serve/access/single-sign-on/identity-provider.js';
import { OPERATOR } from '../serve/access/accounts/audit-log.js';
import { notifyBy, type SendMail } from '../serve/access/accounts/mail.js';
import { OneTimeTokens } from '../serve/access/sign-in/one-time-tokens.js';
import { Passwords } from '../serve/access/sign-in/passwords.js';
import { Peppers } from '../serve/access/keys/peppers.js';
import { Prices } from '../serve/access/keys/prices.js';
import { Sessions } from '../serve/access/sign-in/sessions.js';
import { SignIn } from '../serve/access/sign-in/sign-in.js';
import { SignUp, type SignUpParts } from '../serve/access/sign-in/sign-up.js';
import { SingleSignOn } from '../serve/access/single-sign-on/single-sign-on.js';
import { CLOCK } from '../domain/config/clock.js';
import { CONFIG } from '../domain/config/config.js';
import { provider, type Token } from '../domain/config/provider.js';
import { CONNECTIONS } from '../store/connections.js';
import { DATABASE_TIMEOUTS } from '../store/database.module.js';
import { Alerts } from '../serve/following/alerts.js';
import { Follows } from '../serve/following/follows.js';
import { HTTP_SETTINGS } from '../serve/http/settings.js';
import { Texts } from '../domain/locale/texts.service.js';
import { Log } from '../serve/log/log.js';
import { Mailer } from './mail/mailer.js';
import { Metrics } from '../serve/metrics/metrics.js';
import { AlertsModule } from '../serve/resources/alerts/alerts.module.js';
import { CoverageModule } from '../serve/resources/coverage/coverage.module.js';
import { FollowingModule } from '../serve/resources/following/following.module.js';
import { MacroModule } from '../serve/resources/macro/macro.module.js';
import { SearchModule } from '../serve/resources/search/search.module.js';
import { TopicsModule } from '../serve/resources/topics/topics.module.js';
import { AccountController } from './account/account.controller.js';
import { AccountDatabase } from './account/account-database.js';
import { AccountPages } from './account/account-pages.service.js';
import { AccountAlertsController } from './account/account-alerts.controller.js';
import { FollowsController } from './account/follows.controller.js';
import { NOTIFICATION_PROVIDERS, NOTIFY_OWNER } from './account/notification-providers.js';
import { NotificationsController } from './account/notifications.controller.js';
import { KeysController } from './account/keys.controller.js';
import { LinksController } from './account/links.controller.js';
import { mailsOf } from './account/account-mails.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignUpController } from './sign-in/sign-up.controller.js';
import { SingleSignOnController } from './sign-in/single-sign-on.controller.js';
import { TargetSearch } from './account/target-search.service.js';

/** Replaces the mailer in tests. */
export const SEND_MAIL: Token<SendMail> = Symbol('SendMail');
const PARTS: Token<SignUpParts> = Symbol('SignUpParts');

/** The pages on which people manage their accounts. */
@Module({
  imports: [AlertsModule, CoverageModule, FollowingModule, MacroModule, SearchModule, TopicsModule],
  controllers: [
    AccountController,
    KeysController,
    SignInController,
    SignUpController,
    FollowsController,
    AccountAlertsController,
    NotificationsController,
    SingleSignOnController,
    LinksController,
  ],
  providers: [
    AccountPages,
    TargetSearch,
    ...NOTIFICATION_PROVIDERS,
    provider(
      AccountDatabase,
      [CONNECTIONS, CONFIG, CLOCK, DATABASE_TIMEOUTS],
      (connections, { production, database }, clock, timeouts) => {
        const isConfigured = !production || database.api === null || database.account !== null;
        return new AccountDatabase(connections, isConfigured, () => new Date(clock.wall()), timeouts);
      },
    ),
    provider(
      Mailer,
      [CONFIG],
      ({ smtpUrl, mailFrom }) => new Mailer(smtpUrl, mailFrom, (line) => process.stdout.write(`${line}\n`)),
    ),
    provider(SEND_MAIL, [Mailer, HTTP_SETTINGS, Texts], (mailer, { baseUrl }, texts) =>
      mailsOf(mailer, texts, baseUrl),
    ),
    provider(NOTIFY_OWNER, [SEND_MAIL, Log], (sendMail, log) =>
      notifyBy(sendMail, (error) => log.warn('a notice to an owner could not be mailed', { error: String(error) })),
    ),
    provider(
      PARTS,
      [AccountDatabase, Peppers, CLOCK, SEND_MAIL, NOTIFY_OWNER, Metrics, Prices],
      ({ source: database, lookups }, peppers, clock, sendMail, notify, metrics, prices): SignUpParts => {
        const now = () => new Date(clock.wall());
        return {
          database,
          access: new Access(database, peppers, now, OPERATOR, notify),
          passwords: new Passwords(),
          lookups,
          prices,
          sessions: new Sessions(database, now, lookups),
          tokens: new OneTimeTokens(database, now, lookups),
          sendMail,
          notify,
          countSignIn: (outcome) => metrics.signIn(outcome),
          now,
        };
      },
    ),
    provider(SignUp, [PARTS], (parts) => new SignUp(parts)),
    provider(SignIn, [PARTS], (parts) => new SignIn(parts)),
    // Follows and alerts are rows of the API's role, which also reads their targets.
    provider(Follows, [DataSource, PARTS], (database, { access, now }) => new Follows(database, access, now)),
    provider(Alerts, [DataSource, PARTS], (database, { access, now }) => new Alerts(database, access, now)),
    provider(
      SingleSignOn,
      [PARTS, SignIn, { token: IdentityProvider, optional: true }, CONFIG],
      (parts, signIn, provider, { signUp: signUpMode }) => {
        if (provider === null) return null;
        const requests = new AuthorizationRequests(parts.database, parts.now);
        return new SingleSignOn({ ...parts, signIn, provider, requests, signUpMode });
      },
    ),
    provider(Access, [PARTS], ({ access }) => access),
    provider(Sessions, [PARTS], ({ sessions }) => sessions),
  ],
})
export class AccountModule {}
