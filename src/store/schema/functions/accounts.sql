-- Functions of accounts. A policy shows a transaction the rows of one account; what concerns several, or finds the account
-- of a secret, is a function of the owner. Each is replaced as a whole, and finds temporary tables last.

-- Identities.

-- The update locks the row until the transaction ends, so versions become visible in their order and without gaps.
CREATE OR REPLACE FUNCTION advance_access_version() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  current bigint;
  earlier jsonb := to_jsonb(OLD);
  later jsonb := to_jsonb(NEW);
BEGIN
  UPDATE access_version SET version = version + 1 RETURNING version INTO current;
  INSERT INTO changed_accounts
    SELECT DISTINCT current, account FROM unnest(ARRAY[
      coalesce(earlier ->> 'account_id', earlier ->> 'id'), coalesce(later ->> 'account_id', later ->> 'id')]) account
    WHERE account IS NOT NULL;
  -- As many as an instance reads (changed-accounts.ts).
  DELETE FROM changed_accounts WHERE version <= current - 1000;
  RETURN NULL;
END $$;

-- One statement without a transaction: the key of a request costs no further round trip.
CREATE OR REPLACE FUNCTION find_keys(hashes bytea[])
RETURNS TABLE (hash bytea, "keyId" text, "accountId" text, plan text, status text, revoked boolean,
  "expiresAt" timestamptz, "signedUpAt" timestamptz, reads text)
LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT k.hash, k.id, a.id, a.plan, a.status, k.revoked_at IS NOT NULL, k.expires_at, NULL::timestamptz, k.reads
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = ANY (hashes);
END $$;

CREATE OR REPLACE FUNCTION find_identity(of_issuer text, of_subject text)
RETURNS TABLE ("keyId" text, "accountId" text, plan text, status text, revoked boolean, "expiresAt" timestamptz,
  "signedUpAt" timestamptz)
LANGUAGE plpgsql STABLE ROWS 1 SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT NULL::text, a.id, a.plan, a.status, false, NULL::timestamptz, a.signed_up_at
  FROM account_identities i JOIN accounts a ON a.id = i.account_id
  WHERE i.issuer = of_issuer AND i.subject = of_subject;
END $$;

CREATE OR REPLACE FUNCTION account_of_email(address text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM accounts WHERE email = address $$;
CREATE OR REPLACE FUNCTION account_of_key(key_id text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT account_id FROM api_keys WHERE id = key_id $$;
CREATE OR REPLACE FUNCTION account_of_identity(of_issuer text, of_subject text) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT account_id FROM account_identities WHERE issuer = of_issuer AND subject = of_subject $$;

-- Usage: instances write the use of many accounts at once.

CREATE OR REPLACE FUNCTION record_usage(accounts_used text[], days date[], counts integer[], writer uuid, batch_number integer)
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
CREATE OR REPLACE FUNCTION recorded_usage(accounts_used text[], days date[], writer uuid)
RETURNS TABLE ("accountId" text, day date, admitted integer, batch integer) LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT u.account_id, u.day, coalesce(d.admitted, 0), (SELECT w.batch FROM usage_writers w WHERE w.id = writer)
  FROM unnest(accounts_used, days) AS u (account_id, day) LEFT JOIN daily_usage d USING (account_id, day)
$$;

CREATE OR REPLACE FUNCTION record_minutes(accounts_used text[], minutes timestamptz[], counts integer[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO minute_usage AS m (account_id, minute, admitted)
  SELECT u.account_id, u.minute, u.admitted
  FROM unnest(accounts_used, minutes, counts) AS u (account_id, minute, admitted)
  WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id, u.minute
  ON CONFLICT (account_id, minute) DO UPDATE SET admitted = m.admitted + excluded.admitted
$$;

-- Another instance may have written a later use.
CREATE OR REPLACE FUNCTION record_key_uses(keys text[], times timestamptz[], clients text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO key_usage AS k (key_id, last_used_at, client)
  SELECT u.key_id, u.at, u.client
  FROM unnest(keys, times, clients) AS u (key_id, at, client)
  WHERE EXISTS (SELECT 1 FROM api_keys a WHERE a.id = u.key_id)
  ORDER BY u.key_id
  ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at, client = excluded.client
  WHERE k.last_used_at < excluded.last_used_at
$$;

-- Of several instances: the newest twenty of all.
CREATE OR REPLACE FUNCTION record_refusals(accounts_used text[], lists jsonb[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO refused_requests AS r (account_id, newest, requests)
  SELECT u.account_id, now(), u.requests FROM unnest(accounts_used, lists) AS u (account_id, requests)
  WHERE EXISTS (SELECT 1 FROM accounts a WHERE a.id = u.account_id)
  ORDER BY u.account_id
  ON CONFLICT (account_id) DO UPDATE SET newest = excluded.newest, requests = (
    SELECT jsonb_agg(kind || jsonb_build_object('at', newest, 'times', times) ORDER BY newest DESC) FROM (
      SELECT one - '{at,times}'::text[] AS kind, max(one ->> 'at') AS newest, sum((one ->> 'times')::integer) AS times
      FROM jsonb_array_elements(excluded.requests || r.requests) AS one GROUP BY 1 ORDER BY 2 DESC LIMIT 20) kept)
$$;

CREATE OR REPLACE FUNCTION forget_minutes(before timestamptz) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  DELETE FROM minute_usage WHERE minute < before;
  DELETE FROM refused_requests WHERE newest < before
$$;

-- Notifications.

CREATE OR REPLACE FUNCTION queue_notifications() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO notifications (channel_id, alert_id, event_position, created_at, next_attempt_at)
  SELECT c.id, e.alert_id, e.position, e.at, e.at
  FROM inserted e JOIN alerts a ON a.id = e.alert_id
    JOIN accounts o ON o.id = a.account_id AND o.status = 'active'
    JOIN notification_channels c ON c.account_id = o.id AND c.disabled_at IS NULL
  ORDER BY e.position
  FOR KEY SHARE OF c;
  RETURN NULL;
END $$;

-- The operator, and the end of rows.

CREATE OR REPLACE FUNCTION operator_accounts() RETURNS SETOF accounts LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT * FROM accounts $$;
CREATE OR REPLACE FUNCTION operator_key_ids() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM api_keys $$;
CREATE OR REPLACE FUNCTION operator_alert_ids() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$ SELECT id FROM alerts $$;

-- The age of audit rows is that of the server's clock, which no caller chooses.
CREATE OR REPLACE FUNCTION purge_expired(at timestamptz) RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  DELETE FROM account_sessions WHERE expires_at < at;
  DELETE FROM one_time_tokens WHERE expires_at < at;
  DELETE FROM authorization_requests WHERE expires_at < at;
  DELETE FROM api_keys WHERE coalesce(revoked_at, expires_at) < at - interval '90 days';
  DELETE FROM former_accounts WHERE deleted_at < at - interval '30 days';
  DELETE FROM notifications WHERE created_at < at - interval '30 days';
  DELETE FROM audit_events e WHERE e.at < least(purge_expired.at, now()) - interval '400 days';
$$;
