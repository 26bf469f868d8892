import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The database keeps accounts apart: a transaction sees the rows of the account that it names in the setting
 * `tidemark.account`, or the row whose secret it presents in `tidemark.credential`. What concerns several accounts is a
 * function of the owner, or the sending of notifications (`tidemark.work`).
 */
export class Tenants1796900000000 implements MigrationInterface {
  readonly name = 'Tenants1796900000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [POLICIES, AUDIT, LOOK_UPS, USAGE, OPERATOR, RIGHTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const TABLES = `accounts api_keys account_passwords account_sessions one_time_tokens authorization_requests
  account_identities daily_usage minute_usage key_usage follows alerts alert_events notification_channels notifications`;
const enable = (verb: 'ENABLE' | 'DISABLE'): string =>
  TABLES.split(/\s+/)
    .map((table) => `ALTER TABLE ${table} ${verb} ROW LEVEL SECURITY;`)
    .join('\n');

const POLICIES = `
${enable('ENABLE')}

CREATE POLICY own ON accounts TO tidemark_account USING (id = current_setting('tidemark.account', true));
CREATE POLICY own ON api_keys TO tidemark_account USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON account_passwords TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON account_sessions TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON one_time_tokens TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON account_identities TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON daily_usage TO tidemark_account USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON minute_usage TO tidemark_account USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON key_usage TO tidemark_account
  USING (EXISTS (SELECT FROM api_keys k WHERE k.id = key_id AND k.account_id = current_setting('tidemark.account', true)));
CREATE POLICY own ON notification_channels TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON notifications TO tidemark_account
  USING (EXISTS (SELECT FROM notification_channels c
    WHERE c.id = channel_id AND c.account_id = current_setting('tidemark.account', true)));

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

CREATE POLICY own ON follows TO tidemark_api USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON alerts TO tidemark_api USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own ON alert_events FOR SELECT TO tidemark_api
  USING (EXISTS (SELECT FROM alerts a WHERE a.id = alert_id AND a.account_id = current_setting('tidemark.account', true)));

-- Publishing evaluates the conditions of all accounts; its columns do not tell whose they are.
CREATE POLICY publishing ON alerts TO tidemark_import USING (true);
CREATE POLICY publishing ON alert_events FOR SELECT TO tidemark_import USING (true);
CREATE POLICY publishing_insert ON alert_events FOR INSERT TO tidemark_import WITH CHECK (true);
CREATE POLICY publishing_delete ON alert_events FOR DELETE TO tidemark_import
  USING (EXISTS (SELECT FROM series s WHERE s.id = series_id AND s.withheld));
`;

// Rows are appended by whom they concern, and deleted by purge_expired alone.
const AUDIT = `
DROP POLICY account_audit_events ON audit_events;
DROP POLICY api_audit_events ON audit_events;
CREATE POLICY own ON audit_events FOR SELECT TO tidemark_account
  USING (account_id = current_setting('tidemark.account', true));
CREATE POLICY own_insert ON audit_events FOR INSERT TO tidemark_account
  WITH CHECK (account_id = current_setting('tidemark.account', true));
CREATE POLICY own_insert_api ON audit_events FOR INSERT TO tidemark_api
  WITH CHECK (account_id = current_setting('tidemark.account', true) AND action IN (
    'follow_added', 'follow_removed', 'alert_created', 'alert_paused', 'alert_resumed', 'alert_deleted'));
REVOKE DELETE ON audit_events FROM tidemark_account;

-- The age of audit rows is that of the server's clock, which no caller chooses.
CREATE FUNCTION purge_expired(at timestamptz) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  DELETE FROM account_sessions WHERE expires_at < at;
  DELETE FROM one_time_tokens WHERE expires_at < at;
  DELETE FROM authorization_requests WHERE expires_at < at;
  DELETE FROM api_keys WHERE coalesce(revoked_at, expires_at) < at - interval '90 days';
  DELETE FROM former_accounts WHERE deleted_at < at - interval '30 days';
  DELETE FROM notifications WHERE created_at < at - interval '30 days';
  DELETE FROM audit_events e WHERE e.at < least(purge_expired.at, now()) - interval '400 days';
$$;
`;

// One statement without a transaction: the key of a request costs no further round trip.
const LOOK_UPS = `
CREATE FUNCTION find_keys(hashes bytea[])
RETURNS TABLE (hash bytea, "keyId" text, "accountId" text, plan text, status text, revoked boolean,
  "expiresAt" timestamptz, "signedUpAt" timestamptz)
LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT k.hash, k.id, a.id, a.plan, a.status, k.revoked_at IS NOT NULL, k.expires_at, NULL::timestamptz
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY (hashes);
END $$;

CREATE FUNCTION find_identity(of_issuer text, of_subject text)
RETURNS TABLE ("keyId" text, "accountId" text, plan text, status text, revoked boolean, "expiresAt" timestamptz,
  "signedUpAt" timestamptz)
LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT NULL::text, a.id, a.plan, a.status, false, NULL::timestamptz, a.signed_up_at
  FROM account_identities i JOIN accounts a ON a.id = i.account_id
  WHERE i.issuer = of_issuer AND i.subject = of_subject;
END $$;

CREATE FUNCTION account_of_email(address text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM accounts WHERE email = address $$;
CREATE FUNCTION account_of_key(key_id text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT account_id FROM api_keys WHERE id = key_id $$;
CREATE FUNCTION account_of_identity(of_issuer text, of_subject text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT account_id FROM account_identities WHERE issuer = of_issuer AND subject = of_subject $$;
`;

// Instances write the use of many accounts at once.
const USAGE = `
CREATE FUNCTION record_usage(accounts_used text[], days date[], counts integer[], writer uuid, batch_number integer)
RETURNS TABLE ("accountId" text, day date, admitted integer) LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  WITH fresh AS (
    INSERT INTO usage_writers AS w (id, batch) VALUES (writer, batch_number)
    ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = now() WHERE w.batch < excluded.batch
    RETURNING w.batch)
  INSERT INTO daily_usage AS d (account_id, day, admitted)
  SELECT u.account_id, u.day, u.admitted
  FROM unnest(accounts_used, days, counts) AS u (account_id, day, admitted)
  WHERE EXISTS (SELECT 1 FROM fresh) AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.day
  ON CONFLICT (account_id, day) DO UPDATE SET admitted = d.admitted + excluded.admitted
  RETURNING d.account_id, d.day, d.admitted
$$;

-- The statement reads the writer's last batch in the same snapshot as the counts.
CREATE FUNCTION recorded_usage(accounts_used text[], days date[], writer uuid)
RETURNS TABLE ("accountId" text, day date, admitted integer, batch integer) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT u.account_id, u.day, coalesce(d.admitted, 0), (SELECT w.batch FROM usage_writers w WHERE w.id = writer)
  FROM unnest(accounts_used, days) AS u (account_id, day) LEFT JOIN daily_usage d USING (account_id, day)
$$;

CREATE FUNCTION record_minutes(accounts_used text[], minutes timestamptz[], counts integer[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO minute_usage AS m (account_id, minute, admitted)
  SELECT u.account_id, u.minute, u.admitted
  FROM unnest(accounts_used, minutes, counts) AS u (account_id, minute, admitted)
  WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.minute
  ON CONFLICT (account_id, minute) DO UPDATE SET admitted = m.admitted + excluded.admitted
$$;

-- Another instance may have written a later use.
CREATE FUNCTION record_key_uses(keys text[], times timestamptz[], clients text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO key_usage AS k (key_id, last_used_at, client)
  SELECT u.key_id, u.at, u.client
  FROM unnest(keys, times, clients) AS u (key_id, at, client)
  WHERE EXISTS (SELECT 1 FROM api_keys a WHERE a.id = u.key_id)
  ORDER BY u.key_id
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at, client = excluded.client
  WHERE k.last_used_at < excluded.last_used_at
$$;

CREATE FUNCTION forget_minutes(before timestamptz) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$ DELETE FROM minute_usage WHERE minute < before $$;
`;

const OPERATOR = `
CREATE FUNCTION operator_accounts() RETURNS SETOF accounts LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT * FROM accounts $$;
CREATE FUNCTION operator_key_ids() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM api_keys $$;
CREATE FUNCTION operator_alert_ids() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM alerts $$;
CREATE FUNCTION operator_usage(first date, last date) RETURNS SETOF daily_usage LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT * FROM daily_usage WHERE day BETWEEN first AND last $$;
`;

const FOR_API = `find_keys(bytea[]), find_identity(text, text), record_usage(text[], date[], integer[], uuid, integer),
  recorded_usage(text[], date[], uuid), record_minutes(text[], timestamptz[], integer[]),
  record_key_uses(text[], timestamptz[], text[]), forget_minutes(timestamptz)`;
const FOR_ACCOUNT = `account_of_email(text), account_of_key(text), account_of_identity(text, text),
  purge_expired(timestamptz), operator_accounts(), operator_key_ids(), operator_alert_ids(),
  operator_usage(date, date)`;

const RIGHTS = `
REVOKE ALL ON FUNCTION ${FOR_API}, ${FOR_ACCOUNT}, advance_access_version() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${FOR_API} TO tidemark_api;
GRANT EXECUTE ON FUNCTION ${FOR_ACCOUNT} TO tidemark_account;
REVOKE ALL ON accounts, api_keys, account_identities, daily_usage, minute_usage, key_usage FROM tidemark_api;
REVOKE SELECT (id, plan, status, signed_up_at) ON accounts FROM tidemark_api;
REVOKE SELECT (issuer, subject, account_id) ON account_identities FROM tidemark_api;

-- A temporary table is found last, so that none takes the place of ours.
ALTER FUNCTION analyze_content() SET search_path = public, pg_temp;
ALTER FUNCTION analyze_register() SET search_path = public, pg_temp;
ALTER FUNCTION flush_search_lists() SET search_path = public, pg_temp;
`;

const DOWN = `
DROP FUNCTION ${FOR_API}, ${FOR_ACCOUNT};
DROP POLICY own_insert_api ON audit_events;
DROP POLICY own_insert ON audit_events;
DROP POLICY own ON audit_events;
CREATE POLICY account_audit_events ON audit_events TO tidemark_account USING (true) WITH CHECK (true);
CREATE POLICY api_audit_events ON audit_events FOR INSERT TO tidemark_api WITH CHECK (action IN (
  'follow_added', 'follow_removed', 'alert_created', 'alert_paused', 'alert_resumed', 'alert_deleted'));
DO $$
DECLARE one record;
BEGIN
  FOR one IN SELECT policyname, tablename FROM pg_policies WHERE schemaname = 'public'
    AND tablename = ANY (regexp_split_to_array('${TABLES}', '\\s+'))
  LOOP EXECUTE format('DROP POLICY %I ON %I', one.policyname, one.tablename); END LOOP;
END $$;
${enable('DISABLE')}
GRANT DELETE ON audit_events TO tidemark_account;
GRANT SELECT (id, plan, status, signed_up_at) ON accounts TO tidemark_api;
GRANT SELECT (issuer, subject, account_id) ON account_identities TO tidemark_api;
GRANT SELECT ON api_keys TO tidemark_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_usage, minute_usage, key_usage TO tidemark_api;
`;
