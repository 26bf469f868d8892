-- Accounts: their own role writes them, the API keeps follows and alerts, and publishing evaluates conditions. A transaction
-- sees the rows of the account that it names in the setting tidemark.account, or the row whose secret it presents in
-- tidemark.credential; the sending of notifications (tidemark.work) sees those of all accounts.

GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, api_keys, account_passwords, account_sessions, one_time_tokens,
  former_accounts, notification_channels, notifications TO tidemark_account;
GRANT SELECT, INSERT, DELETE ON account_identities, authorization_requests TO tidemark_account;
GRANT SELECT, INSERT ON audit_events TO tidemark_account;
GRANT SELECT, UPDATE ON access_version TO tidemark_account;
-- A new account for the address of a deleted one takes over the requests of that day.
GRANT SELECT, INSERT ON daily_usage TO tidemark_account;
GRANT SELECT ON minute_usage, key_usage, refused_requests TO tidemark_account;

GRANT SELECT ON access_version, changed_accounts TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON usage_writers, follows, alerts TO tidemark_api;
GRANT SELECT ON alert_events TO tidemark_api;
GRANT INSERT ON audit_events TO tidemark_api;

-- Publishing evaluates the conditions of all accounts; its columns do not tell whose they are.
GRANT SELECT (id, target_type, target_key, metric, threshold, state, created_at, evaluated_period, met),
  UPDATE (state, evaluated_period, met) ON alerts TO tidemark_import;
GRANT SELECT, INSERT, DELETE ON alert_events TO tidemark_import;

REVOKE ALL ON FUNCTION queue_notifications(), advance_access_version() FROM PUBLIC;
REVOKE ALL ON FUNCTION find_keys, find_identity, record_usage, recorded_usage, record_minutes, record_key_uses, record_refusals,
  forget_minutes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_keys, find_identity, record_usage, recorded_usage, record_minutes, record_key_uses, record_refusals,
  forget_minutes TO tidemark_api;
REVOKE ALL ON FUNCTION account_of_email, account_of_key, account_of_identity, purge_expired, operator_accounts, operator_key_ids,
  operator_alert_ids FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_of_email, account_of_key, account_of_identity, purge_expired, operator_accounts, operator_key_ids,
  operator_alert_ids TO tidemark_account;

DO $$
DECLARE personal text;
BEGIN
  FOREACH personal IN ARRAY ARRAY[
    'accounts', 'api_keys', 'account_passwords', 'account_sessions', 'one_time_tokens', 'authorization_requests',
    'account_identities', 'daily_usage', 'minute_usage', 'refused_requests', 'key_usage', 'follows', 'alerts', 'alert_events',
    'notification_channels', 'notifications', 'audit_events'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', personal);
  END LOOP;
  FOREACH personal IN ARRAY ARRAY[
    'api_keys', 'account_passwords', 'account_sessions', 'one_time_tokens', 'account_identities', 'daily_usage',
    'minute_usage', 'refused_requests', 'notification_channels'
  ] LOOP
    EXECUTE format('CREATE POLICY own ON %I TO tidemark_account
      USING (account_id = current_setting(''tidemark.account'', true))', personal);
  END LOOP;
END $$;

CREATE POLICY own ON accounts TO tidemark_account USING (id = current_setting('tidemark.account', true));
CREATE POLICY own ON key_usage TO tidemark_account
  USING (EXISTS (SELECT FROM api_keys k WHERE k.id = key_id AND k.account_id = current_setting('tidemark.account', true)));
CREATE POLICY own ON notifications TO tidemark_account
  USING (EXISTS (SELECT FROM notification_channels c
    WHERE c.id = channel_id AND c.account_id = current_setting('tidemark.account', true)));
CREATE POLICY own ON follows TO tidemark_api USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON alerts TO tidemark_api USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON alert_events FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT FROM alerts a WHERE a.id = alert_id AND a.account_id = current_setting('tidemark.account', true)));

-- Audit rows are appended by whom they concern, and deleted by purge_expired alone.
CREATE POLICY own ON audit_events FOR SELECT TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own_insert ON audit_events FOR INSERT TO tidemark_account
  WITH CHECK (account_id = current_setting('tidemark.account', true));
-- Changes of follows and alerts leave audit rows in their own transaction, which is the API's.
CREATE POLICY own_insert_api ON audit_events FOR INSERT TO tidemark_api
  WITH CHECK (account_id = current_setting('tidemark.account', true) AND action IN (
    'follow_added', 'follow_removed', 'alert_created', 'alert_paused', 'alert_resumed', 'alert_deleted'));

-- Who has the secret behind a hash may use its row, and make it.
CREATE POLICY presented ON account_sessions FOR SELECT TO tidemark_account
  USING (hash = decode(current_setting('tidemark.credential', true), 'hex'));
CREATE POLICY presented ON one_time_tokens TO tidemark_account
  USING (hash = decode(current_setting('tidemark.credential', true), 'hex'));
CREATE POLICY presented ON authorization_requests TO tidemark_account
  USING (state_hash = decode(current_setting('tidemark.credential', true), 'hex'));

-- Sending takes from the queue of all accounts, but adds and deletes nothing.
CREATE POLICY delivery ON accounts FOR SELECT TO tidemark_account
  USING (current_setting('tidemark.work', true) = 'delivery');
CREATE POLICY delivery ON notification_channels FOR SELECT TO tidemark_account
  USING (current_setting('tidemark.work', true) = 'delivery');
CREATE POLICY delivery_update ON notification_channels FOR UPDATE TO tidemark_account
  USING (current_setting('tidemark.work', true) = 'delivery');
CREATE POLICY delivery ON notifications FOR SELECT TO tidemark_account
  USING (current_setting('tidemark.work', true) = 'delivery');
CREATE POLICY delivery_update ON notifications FOR UPDATE TO tidemark_account
  USING (current_setting('tidemark.work', true) = 'delivery');

CREATE POLICY publishing ON alerts TO tidemark_import USING (true);
CREATE POLICY publishing ON alert_events FOR SELECT TO tidemark_import USING (true);
CREATE POLICY publishing_insert ON alert_events FOR INSERT TO tidemark_import WITH CHECK (true);
CREATE POLICY publishing_delete ON alert_events FOR DELETE TO tidemark_import
  USING (EXISTS (SELECT FROM series s WHERE s.id = series_id AND s.withheld));
