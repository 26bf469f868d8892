import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Access } from '../serve/access/accounts/access.js';
import { AuthorizationRequests } from '../serve/access/single-sign-on/authorization-requests.js';
import { IdentityProvider } from '../serve/access/single-sign-on/identity-provider.js';
import { OPERATOR } from '../serve/access/accounts/audit-log.js';
import { notifyBy, type NotifyOwner, type SendMail } from '../serve/access/accounts/mail.js';
import { OneTimeTokens } from '../serve/access/sign-in/one-time-tokens.js';
import { Passwords } from '../serve/access/sign-in/passwords.js';
import { Peppers } from '../serve/access/keys/peppers.js';
import { Prices } from '../serve/access/keys/prices.js';
import { Sessions } from '../serve/access/sign-in/sessions.js';
import { SignIn } from '../serve/access/sign-in/sign-in.js';
import { SignUp, type SignInOutcome, type SignUpParts } from '../serve/access/sign-in/sign-up.js';
import { SingleSignOn } from '../serve/access/single-sign-on/single-sign-on.js';
import { CLOCK, type Clock } from '../domain/config/clock.js';
import { CONFIG, type Config } from '../domain/config/config.js';
import { CONNECTIONS, type Connections } from '../store/connections.js';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '../store/database.module.js';
import { Alerts } from '../serve/following/alerts.js';
import { Follows } from '../serve/following/follows.js';
import { HTTP_SETTINGS, type HttpSettings } from '../serve/http/settings.js';
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
import { ExplorerController } from './explorer/explorer.controller.js';
import { Explorer } from './explorer/explorer.service.js';
import { FollowsController } from './account/follows.controller.js';
import { NOTIFICATION_PROVIDERS, NOTIFY_OWNER } from './account/notification-providers.js';
import { NotificationsController } from './account/notifications.controller.js';
import { KeysController } from './account/keys.controller.js';
import { mailsOf } from './account/account-mails.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignUpController } from './sign-in/sign-up.controller.js';
import { SingleSignOnController } from './sign-in/single-sign-on.controller.js';
import { TargetSearch } from './account/target-search.service.js';

/** Replaces the mailer in tests. */
export const SEND_MAIL = Symbol('SendMail');
const PARTS = Symbol('SignUpParts');

/** The pages on which people manage their accounts. */
@Module({
  imports: [AlertsModule, CoverageModule, FollowingModule, MacroModule, SearchModule, TopicsModule],
  controllers: [
    ...[AccountController, KeysController, SignInController, SignUpController],
    ...[FollowsController, AccountAlertsController, NotificationsController, ExplorerController],
    SingleSignOnController,
  ],
  providers: [
    AccountPages,
    TargetSearch,
    Explorer,
    ...NOTIFICATION_PROVIDERS,
    {
      provide: AccountDatabase,
      inject: [CONNECTIONS, CONFIG, CLOCK, DATABASE_TIMEOUTS],
      useFactory: (
        connections: Connections,
        { production, database }: Config,
        clock: Clock,
        timeouts: DatabaseTimeouts,
      ) => {
        const isConfigured = !production || database.api === null || database.account !== null;
        return new AccountDatabase(connections, isConfigured, () => new Date(clock.wall()), timeouts);
      },
    },
    {
      provide: Mailer,
      inject: [CONFIG],
      useFactory: ({ smtpUrl, mailFrom }: Config) =>
        new Mailer(smtpUrl, mailFrom, (line) => process.stdout.write(`${line}\n`)),
    },
    {
      provide: SEND_MAIL,
      inject: [Mailer, HTTP_SETTINGS, Texts],
      useFactory: (mailer: Mailer, { baseUrl }: HttpSettings, texts: Texts) =>
        mailsOf(mailer, texts, baseUrl),
    },
    {
      provide: NOTIFY_OWNER,
      inject: [SEND_MAIL, Log],
      useFactory: (sendMail: SendMail, log: Log) =>
        notifyBy(sendMail, (error) =>
          log.warn('a notice to an owner could not be mailed', { error: String(error) }),
        ),
    },
    {
      provide: PARTS,
      inject: [AccountDatabase, Peppers, CLOCK, SEND_MAIL, NOTIFY_OWNER, Metrics, Prices],
      useFactory: (
        { source, lookups }: AccountDatabase,
        peppers: Peppers,
        clock: Clock,
        sendMail: SendMail,
        notify: NotifyOwner,
        metrics: Metrics,
        prices: Prices,
      ) => {
        const now = () => new Date(clock.wall());
        return {
          ...{ database: source, access: new Access(source, peppers, now, OPERATOR, notify), sendMail, now },
          ...{ notify, countSignIn: (outcome: SignInOutcome) => metrics.signIn(outcome) },
          ...{ passwords: new Passwords(), prices, lookups },
          sessions: new Sessions(source, now, lookups),
          tokens: new OneTimeTokens(source, now, lookups),
        } satisfies SignUpParts;
      },
    },
    { provide: SignUp, inject: [PARTS], useFactory: (parts: SignUpParts) => new SignUp(parts) },
    { provide: SignIn, inject: [PARTS], useFactory: (parts: SignUpParts) => new SignIn(parts) },
    // Follows and alerts are rows of the API's role, which also reads their targets.
    {
      provide: Follows,
      inject: [DataSource, PARTS],
      useFactory: (database: DataSource, { access, now }: SignUpParts) => new Follows(database, access, now),
    },
    {
      provide: Alerts,
      inject: [DataSource, PARTS],
      useFactory: (database: DataSource, { access, now }: SignUpParts) => new Alerts(database, access, now),
    },
    {
      provide: SingleSignOn,
      inject: [PARTS, SignIn, { token: IdentityProvider, optional: true }, CONFIG],
      useFactory: (
        parts: SignUpParts,
        signIn: SignIn,
        provider: IdentityProvider | null,
        { signUp: signUpMode }: Config,
      ) => {
        if (provider === null) return null;
        const requests = new AuthorizationRequests(parts.database, parts.now);
        return new SingleSignOn({ ...parts, signIn, provider, requests, signUpMode });
      },
    },
    { provide: Access, inject: [PARTS], useFactory: ({ access }: SignUpParts) => access },
    { provide: Sessions, inject: [PARTS], useFactory: ({ sessions }: SignUpParts) => sessions },
  ],
})
export class AccountModule {}
