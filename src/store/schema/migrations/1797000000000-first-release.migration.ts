import type { QueryRunner } from 'typeorm';
import type { ReleaseMigration } from '../release-migration.js';
import { schemaRules } from '../schema-files.js';

/** Carries a database of the last state before the first release (commit 83fc1a8) over to the schema of that release. */
export class FirstRelease1797000000000 implements ReleaseMigration {
  readonly name = 'FirstRelease1797000000000';
  readonly follows = 'YieldCurves1795386000000';
  readonly locks = LOCKS;
  /** Earlier instances name no account in their transactions, so row-level security would hide every account from them. */
  readonly serves = null;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ACCOUNTS);
    await runner.query(MOMENTS);
    await runner.query(NAMES);
    await runner.query(CLEAR);
    await runner.query(schemaRules());
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Restore the backup instead'));
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

const ACCOUNTS = `
-- A mailed link carries its address and no password: a pending one of an earlier version is requested again.
DELETE FROM one_time_tokens;
-- Dropping the column drops its constraint.
ALTER TABLE one_time_tokens DROP COLUMN password_hash, ALTER COLUMN email SET NOT NULL,
  DROP CONSTRAINT one_time_tokens_check1;
ALTER TABLE accounts ADD CONSTRAINT accounts_email_spelling
  CHECK (email IS NFKC NORMALIZED AND email ~ '^[^@]+@[a-z0-9_-]+(\\.[a-z0-9_-]+)*$');
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
  ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('owner','operator','unknown'));

ALTER TABLE api_keys ADD COLUMN replaces text UNIQUE REFERENCES api_keys ON DELETE SET NULL;
-- The store of limits counts attempts.
DROP TABLE attempt_limits;
CREATE TABLE changed_accounts (
  version bigint NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (version, account_id)
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
ALTER TABLE publications RENAME CONSTRAINT revisions_kind_check TO publications_kind_check;
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
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM tidemark_api, tidemark_import, tidemark_account;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM tidemark_api, tidemark_import, tidemark_account;
`;
