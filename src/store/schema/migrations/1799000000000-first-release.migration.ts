import type { QueryRunner } from 'typeorm';
import { ReleaseMigration } from '../release-migration.js';
import { schemaRules } from '../schema-files.js';

/** Carries a database of the last state before the first release (commit 83fc1a8) over to the schema of that release. */
export class FirstRelease1799000000000 extends ReleaseMigration {
  readonly name = 'FirstRelease1799000000000';
  override readonly follows = 'YieldCurves1795386000000';
  override readonly objections = `SELECT format('account %s: the address %s', id, email) AS row FROM accounts WHERE NOT ${SPELT} ORDER BY id`;
  readonly locks = LOCKS;
  /** Earlier instances name no account in their transactions, so row-level security would hide every account from them. */
  readonly serves = null;

  async up(runner: QueryRunner): Promise<void> {
    const steps = [ACCOUNTS, MOMENTS, RANKING, WITHDRAWALS, SPANS, NAMES, QUARANTINE, CLEAR, schemaRules()];
    for (const step of steps) await runner.query(step);
  }
}

/** Every table with a trigger, a policy or a constraint that this migration makes anew. */
const LOCKS = `
  access_version account_identities account_passwords account_sessions accounts alert_events alerts api_keys
  attempt_limits audit_events authorization_requests briefs calendar_event_history calendar_events change_documents
  change_runs changes companies company_tickers daily_usage declared_sources entities entity_statements follows
  held_deliveries key_usage minute_usage notification_channels notifications observations one_time_tokens
  publications register_vintages registrants relation_vintages relations search_documents series series_versions
  series_vintages signals sources sync_attempts`
  .trim()
  .split(/\s+/);

/** One mailbox has one spelling: compatibility forms and names of domains in other scripts have others. */
const SPELT = `(email IS NFKC NORMALIZED AND email ~ '^[^@]+@[a-z0-9_-]+(\\.[a-z0-9_-]+)*$')`;

const ACCOUNTS = `
-- A mailed link carries its address and no password: a pending one of an earlier version is requested again.
DELETE FROM one_time_tokens;
-- Dropping the column drops its constraint.
ALTER TABLE one_time_tokens DROP COLUMN password_hash, ALTER COLUMN email SET NOT NULL,
  DROP CONSTRAINT one_time_tokens_check1;
ALTER TABLE accounts ADD CONSTRAINT accounts_email_spelling CHECK ${SPELT};
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
  ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('owner','operator','unknown'));

ALTER TABLE api_keys ADD COLUMN replaces text UNIQUE REFERENCES api_keys ON DELETE SET NULL,
  ADD COLUMN reads text CONSTRAINT api_keys_reads CHECK (reads ~ '^/[!-~]{1,250}$');
-- The store of limits counts attempts.
DROP TABLE attempt_limits;
CREATE TABLE changed_accounts (
  version bigint NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (version, account_id)
);

CREATE TABLE refused_requests (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  newest timestamptz NOT NULL,
  requests jsonb NOT NULL CHECK (jsonb_array_length(requests) BETWEEN 1 AND 20)
);

ALTER TABLE notification_channels
  ADD answered boolean NOT NULL DEFAULT false,
  ADD timeouts integer NOT NULL DEFAULT 0 CHECK (timeouts >= 0),
  ADD paused_until timestamptz;
UPDATE notification_channels c SET answered = true
WHERE EXISTS (SELECT 1 FROM notifications n WHERE n.channel_id = c.id AND n.last_status IS NOT NULL);
`;

/** `published_at` becomes the moment from which a version is visible. */
const MOMENTS = `
ALTER TABLE publications ADD COLUMN began_at timestamptz NOT NULL DEFAULT now();
UPDATE publications SET began_at = published_at;
CREATE INDEX publications_moments ON publications (published_at, began_at);
`;

/** A change of twenty years ago, or the fourth of one indicator and vintage, no longer ranks before the news of this year. */
const RANKING = `
ALTER TABLE changes ADD COLUMN context jsonb, ADD COLUMN alike smallint NOT NULL DEFAULT 0;
ALTER TABLE changes ADD COLUMN ranking integer NOT NULL GENERATED ALWAYS AS (
  round(180 * ln(greatest(importance, 0.5)) + extract(epoch FROM occurred_at AT TIME ZONE 'UTC') / 86400)
    - 20 * greatest(alike - 2, 0)) STORED;
CREATE INDEX changes_ranking ON changes (ranking, position);
`;

/** What a source withdraws, or gives again, is a change. */
const WITHDRAWALS = `
ALTER TABLE changes ADD COLUMN revision jsonb,
  DROP CONSTRAINT changes_rebasing,
  ADD CONSTRAINT changes_rebasing CHECK (num_nonnulls(rebasing, revision) = 0 OR kind = 'revision'),
  DROP CONSTRAINT changes_figure,
  ADD CONSTRAINT changes_figure CHECK (
    CASE WHEN series_id IS NULL
      THEN num_nonnulls(period, actual_value, previous_value, previous_period, previous_basis, previous_missing) = 0
      ELSE num_nulls(period, previous_period, previous_basis) = 0
        AND (actual_value IS NOT NULL OR kind = 'revision' AND previous_value IS NOT NULL)
        AND (previous_value IS NULL) = (previous_missing IS NOT NULL) END);
`;

/** The board no longer looks for the periods of every series. */
const SPANS = `
ALTER TABLE series ADD COLUMN oldest_period text COLLATE "C", ADD COLUMN newest_period text COLLATE "C";
UPDATE series s SET (oldest_period, newest_period) = (
  SELECT min(o.period), max(o.period) FROM observations o WHERE o.series_id = s.id AND o.valid_to IS NULL);
ALTER TABLE series_vintages ADD COLUMN partial boolean NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW derivable_series WITH (security_invoker = true) AS SELECT * FROM series WHERE NOT withheld;
`;

/** Constraints that had the number, or the former name, that PostgreSQL gave them. */
const NAMES = `
ALTER TABLE access_version RENAME CONSTRAINT access_epoch_pkey TO access_version_pkey;
ALTER TABLE access_version RENAME CONSTRAINT access_epoch_single_check TO access_version_single_check;
ALTER TABLE alert_events RENAME CONSTRAINT alert_events_check TO alert_events_figure;
ALTER TABLE alert_events RENAME CONSTRAINT alert_events_check1 TO alert_events_cause;
ALTER TABLE alerts RENAME CONSTRAINT alerts_check TO alerts_threshold;
ALTER TABLE alerts RENAME CONSTRAINT alerts_check1 TO alerts_value_target;
ALTER TABLE alerts RENAME CONSTRAINT alerts_check2 TO alerts_move_threshold;
ALTER TABLE authorization_requests RENAME CONSTRAINT authorization_requests_check TO authorization_requests_owner;
ALTER TABLE briefs RENAME CONSTRAINT briefs_check TO briefs_compiled;
ALTER TABLE change_runs RENAME CONSTRAINT change_runs_check TO change_runs_positions;
ALTER TABLE change_runs RENAME CONSTRAINT change_runs_check1 TO change_runs_days;
ALTER TABLE changes RENAME CONSTRAINT changes_check1 TO changes_withdrawal;
ALTER TABLE declared_sources RENAME CONSTRAINT declared_sources_check TO declared_sources_subject;
ALTER TABLE entities RENAME CONSTRAINT entities_check TO entities_identifier;
ALTER TABLE held_deliveries RENAME CONSTRAINT held_deliveries_check TO held_deliveries_decision;
ALTER TABLE notification_channels RENAME CONSTRAINT notification_channels_check TO notification_channels_webhook_url;
ALTER TABLE notification_channels RENAME CONSTRAINT notification_channels_check1 TO notification_channels_webhook_secret;
ALTER TABLE notification_channels RENAME CONSTRAINT notification_channels_check2 TO notification_channels_rotation;
ALTER TABLE notifications RENAME CONSTRAINT notifications_check TO notifications_finish;
ALTER TABLE observations RENAME CONSTRAINT observations_check TO observations_validity;
ALTER TABLE one_time_tokens RENAME CONSTRAINT one_time_tokens_check TO one_time_tokens_owner;
ALTER TABLE publications DROP CONSTRAINT revisions_kind_check, ADD CONSTRAINT publications_kind_check CHECK (
  kind IN ('import','backfill','replace','withdrawal','source_withheld','rendering','retraction','decision'));
ALTER TABLE relation_vintages RENAME CONSTRAINT relation_vintages_check TO relation_vintages_statement;
ALTER TABLE relations RENAME CONSTRAINT relations_check TO relations_validity;
ALTER TABLE relations RENAME CONSTRAINT relations_check1 TO relations_ends;
ALTER TABLE search_documents RENAME CONSTRAINT search_documents_check TO search_documents_versions;
ALTER TABLE search_documents RENAME CONSTRAINT search_documents_check1 TO search_documents_closure;
ALTER TABLE signals RENAME CONSTRAINT signals_check TO signals_evidence;
ALTER TABLE signals RENAME CONSTRAINT signals_check1 TO signals_days;
ALTER TABLE signals RENAME CONSTRAINT signals_judged_check TO signals_stage_check;
ALTER TABLE sync_attempts RENAME CONSTRAINT sync_attempts_check TO sync_attempts_end;
`;

/** Series wait, instead of whole deliveries. */
const QUARANTINE = `
ALTER TABLE held_deliveries ADD COLUMN published_with integer REFERENCES publications,
  DROP CONSTRAINT held_deliveries_state_check,
  ADD CONSTRAINT held_deliveries_state_check CHECK (state IN ('held','accepted','dropped','superseded'));
CREATE TABLE quarantined_series (
  delivery_id integer NOT NULL REFERENCES held_deliveries ON DELETE CASCADE,
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  since date NOT NULL,
  checks text[] NOT NULL,
  faults text[] NOT NULL,
  first_period text COLLATE "C" NOT NULL,
  last_period text COLLATE "C" NOT NULL,
  stored_values numeric[] NOT NULL,
  given_values numeric[] NOT NULL,
  ended_by integer REFERENCES publications,
  -- Of the next migration: the policies of this version name it.
  entity text,
  PRIMARY KEY (delivery_id, series_id)
);
CREATE INDEX quarantined_series_waiting ON quarantined_series (series_id) WHERE ended_by IS NULL;

CREATE TABLE audit_exceptions (
  series_id integer NOT NULL REFERENCES series ON DELETE CASCADE,
  check_name text NOT NULL,
  period text COLLATE "C" NOT NULL,
  value numeric,
  tolerance numeric NOT NULL CHECK (tolerance >= 0),
  reason text NOT NULL,
  data_version integer NOT NULL REFERENCES publications,
  PRIMARY KEY (series_id, check_name, period)
);
`;

/** Triggers, policies and grants come from the schema of this version. */
const CLEAR = `
DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT policyname AS name, tablename AS of FROM pg_policies WHERE schemaname = 'public' LOOP
    EXECUTE format('DROP POLICY %I ON %I', one.name, one.of);
  END LOOP;
  FOR one IN
    SELECT t.tgname AS name, c.relname AS of FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %I', one.name, one.of);
  END LOOP;
END $$;
DROP FUNCTION IF EXISTS operator_usage;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM tidemark_api, tidemark_import, tidemark_account;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM tidemark_api, tidemark_import, tidemark_account;
`;
