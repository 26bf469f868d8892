import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Access } from '../../access/access.js';
import { AuthorizationRequests } from '../../access/authorization-requests.js';
import { IdentityProvider } from '../../access/identity-provider.js';
import { OPERATOR } from '../../access/audit-log.js';
import { notifyBy, type NotifyOwner, type SendMail } from '../../access/mail.js';
import { OneTimeTokens } from '../../access/one-time-tokens.js';
import { Passwords } from '../../access/passwords.js';
import { Peppers } from '../../access/peppers.js';
import { Prices } from '../../access/prices.js';
import { Sessions } from '../../access/sessions.js';
import { SignIn } from '../../access/sign-in.js';
import { SignUp, type SignInOutcome, type SignUpParts } from '../../access/sign-up.js';
import { SingleSignOn } from '../../access/single-sign-on.js';
import { CLOCK, type Clock } from '../../config/clock.js';
import { CONFIG, type Config } from '../../config/config.js';
import { CONNECTIONS, type Connections } from '../../database/connections.js';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '../../database/database.module.js';
import { Alerts } from '../../following/alerts.js';
import { Follows } from '../../following/follows.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../http/settings.js';
import { Texts } from '../../locale/texts.service.js';
import { Log } from '../../log/log.js';
import { Mailer } from '../../mail/mailer.js';
import { Metrics } from '../../metrics/metrics.js';
import { AlertsModule } from '../../resources/alerts/alerts.module.js';
import { CoverageModule } from '../../resources/coverage/coverage.module.js';
import { FollowingModule } from '../../resources/following/following.module.js';
import { MacroModule } from '../../resources/macro/macro.module.js';
import { SearchModule } from '../../resources/search/search.module.js';
import { TopicsModule } from '../../resources/topics/topics.module.js';
import { AccountController } from './account.controller.js';
import { AccountDatabase } from './account-database.js';
import { AccountPages } from './account-pages.service.js';
import { AccountAlertsController } from './account-alerts.controller.js';
import { ExplorerController } from './explorer.controller.js';
import { Explorer } from './explorer.service.js';
import { FollowsController } from './follows.controller.js';
import { NOTIFICATION_PROVIDERS, NOTIFY_OWNER } from './notification-providers.js';
import { NotificationsController } from './notifications.controller.js';
import { KeysController } from './keys.controller.js';
import { mailsOf } from './account-mails.js';
import { SignInController } from './sign-in.controller.js';
import { SignUpController } from './sign-up.controller.js';
import { SingleSignOnController } from './single-sign-on.controller.js';
import { TargetSearch } from './target-search.service.js';

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
