import type { Provider } from '@nestjs/common';
import { OPERATOR } from '../../serve/access/accounts/audit-log.js';
import type { NotifyOwner } from '../../serve/access/accounts/mail.js';
import { forDelivery } from '../../store/account-scope.js';
import { Peppers } from '../../serve/access/keys/peppers.js';
import { Prices } from '../../serve/access/keys/prices.js';
import { CLOCK, type Clock } from '../../domain/config/clock.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { CONNECTIONS, type Connections } from '../../store/connections.js';
import { HTTP_SETTINGS, type HttpSettings } from '../../serve/http/settings.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { Log } from '../../serve/log/log.js';
import { Mailer } from '../mail/mailer.js';
import { Metrics } from '../../serve/metrics/metrics.js';
import { watchNotifications } from '../../serve/metrics/notifications.js';
import { NetworkPolicy } from '../notifications/network-policy.js';
import { NotificationContents } from '../notifications/notification-contents.js';
import { NotificationDatabase } from '../notifications/notification-database.js';
import { NotificationDispatcher } from '../notifications/notification-dispatcher.js';
import { NotificationSender } from '../notifications/notification-sender.js';
import { Notifications } from '../notifications/notifications.js';
import { Outbox, type ChannelKind } from '../notifications/outbox.js';
import { SecretBox } from '../notifications/secret-box.js';
import { UrlBuilder } from '../../serve/responses/url-builder.service.js';
import { AccountDatabase } from './account-database.js';

/** The service repeats the request to a slower receiver. */
const WEBHOOK_TIMEOUT_MS = 5_000;

export const NOTIFY_OWNER = Symbol('NotifyOwner');

const kindsOf = ({ notifications: { email, webhook } }: Config): ChannelKind[] => [
  ...(email ? (['email'] as const) : []),
  ...(webhook ? (['webhook'] as const) : []),
];

const nowOf = (clock: Clock) => () => new Date(clock.wall());

/** What the notifications of alerts consist of. */
export const NOTIFICATION_PROVIDERS: Provider[] = [
  {
    provide: NetworkPolicy,
    inject: [CONFIG],
    useFactory: ({ notifications }: Config) => new NetworkPolicy(notifications.allowedNetworks),
  },
  { provide: SecretBox, inject: [Peppers], useFactory: (peppers: Peppers) => new SecretBox(peppers) },
  {
    provide: NotificationDatabase,
    inject: [CONNECTIONS],
    useFactory: (connections: Connections) => new NotificationDatabase(connections),
  },
  {
    provide: NotificationContents,
    inject: [NotificationDatabase, UrlBuilder, Texts],
    useFactory: (database: NotificationDatabase, urls: UrlBuilder, texts: Texts) =>
      new NotificationContents(() => database.open(), urls, texts),
  },
  {
    provide: Outbox,
    inject: [AccountDatabase, CLOCK],
    useFactory: ({ source }: AccountDatabase, clock: Clock) => new Outbox(forDelivery(source), nowOf(clock)),
  },
  {
    provide: NotificationDispatcher,
    inject: [Mailer, HTTP_SETTINGS, NotificationContents, Texts, SecretBox, NetworkPolicy, CLOCK],
    useFactory: (
      mailer: Mailer,
      { baseUrl }: HttpSettings,
      contents: NotificationContents,
      texts: Texts,
      secrets: SecretBox,
      policy: NetworkPolicy,
      clock: Clock,
    ) =>
      new NotificationDispatcher({
        ...{ contents, mailer, texts, baseUrl, secrets, now: nowOf(clock) },
        webhooks: { policy, timeoutMs: WEBHOOK_TIMEOUT_MS },
      }),
  },
  {
    provide: NotificationSender,
    inject: [CONFIG, AccountDatabase, Outbox, NotificationDispatcher, Log, Metrics],
    useFactory: (
      config: Config,
      database: AccountDatabase,
      outbox: Outbox,
      dispatcher: NotificationDispatcher,
      log: Log,
      metrics: Metrics,
    ) => {
      const kinds = database.isConfigured ? kindsOf(config) : [];
      const open = () => database.open();
      if (kinds.length > 0) watchNotifications(metrics, () => open().then(() => outbox.lateness(kinds)));
      return new NotificationSender({ open, outbox, dispatcher, kinds, log, metrics });
    },
  },
  {
    provide: Notifications,
    inject: [
      CONFIG,
      AccountDatabase,
      NotificationContents,
      SecretBox,
      NetworkPolicy,
      CLOCK,
      NOTIFY_OWNER,
      Prices,
    ],
    useFactory: (
      config: Config,
      { source }: AccountDatabase,
      contents: NotificationContents,
      secrets: SecretBox,
      policy: NetworkPolicy,
      clock: Clock,
      notify: NotifyOwner,
      prices: Prices,
    ) => {
      const [now, kinds] = [nowOf(clock), kindsOf(config)];
      return new Notifications(
        { database: source, contents, prices, secrets, policy, kinds, notify, now },
        OPERATOR,
      );
    },
  },
];
