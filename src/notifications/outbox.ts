import type { DataSource } from 'typeorm';
import type { Locale } from '../locale/locale.js';
import type { AttemptResult, AttemptError } from './post-webhook.js';

export type ChannelKind = 'email' | 'webhook';

/** A notification that this instance may send until its lease ends. */
export interface ClaimedNotification {
  readonly id: string;
  readonly alertId: string | null;
  /** Null for a test. */
  readonly eventPosition: number | null;
  /** Counts this attempt. */
  readonly attempts: number;
}

/** Claimed notifications of one channel: several for a mail, which lists them, and one for a webhook. */
export interface ClaimedBatch {
  readonly channel: ClaimedChannel;
  readonly notifications: readonly ClaimedNotification[];
}

export interface ClaimedChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly accountId: string;
  readonly email: string;
  readonly locale: Locale;
  readonly url: string | null;
  readonly secret: Buffer | null;
  readonly previousSecret: Buffer | null;
  readonly previousUntil: Date | null;
}

interface ClaimedRow extends ClaimedNotification {
  readonly channelId: string;
  readonly channel: Omit<ClaimedChannel, 'secret' | 'previousSecret' | 'previousUntil'>;
  readonly secret: Buffer | null;
  readonly previousSecret: Buffer | null;
  readonly previousUntil: Date | null;
}

/** How long a claim lasts: longer than all time-outs of an attempt together. */
export const LEASE_MS = 60_000;
export const MOST_ATTEMPTS = 8;
const FIRST_DELAY_MS = 15_000;
const DELAY_FACTOR = 4;
const JITTER = 0.2;
/** The maximum number of notifications in one mail; it lists the first of them. */
const MAIL_BATCH = 1_000;

const DELIVERABLE = `n.state = 'pending' AND n.next_attempt_at <= $1 AND c.kind = ANY ($2) AND c.disabled_at IS NULL
    AND a.status = 'active'`;

/**
 * $1 now, $2 kinds, $3 accounts to leave out, $4 how many channels, $5 notifications of a mail, $6 end of the lease.
 * One channel per account: a slow receiver delays only its own account. A channel that another instance is claiming
 * for is skipped as a whole, so that two instances never share the notifications of one mail.
 */
export const CLAIM = `
  WITH waiting AS MATERIALIZED (
    SELECT c.account_id, c.id AS channel_id, c.kind, n.next_attempt_at
    FROM notifications n JOIN notification_channels c ON c.id = n.channel_id JOIN accounts a ON a.id = c.account_id
    WHERE ${DELIVERABLE} AND c.account_id <> ALL ($3)
    ORDER BY n.next_attempt_at LIMIT 1000
  ), firsts AS (
    SELECT DISTINCT ON (account_id) * FROM waiting ORDER BY account_id, next_attempt_at
  ), chosen AS MATERIALIZED (
    SELECT * FROM firsts ORDER BY next_attempt_at LIMIT $4
  ), claimed AS MATERIALIZED (
    SELECT c.id, c.kind FROM chosen s JOIN notification_channels c ON c.id = s.channel_id
    FOR NO KEY UPDATE OF c SKIP LOCKED
  ), locked AS MATERIALIZED (
    SELECT n.id FROM claimed s CROSS JOIN LATERAL (
      SELECT id FROM notifications
      WHERE channel_id = s.id AND state = 'pending' AND next_attempt_at <= $1
      ORDER BY next_attempt_at, id LIMIT CASE s.kind WHEN 'email' THEN $5::integer ELSE 1 END
      FOR UPDATE SKIP LOCKED) n
  )
  UPDATE notifications n SET attempts = n.attempts + 1, next_attempt_at = $6
  FROM locked l, notification_channels c, accounts a
  WHERE n.id = l.id AND c.id = n.channel_id AND a.id = c.account_id
  RETURNING n.id, n.alert_id AS "alertId", n.event_position AS "eventPosition", n.attempts,
    c.id AS "channelId", jsonb_build_object('id', c.id, 'kind', c.kind, 'accountId', a.id, 'email', a.email,
      'locale', a.locale, 'url', c.url) AS channel,
    c.secret, c.previous_secret AS "previousSecret", c.previous_until AS "previousUntil"`;

const DELIVERED = `
  UPDATE notifications SET state = 'delivered', finished_at = $2, last_error = NULL, last_status = $3
  WHERE id = ANY ($1) AND state = 'pending'`;

/** Only the attempt that still has the claim: another instance may have sent it after the lease. */
const FAILED = `
  UPDATE notifications n SET last_error = $1, last_status = $2, next_attempt_at = f.next,
    state = CASE WHEN f.dead THEN 'dead' ELSE 'pending' END, finished_at = CASE WHEN f.dead THEN $3::timestamptz END
  FROM unnest($4::text[], $5::integer[], $6::timestamptz[], $7::boolean[]) AS f (id, attempts, next, dead)
  WHERE n.id = f.id AND n.attempts = f.attempts AND n.state = 'pending'`;

const DISABLE = [
  'UPDATE notification_channels SET disabled_at = $2 WHERE id = $1 AND disabled_at IS NULL',
  `UPDATE notifications SET state = 'dead', finished_at = $2, last_error = 'channel_disabled'
   WHERE channel_id = $1 AND state = 'pending'`,
];

const LATENESS = `
  SELECT extract(epoch FROM $1 - min(n.next_attempt_at))::float8 AS seconds
  FROM notifications n JOIN notification_channels c ON c.id = n.channel_id JOIN accounts a ON a.id = c.account_id
  WHERE ${DELIVERABLE}`;

/** Errors after which another attempt cannot succeed. */
const FINAL: ReadonlySet<AttemptError> = new Set(['gone', 'withdrawn']);

/** The queue of notifications in the database, which all instances share. */
export class Outbox {
  constructor(
    private readonly database: DataSource,
    private readonly now: () => Date,
    private readonly random: () => number = Math.random,
  ) {}

  /** @param busy accounts that this instance is sending for */
  async claim(
    kinds: readonly ChannelKind[],
    busy: readonly string[],
    channels: number,
  ): Promise<ClaimedBatch[]> {
    const now = this.now();
    const leaseEnd = new Date(now.getTime() + LEASE_MS);
    const [rows] = await this.database.query<[ClaimedRow[], number]>(CLAIM, [
      ...[now, kinds, busy, channels, MAIL_BATCH, leaseEnd],
    ]);
    const batches = new Map<string, { channel: ClaimedChannel; notifications: ClaimedNotification[] }>();
    for (const { channelId, channel, secret, previousSecret, previousUntil, ...notification } of rows) {
      const batch = batches.get(channelId);
      if (batch !== undefined) batch.notifications.push(notification);
      else {
        const secrets = { secret, previousSecret, previousUntil };
        batches.set(channelId, { channel: { ...channel, ...secrets }, notifications: [notification] });
      }
    }
    for (const { notifications } of batches.values()) {
      notifications.sort((one, other) => (one.eventPosition ?? 0) - (other.eventPosition ?? 0));
    }
    return [...batches.values()];
  }

  /** Records the result of one attempt. Returns how many notifications it made dead. */
  async finish(
    { id: channelId }: ClaimedChannel,
    notifications: readonly ClaimedNotification[],
    { error, status = null }: Omit<AttemptResult, 'status'> & { status?: number | null },
  ): Promise<number> {
    if (notifications.length === 0) return 0;
    const now = this.now();
    if (error === null) {
      await this.database.query(DELIVERED, [notifications.map(({ id }) => id), now, status]);
      return 0;
    }
    const dead = notifications.map(({ attempts }) => attempts >= MOST_ATTEMPTS || FINAL.has(error));
    await this.database.query(FAILED, [
      ...[error, status, now, notifications.map(({ id }) => id), notifications.map((one) => one.attempts)],
      ...[notifications.map((one) => this.nextAttempt(one.attempts, now)), dead],
    ]);
    if (error === 'gone') for (const sql of DISABLE) await this.database.query(sql, [channelId, now]);
    return dead.filter((isDead) => isDead).length;
  }

  /** For how many seconds the oldest notification has been due. */
  async lateness(kinds: readonly ChannelKind[]): Promise<number> {
    const [row] = await this.database.query<{ seconds: number | null }[]>(LATENESS, [this.now(), kinds]);
    return row?.seconds ?? 0;
  }

  /** Grows fourfold with each attempt, spread so that the receivers of one outage are not asked at one moment. */
  private nextAttempt(attempts: number, now: Date): Date {
    const delay = FIRST_DELAY_MS * DELAY_FACTOR ** (Math.min(attempts, MOST_ATTEMPTS) - 1);
    return new Date(now.getTime() + delay * (1 - JITTER + 2 * JITTER * this.random()));
  }
}
