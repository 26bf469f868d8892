import type { ChannelKind } from './outbox.js';
import type { AttemptError } from './post-webhook.js';

export interface NotificationChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly url: string | null;
  readonly createdAt: Date;
  readonly previousUntil: Date | null;
  readonly disabledAt: Date | null;
  /** Until then, no attempt is made, because its receiver timed out several times in a row. */
  readonly pausedUntil: Date | null;
}

export interface NotificationState {
  readonly id: string;
  readonly alertId: string | null;
  readonly eventPosition: number | null;
  readonly kind: ChannelKind;
  readonly url: string | null;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date;
  readonly lastError: AttemptError | null;
  readonly lastStatus: number | null;
}

const CHANNEL = `id, kind, url, created_at AS "createdAt", previous_until AS "previousUntil",
  disabled_at AS "disabledAt", paused_until AS "pausedUntil"`;

/** $1 the account */
export const CHANNELS = `
  SELECT ${CHANNEL} FROM notification_channels WHERE account_id = $1 ORDER BY kind, created_at, id`;

/** $1 the account, $2 the id */
export const LOCK_WEBHOOK = `
  SELECT ${CHANNEL} FROM notification_channels WHERE account_id = $1 AND id = $2 AND kind = 'webhook' FOR UPDATE`;

/** $1 the account, $2 how many; newest first */
export const RECENT_NOTIFICATIONS = `
  SELECT n.id, n.alert_id AS "alertId", n.event_position AS "eventPosition", c.kind, c.url, n.state, n.attempts,
    n.created_at AS "createdAt", n.next_attempt_at AS "nextAttemptAt", n.last_error AS "lastError",
    n.last_status AS "lastStatus"
  FROM notification_channels c CROSS JOIN LATERAL (
    SELECT * FROM notifications WHERE channel_id = c.id ORDER BY created_at DESC LIMIT $2) n
  WHERE c.account_id = $1 ORDER BY n.created_at DESC, n.event_position DESC, n.id LIMIT $2`;
