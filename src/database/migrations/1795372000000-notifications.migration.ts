import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notification channels of accounts, and the outbox of notifications. A trigger fills the outbox in the transaction
 * that fires an alert, so publishing needs no right to read whose alert it is or where its owner is notified.
 */
export class Notifications1795372000000 implements MigrationInterface {
  readonly name = 'Notifications1795372000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(OUTBOX);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const TABLES = `
CREATE TABLE notification_channels (
  id text PRIMARY KEY CHECK (id ~ '^chn_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('email','webhook')),
  url text CHECK (char_length(url) <= 500),
  -- Signing secrets, encrypted by AES-256-GCM under a key that the database does not have.
  secret bytea,
  previous_secret bytea,
  -- Until then, both secrets sign.
  previous_until timestamptz,
  created_at timestamptz NOT NULL,
  -- Since when the channel takes no notification, because its receiver answered 410.
  disabled_at timestamptz,
  CHECK ((kind = 'webhook') = (url IS NOT NULL)),
  CHECK ((kind = 'webhook') = (secret IS NOT NULL)),
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX notification_channels_account ON notification_channels (account_id);
CREATE UNIQUE INDEX notification_channels_email ON notification_channels (account_id) WHERE kind = 'email';

CREATE TABLE notifications (
  -- The receiver's idempotency key: it stays the same in each attempt.
  id text PRIMARY KEY DEFAULT 'ntf_' || replace(gen_random_uuid()::text, '-', '') CHECK (id ~ '^ntf_[a-z0-9]{32}$'),
  channel_id text NOT NULL REFERENCES notification_channels ON DELETE CASCADE,
  -- Null for a test of a channel.
  alert_id text REFERENCES alerts ON DELETE CASCADE,
  -- Null for any test.
  event_position bigint,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending','delivered','dead')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  created_at timestamptz NOT NULL,
  -- A claim moves it past the time-outs of an attempt: a claim that is never finished is due again.
  next_attempt_at timestamptz NOT NULL,
  finished_at timestamptz,
  last_error text,
  -- The HTTP status of the last attempt.
  last_status integer,
  UNIQUE (channel_id, alert_id, event_position),
  FOREIGN KEY (alert_id, event_position) REFERENCES alert_events ON DELETE CASCADE,
  CHECK ((state = 'pending') = (finished_at IS NULL))
);
CREATE INDEX notifications_due ON notifications (next_attempt_at) WHERE state = 'pending';
CREATE INDEX notifications_pending ON notifications (channel_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX notifications_recent ON notifications (channel_id, created_at);
CREATE INDEX notifications_event ON notifications (alert_id, event_position);
CREATE INDEX notifications_created ON notifications (created_at);
`;

// pg_temp comes last: it is searched first by default, and an import makes temporary tables.
const OUTBOX = `
CREATE FUNCTION queue_notifications() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO notifications (channel_id, alert_id, event_position, created_at, next_attempt_at)
  SELECT c.id, e.alert_id, e.position, e.at, e.at
  FROM inserted e JOIN alerts a ON a.id = e.alert_id
    JOIN accounts o ON o.id = a.account_id AND o.status = 'active'
    JOIN notification_channels c ON c.account_id = o.id AND c.disabled_at IS NULL
  ORDER BY e.position;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION queue_notifications() FROM PUBLIC;
CREATE TRIGGER alert_events_notifications AFTER INSERT ON alert_events REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION queue_notifications();
`;

const RIGHTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_channels, notifications TO tidemark_account;
`;

const DOWN = `
DROP TRIGGER alert_events_notifications ON alert_events;
DROP FUNCTION queue_notifications();
DROP TABLE notifications, notification_channels;
`;
