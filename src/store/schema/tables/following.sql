-- Follows and alerts of accounts, and the notifications of alerts. The API writes follows and alerts. Publishing reads
-- the conditions and writes alert events, but cannot read whose they are.

CREATE TABLE follows (
  id text PRIMARY KEY CHECK (id ~ '^fol_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  target_type text NOT NULL CHECK (
    target_type IN ('topic','coverage','country','company','entity','instrument','indicator','series')),
  -- The target's own key, without a foreign key, because the target may be withheld or disappear.
  target_key text NOT NULL,
  since timestamptz NOT NULL,
  UNIQUE (account_id, target_type, target_key)
);

CREATE TABLE alerts (
  id text PRIMARY KEY CHECK (id ~ '^alr_[A-Za-z0-9_-]{1,60}$'),
  position bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(btrim(name)) BETWEEN 1 AND 100),
  target_type text NOT NULL CHECK (
    target_type IN ('topic','coverage','country','company','entity','instrument','indicator','series')),
  target_key text NOT NULL,
  metric text NOT NULL CHECK (metric IN ('any_change','value_above','value_below','move_percent')),
  -- In the target's unit; percent for move_percent.
  threshold numeric,
  state text NOT NULL DEFAULT 'armed' CHECK (state IN ('armed','triggered','paused')),
  created_at timestamptz NOT NULL,
  -- The newest evaluated period, and whether the condition held there. No figure is stored.
  evaluated_period text COLLATE "C",
  met boolean,
  CONSTRAINT alerts_name_one_line CHECK (name !~ '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e00ff]'),
  CONSTRAINT alerts_threshold CHECK ((metric = 'any_change') = (threshold IS NULL)),
  CONSTRAINT alerts_value_target CHECK (metric = 'any_change' OR target_type IN ('instrument','series')),
  CONSTRAINT alerts_move_threshold CHECK (metric <> 'move_percent' OR threshold > 0)
);
CREATE INDEX alerts_account ON alerts (account_id, position);
-- A publication selects the alerts on the targets that it changes.
CREATE INDEX alerts_target ON alerts (target_type, target_key);

-- An event of an alert. It shows a change as the change is now, but a figure in its own stored text.
CREATE TABLE alert_events (
  alert_id text NOT NULL REFERENCES alerts ON DELETE CASCADE,
  position bigint GENERATED ALWAYS AS IDENTITY,
  change_id text REFERENCES changes ON DELETE CASCADE,
  series_id integer REFERENCES series ON DELETE CASCADE,
  headline localized,
  at timestamptz NOT NULL,
  PRIMARY KEY (alert_id, position),
  CONSTRAINT alert_events_figure CHECK ((series_id IS NULL) = (headline IS NULL)),
  CONSTRAINT alert_events_cause CHECK (num_nonnulls(change_id, series_id) > 0)
);
CREATE INDEX alert_events_change ON alert_events (change_id) WHERE change_id IS NOT NULL;
CREATE INDEX alert_events_series ON alert_events (series_id) WHERE series_id IS NOT NULL;

-- Where an account's owner is notified.
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
  -- Whether the last attempt got a response, of whatever status.
  answered boolean NOT NULL DEFAULT false,
  -- Time-outs since the last attempt that was none.
  timeouts integer NOT NULL DEFAULT 0 CHECK (timeouts >= 0),
  -- Until then, no attempt is made; notifications wait.
  paused_until timestamptz,
  CONSTRAINT notification_channels_webhook_url CHECK ((kind = 'webhook') = (url IS NOT NULL)),
  CONSTRAINT notification_channels_webhook_secret CHECK ((kind = 'webhook') = (secret IS NOT NULL)),
  CONSTRAINT notification_channels_rotation CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
);
CREATE INDEX notification_channels_account ON notification_channels (account_id);
CREATE UNIQUE INDEX notification_channels_email ON notification_channels (account_id) WHERE kind = 'email';

-- The outbox. A trigger fills it in the transaction that fires an alert, so publishing needs no right to read whose
-- alert it is or where its owner is notified.
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
  CONSTRAINT notifications_finish CHECK ((state = 'pending') = (finished_at IS NULL))
);
CREATE INDEX notifications_due ON notifications (next_attempt_at) WHERE state = 'pending';
CREATE INDEX notifications_pending ON notifications (channel_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX notifications_recent ON notifications (channel_id, created_at);
CREATE INDEX notifications_event ON notifications (alert_id, event_position);
CREATE INDEX notifications_created ON notifications (created_at);
