import type { DataSource } from 'typeorm';
import type { Locale } from '../../domain/locale/locale.js';
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

/** A queue of its own: what waits in one lane delays no other. */
export interface Lane {
  readonly kind: ChannelKind;
  /** Only receivers whose last attempt got a response, or only the others; null: all. */
  readonly answered: boolean | null;
  /** Accounts that an instance sends for at once. */
  readonly slots: number;
}

/** Mail has its own lane; a webhook that has not answered lately delays none that has. */
export const LANES: readonly Lane[] = [
  { kind: 'email', answered: null, slots: 8 },
  { kind: 'webhook', answered: true, slots: 16 },
  { kind: 'webhook', answered: false, slots: 16 },
];

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
/** So many time-outs in a row pause a channel for so long; another one after it does again. */
const PAUSING_TIMEOUTS = 3;
const PAUSE_MS = 3_600_000;
/** The maximum number of notifications in one mail; it lists the first of them. */
const MAIL_BATCH = 1_000;

const DELIVERABLE = `c.disabled_at IS NULL AND (c.paused_until IS NULL OR c.paused_until <= $1) AND a.status = 'active'`;

/**
 * $1 now, $2 kind, $3 accounts to leave out, $4 how many channels, $5 notifications of a mail, $6 end of the lease,
 * $7 whether the receiver answered last (null: either), $8 and $9 accounts and the seconds that they took lately.
 * One channel per account, and accounts that took least first: a slow receiver delays only its own account. A channel
 * that another instance is claiming for is skipped as a whole, so that two instances never share the notifications of
 * one mail.
 */
export const CLAIM = `
  WITH due AS (
    SELECT channel_id, min(next_attempt_at) AS since FROM notifications
    WHERE state = 'pending' AND next_attempt_at <= $1 GROUP BY channel_id
  ), firsts AS (
    SELECT DISTINCT ON (c.account_id) c.account_id, c.id AS channel_id, d.since
    FROM due d JOIN notification_channels c ON c.id = d.channel_id JOIN accounts a ON a.id = c.account_id
    WHERE c.kind = $2 AND ($7::boolean IS NULL OR c.answered = $7) AND c.account_id <> ALL ($3) AND ${DELIVERABLE}
    ORDER BY c.account_id, d.since
  ), chosen AS MATERIALIZED (
    SELECT f.* FROM firsts f LEFT JOIN unnest($8::text[], $9::float8[]) AS spent (account_id, seconds) USING (account_id)
    ORDER BY coalesce(spent.seconds, 0), f.since LIMIT $4
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
  WHERE n.state = 'pending' AND n.next_attempt_at <= $1 AND c.kind = ANY ($2) AND ${DELIVERABLE}`;

/** $1 the channel, $2 whether it answered, $3 whether it timed out, $4 and $5 how many time-outs pause it until when. */
const HEALTH = `
  UPDATE notification_channels SET answered = $2, timeouts = CASE WHEN $3 THEN timeouts + 1 ELSE 0 END,
    paused_until = CASE WHEN $3 AND timeouts + 1 >= $4 THEN $5::timestamptz END
  WHERE id = $1 AND ($3 OR timeouts > 0 OR answered <> $2)`;

/** A test is tried once: its owner waits for the result, and presses again. */
export const isTest = ({ eventPosition }: ClaimedNotification): boolean => eventPosition === null;

/** Errors after which another attempt cannot succeed. */
const FINAL: ReadonlySet<AttemptError> = new Set(['gone', 'withdrawn']);

/** The queue of notifications in the database, which all instances share. */
export class Outbox {
  constructor(
    private readonly database: Pick<DataSource, 'query'>,
    private readonly now: () => Date,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * @param busy accounts that this instance is sending for in this lane
   * @param channels how many at most
   * @param spent seconds that accounts took lately
   */
  async claim(
    { kind, answered }: Lane,
    busy: readonly string[],
    channels: number,
    spent: ReadonlyMap<string, number> = new Map(),
  ): Promise<ClaimedBatch[]> {
    const now = this.now();
    const leaseEnd = new Date(now.getTime() + LEASE_MS);
    const [rows] = await this.database.query<[ClaimedRow[], number]>(CLAIM, [
      now,
      kind,
      busy,
      channels,
      MAIL_BATCH,
      leaseEnd,
      answered,
      [...spent.keys()],
      [...spent.values()],
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
    const pauseEnd = new Date(now.getTime() + PAUSE_MS);
    await this.database.query(HEALTH, [channelId, status !== null, error === 'timeout', PAUSING_TIMEOUTS, pauseEnd]);
    if (error === null) {
      await this.database.query(DELIVERED, [notifications.map(({ id }) => id), now, status]);
      return 0;
    }
    const dead = notifications.map((one) => isTest(one) || one.attempts >= MOST_ATTEMPTS || FINAL.has(error));
    await this.database.query(FAILED, [
      error,
      status,
      now,
      notifications.map(({ id }) => id),
      notifications.map((one) => one.attempts),
      notifications.map((one) => this.nextAttempt(one.attempts, now)),
      dead,
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
