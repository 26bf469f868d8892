import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A third role, `tidemark_account`, writes accounts and keys and is the only one that reads passwords, sessions and
 * e-mail addresses. The API's role keeps the rights that verifying a key needs.
 */
export class AccountRole1795340000000 implements MigrationInterface {
  readonly name = 'AccountRole1795340000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROLE);
    await runner.query(TABLES);
    await runner.query(RIGHTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// As in the foundation migration: the role belongs to the whole cluster and may exist.
const ROLE = `
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'tidemark_account') THEN
    BEGIN
      CREATE ROLE tidemark_account NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  IF NOT pg_has_role(current_user, 'tidemark_account', 'MEMBER') THEN
    EXECUTE format('GRANT tidemark_account TO %I', current_user);
  END IF;
END $$;
GRANT USAGE ON SCHEMA public TO tidemark_account;
`;

const TABLES = `
ALTER TABLE accounts ADD COLUMN locale text NOT NULL DEFAULT 'en' CHECK (locale IN ('en','zh','ja'));

ALTER TABLE api_keys ADD COLUMN expires_at timestamptz;
DROP TRIGGER api_keys_version ON api_keys;
CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at, expires_at OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();

-- argon2id in its own encoding, which names its parameters and salt.
CREATE TABLE account_passwords (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  hash text NOT NULL CHECK (hash LIKE '$argon2id$%'),
  changed_at timestamptz NOT NULL
);

CREATE TABLE account_sessions (
  id text PRIMARY KEY CHECK (id ~ '^ses_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  -- SHA-256 of the cookie's 256 random bits; the cookie itself is not stored.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  -- The absolute end; an unused session ends earlier.
  expires_at timestamptz NOT NULL,
  client text NOT NULL,
  address text NOT NULL
);
CREATE INDEX account_sessions_account ON account_sessions (account_id);
CREATE INDEX account_sessions_expiry ON account_sessions (expires_at);

-- A sign-up stays here until its address is confirmed, so that nobody can register the address of another person.
CREATE TABLE one_time_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('confirm','reset','sign_in')),
  account_id text REFERENCES accounts ON DELETE CASCADE,
  email text CHECK (email = lower(email)),
  password_hash text,
  locale text NOT NULL CHECK (locale IN ('en','zh','ja')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'confirm') = (account_id IS NULL)),
  CHECK ((purpose = 'confirm') = (email IS NOT NULL)),
  CHECK ((purpose = 'confirm') = (password_hash IS NOT NULL))
);
CREATE INDEX one_time_tokens_account ON one_time_tokens (account_id);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

-- Limits that an account keeps after its deletion, so that signing up again does not reset them. The address is a keyed
-- hash.
CREATE TABLE former_accounts (
  email_hash bytea PRIMARY KEY CHECK (octet_length(email_hash) = 32),
  signed_up_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL,
  -- What the account used on the day of its deletion.
  admitted integer NOT NULL CHECK (admitted >= 0)
);

-- One row for each limited subject (GCRA): the time at which its next attempt is due without a burst.
CREATE TABLE attempt_limits (
  subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
  due_at timestamptz NOT NULL
);
CREATE INDEX attempt_limits_due ON attempt_limits (due_at);

-- Rows outlive their account; its id then identifies no person.
CREATE TABLE audit_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  at timestamptz NOT NULL,
  actor text NOT NULL CHECK (actor IN ('owner','operator')),
  action text NOT NULL,
  -- The id of the key, session, follow or alert.
  subject text,
  address text
);
CREATE INDEX audit_events_account ON audit_events (account_id, id);
CREATE INDEX audit_events_at ON audit_events (at);
`;

const RIGHTS = `
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, api_keys, account_passwords, account_sessions, one_time_tokens,
  former_accounts, attempt_limits TO tidemark_account;
GRANT SELECT, INSERT, DELETE ON audit_events TO tidemark_account;
GRANT SELECT, UPDATE ON access_version TO tidemark_account;
-- A new account for the address of a deleted one takes over the requests of that day.
GRANT SELECT, INSERT ON daily_usage TO tidemark_account;

REVOKE ALL ON accounts, api_keys, access_version FROM tidemark_api;
GRANT SELECT (id, plan, status, signed_up_at) ON accounts TO tidemark_api;
GRANT SELECT ON api_keys, access_version TO tidemark_api;
`;

const DOWN = `
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, api_keys TO tidemark_api;
GRANT SELECT, UPDATE ON access_version TO tidemark_api;
DROP TABLE audit_events, attempt_limits, former_accounts, one_time_tokens, account_sessions, account_passwords;
DROP TRIGGER api_keys_version ON api_keys;
ALTER TABLE api_keys DROP COLUMN expires_at;
CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
ALTER TABLE accounts DROP COLUMN locale;
REVOKE ALL ON accounts, api_keys, access_version, daily_usage FROM tidemark_account;
REVOKE USAGE ON SCHEMA public FROM tidemark_account;
`;
