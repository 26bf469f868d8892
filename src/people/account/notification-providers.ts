import type { Provider } from '@nestjs/common';
import { OPERATOR } from '../../serve/access/accounts/audit-log.js';
import type { NotifyOwner } from '../../serve/access/accounts/mail.js';
import { forDelivery } from '../../store/account-scope.js';
import { Peppers } from '../../serve/access/keys/peppers.js';
import { Prices } from '../../serve/access/keys/prices.js';
import { CLOCK, type Clock } from '../../domain/config/clock.js';
import { CONFIG, type Config } from '../../domain/config/config.js';
import { provider, type Token } from '../../domain/config/provider.js';
import { CONNECTIONS } from '../../store/connections.js';
import { HTTP_SETTINGS } from '../../serve/http/settings.js';
import { Texts } from '../../domain/locale/texts.service.js';
import { Log } from '../../serve/log/log.js';
import { Mailer } from '../mail/mailer.js';
import { Metrics } from '../../serve/metrics/metrics.js';
import { watchLateness } from '../../serve/metrics/database-metrics.js';
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

export const NOTIFY_OWNER: Token<NotifyOwner> = Symbol('NotifyOwner');

const kindsOf = ({ notifications: { email, webhook } }: Config): ChannelKind[] => [
  ...(email ? (['email'] as const) : []),
  ...(webhook ? (['webhook'] as const) : []),
];

const nowOf = (clock: Clock) => () => new Date(clock.wall());

/** What the notifications of alerts consist of. */
export const NOTIFICATION_PROVIDERS: Provider[] = [
  provider(NetworkPolicy, [CONFIG], ({ notifications }) => new NetworkPolicy(notifications.allowedNetworks)),
  provider(SecretBox, [Peppers], (peppers) => new SecretBox(peppers)),
  provider(NotificationDatabase, [CONNECTIONS], (connections) => new NotificationDatabase(connections)),
  provider(
    NotificationContents,
    [NotificationDatabase, UrlBuilder, Texts],
    (database, urls, texts) => new NotificationContents(() => database.open(), urls, texts),
  ),
  provider(Outbox, [AccountDatabase, CLOCK], ({ source }, clock) => new Outbox(forDelivery(source), nowOf(clock))),
  provider(
    NotificationDispatcher,
    [Mailer, HTTP_SETTINGS, NotificationContents, Texts, SecretBox, NetworkPolicy, CLOCK],
    (mailer, { baseUrl }, contents, texts, secrets, policy, clock) => {
      const webhooks = { policy, timeoutMs: WEBHOOK_TIMEOUT_MS };
      const now = nowOf(clock);
      return new NotificationDispatcher({ contents, mailer, texts, baseUrl, secrets, webhooks, now });
    },
  ),
  provider(
    NotificationSender,
    [CONFIG, AccountDatabase, Outbox, NotificationDispatcher, Log, Metrics],
    (config, database, outbox, dispatcher, log, metrics) => {
      const kinds = database.isConfigured ? kindsOf(config) : [];
      const open = () => database.open();
      if (kinds.length > 0) watchLateness(metrics, () => open().then(() => outbox.lateness(kinds)));
      return new NotificationSender({ open, outbox, dispatcher, kinds, log, metrics });
    },
  ),
  provider(
    Notifications,
    [CONFIG, AccountDatabase, NotificationContents, SecretBox, NetworkPolicy, CLOCK, NOTIFY_OWNER, Prices],
    (config, { source: database }, contents, secrets, policy, clock, notify, prices) => {
      const [now, kinds] = [nowOf(clock), kindsOf(config)];
      const parts = { database, contents, prices, secrets, policy, kinds, notify, now };
      return new Notifications(parts, OPERATOR);
    },
  ),
];
