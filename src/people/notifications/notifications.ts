import type { DataSource, EntityManager } from 'typeorm';
import { asAccount, noneIfOrphaned } from '../../store/account-scope.js';
import { AccessError, UnknownNameError } from '../../serve/access/accounts/access-error.js';
import { audit, type Actor, type AuditAction } from '../../serve/access/accounts/audit-log.js';
import { newId } from '../../serve/access/accounts/new-id.js';
import type { Prices } from '../../serve/access/keys/prices.js';
import type { NotifyOwner } from '../../serve/access/accounts/mail.js';
import type { Locale } from '../../domain/locale/locale.js';
import { utcMinute } from '../../domain/locale/utc-minute.js';
import type { NetworkPolicy } from './network-policy.js';
import type { NotificationContents } from './notification-contents.js';
import {
  CHANNELS,
  LOCK_WEBHOOK,
  RECENT_NOTIFICATIONS,
  type NotificationChannel,
  type NotificationState,
} from './notification.rows.js';
import type { ChannelKind } from './outbox.js';
import type { SecretBox } from './secret-box.js';
import { newWebhookSecret } from './webhook-signature.js';
import { readWebhookUrl } from './webhook-url.js';

/** Returned only where a secret is made: the database stores it encrypted. */
export interface NewSecret {
  readonly channelId: string;
  readonly secret: string;
}

export interface NotificationParts {
  readonly database: DataSource;
  readonly contents: Pick<NotificationContents, 'ownsAlert'>;
  readonly prices: Prices;
  readonly secrets: SecretBox;
  readonly policy: NetworkPolicy;
  /** The kinds that the operator configured. */
  readonly kinds: readonly ChannelKind[];
  readonly notify: NotifyOwner;
  readonly now: () => Date;
}

export const MOST_WEBHOOKS = 5;

/** The notification channels of accounts, and what was sent to them. */
export class Notifications {
  constructor(
    private readonly parts: NotificationParts,
    private readonly actor: Actor,
  ) {}

  /** The same rules, with another actor in the audit log. */
  as(actor: Actor): Notifications {
    return new Notifications(this.parts, actor);
  }

  get kinds(): readonly ChannelKind[] {
    return this.parts.kinds;
  }

  channels(accountId: string): Promise<NotificationChannel[]> {
    return asAccount(this.parts.database, accountId, (on) => on.query(CHANNELS, [accountId]));
  }

  /** Newest first. */
  recent(accountId: string, most: number): Promise<NotificationState[]> {
    return asAccount(this.parts.database, accountId, (on) => on.query(RECENT_NOTIFICATIONS, [accountId, most]));
  }

  /** Mails go to the address of the account, which its owner confirmed. */
  async setMail(accountId: string, on: boolean): Promise<void> {
    this.requireKind('email');
    await asAccount(this.parts.database, accountId, async (manager) => {
      await lockOwner(manager, accountId);
      const [held] = await manager.query<{ id: string }[]>(
        `SELECT id FROM notification_channels WHERE account_id = $1 AND kind = 'email'`,
        [accountId],
      );
      if ((held !== undefined) === on) return;
      if (held === undefined) {
        await manager.query(
          `INSERT INTO notification_channels (id, account_id, kind, created_at) VALUES ($1, $2, 'email', $3)`,
          [newId('chn'), accountId, this.parts.now()],
        );
      } else await manager.query('DELETE FROM notification_channels WHERE id = $1', [held.id]);
      await this.record(manager, accountId, on ? 'mail_notifications_on' : 'mail_notifications_off');
    });
  }

  /** @param channelId the id that a form reserved, so that a second submission adds no second webhook */
  async addWebhook(accountId: string, text: string, channelId = newId('chn')): Promise<NewSecret> {
    this.requireKind('webhook');
    const url = readWebhookUrl(text, this.parts.policy);
    const secret = newWebhookSecret();
    const at = this.parts.now();
    const owner = await asAccount(this.parts.database, accountId, async (manager) => {
      const locked = await lockOwner(manager, accountId);
      const [held] = await manager.query<{ count: number }[]>(
        `SELECT count(*) AS count FROM notification_channels WHERE account_id = $1 AND kind = 'webhook' AND id <> $2`,
        [accountId, channelId],
      );
      if ((held?.count ?? 0) >= MOST_WEBHOOKS) {
        const args = { count: MOST_WEBHOOKS };
        throw new AccessError(`An account has at most ${MOST_WEBHOOKS} webhooks`, { code: 'webhook_cap', args });
      }
      // The id of another account's webhook is invisible, but taken.
      const made = await manager.query<object[]>(
        `INSERT INTO notification_channels (id, account_id, kind, url, secret, created_at)
         VALUES ($1, $2, 'webhook', $3, $4, $5) ON CONFLICT (id) DO NOTHING RETURNING id`,
        [channelId, accountId, url, this.parts.secrets.seal(secret, channelId), at],
      );
      if (made.length === 0) {
        throw new AccessError('This form has added its webhook already', { code: 'webhook_made' });
      }
      await this.record(manager, accountId, 'webhook_added', channelId);
      return locked;
    });
    const { host: name } = new URL(url);
    this.parts.notify(owner, { kind: 'webhook_added', at, address: this.actor.address, name });
    return { channelId, secret };
  }

  /**
   * Makes a new secret. For the grace period the old one signs too.
   * @throws AccessError `rotation_pending` while an earlier one still does: a third secret would end it too soon
   */
  async rotateSecret(accountId: string, channelId: string, graceMs: number): Promise<NewSecret> {
    const secret = newWebhookSecret();
    const now = this.parts.now();
    await asAccount(this.parts.database, accountId, async (manager) => {
      await lockOwner(manager, accountId);
      const channel = await this.find(manager, accountId, channelId);
      if (graceMs > 0 && channel.previousUntil !== null && channel.previousUntil > now) {
        const args = { at: utcMinute(channel.previousUntil) };
        throw new AccessError('An earlier rotation has not ended', { code: 'rotation_pending', args });
      }
      await manager.query(
        `UPDATE notification_channels SET secret = $2, previous_until = $3,
           previous_secret = CASE WHEN $3::timestamptz IS NOT NULL THEN secret END WHERE id = $1`,
        [channelId, this.parts.secrets.seal(secret, channelId), graceMs > 0 ? new Date(now.getTime() + graceMs) : null],
      );
      await this.record(manager, accountId, 'webhook_rotated', channelId);
    });
    return { channelId, secret };
  }

  /** Enables a webhook that its receiver ended, or that is paused. */
  enable(accountId: string, channelId: string): Promise<void> {
    return this.change(
      accountId,
      channelId,
      'webhook_enabled',
      'UPDATE notification_channels SET disabled_at = NULL, paused_until = NULL, timeouts = 0',
    );
  }

  remove(accountId: string, channelId: string): Promise<void> {
    return this.change(accountId, channelId, 'webhook_removed', 'DELETE FROM notification_channels');
  }

  /**
   * Sends a notification that is marked as a test to every channel of the account. Returns how many.
   * @param alertId an alert of the account; null tests the channels alone
   * @throws AccessError `alert_unknown`, `no_channel` or `too_many_attempts`
   */
  async sendTest(accountId: string, alertId: string | null = null): Promise<number> {
    const { contents, database, prices, kinds, now } = this.parts;
    if (alertId !== null && !(await contents.ownsAlert(accountId, alertId))) {
      throw new UnknownNameError('alert', alertId, { code: 'alert_unknown' });
    }
    await prices.take('notification_test', { subject: accountId });
    const queued = await asAccount(database, accountId, (manager) =>
      manager.query<object[]>(
        `INSERT INTO notifications (channel_id, alert_id, created_at, next_attempt_at)
         SELECT id, $2, $3, $3 FROM notification_channels
         WHERE account_id = $1 AND disabled_at IS NULL AND kind = ANY ($4)
         FOR KEY SHARE RETURNING id`,
        [accountId, alertId, now(), kinds],
      ),
    ).catch(noneIfOrphaned);
    if (queued === null) throw new UnknownNameError('alert', alertId ?? '', { code: 'alert_unknown' });
    if (queued.length === 0) throw new AccessError('There is no channel to test', { code: 'no_channel' });
    return queued.length;
  }

  /** Makes a dead notification due again. @throws AccessError `notification_unknown` */
  async retry(accountId: string, id: string): Promise<void> {
    await asAccount(this.parts.database, accountId, async (manager) => {
      const [, count] = await manager.query<[object[], number]>(
        `UPDATE notifications n SET state = 'pending', attempts = 0, next_attempt_at = $3, finished_at = NULL
         FROM notification_channels c
         WHERE c.id = n.channel_id AND c.account_id = $1 AND c.disabled_at IS NULL AND n.id = $2 AND n.state = 'dead'`,
        [accountId, id, this.parts.now()],
      );
      if (count === 0) throw new AccessError(`No dead notification ${id}`, { code: 'notification_unknown' });
      await this.record(manager, accountId, 'notification_retried', id);
    });
  }

  private async change(accountId: string, channelId: string, action: AuditAction, sql: string): Promise<void> {
    await asAccount(this.parts.database, accountId, async (manager) => {
      await this.find(manager, accountId, channelId);
      await manager.query(`${sql} WHERE id = $1`, [channelId]);
      await this.record(manager, accountId, action, channelId);
    });
  }

  private async find(manager: EntityManager, accountId: string, id: string): Promise<NotificationChannel> {
    const [channel] = await manager.query<NotificationChannel[]>(LOCK_WEBHOOK, [accountId, id]);
    if (channel === undefined) throw new AccessError(`No webhook ${id}`, { code: 'webhook_unknown' });
    return channel;
  }

  private requireKind(kind: ChannelKind): void {
    if (!this.parts.kinds.includes(kind)) {
      throw new AccessError(`Notifications by ${kind} are not configured`, { code: 'channel_off' });
    }
  }

  private record(manager: EntityManager, accountId: string, action: AuditAction, subject?: string) {
    return audit(manager, this.actor, { accountId, action, at: this.parts.now(), subject });
  }
}

/** Locks the account, so that concurrent calls cannot exceed its limits together. */
async function lockOwner(
  manager: EntityManager,
  accountId: string,
): Promise<{ readonly email: string; readonly locale: Locale }> {
  const [owner] = await manager.query<{ email: string; locale: Locale }[]>(
    'SELECT email, locale FROM accounts WHERE id = $1 FOR UPDATE',
    [accountId],
  );
  if (owner === undefined) throw new AccessError('The account was deleted', { code: 'sign_in_first' });
  return owner;
}
