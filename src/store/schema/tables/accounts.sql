-- Accounts, how their owners sign in, their keys, and what they used.

CREATE TABLE accounts (
  id text PRIMARY KEY CHECK (id ~ '^acc_[A-Za-z0-9_-]{1,60}$'),
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  plan text NOT NULL CHECK (plan IN ('free','pro','intelligence','developer')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','suspended')),
  signed_up_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  locale text NOT NULL DEFAULT 'en',
  -- The form of normalizeEmail: with it, the unique index of the column admits each mailbox once.
  CONSTRAINT accounts_email_spelling CHECK (
    email IS NFKC NORMALIZED AND email ~ '^[^@]+@[a-z0-9_-]+(\.[a-z0-9_-]+)*$')
);

CREATE TABLE api_keys (
  id text PRIMARY KEY CHECK (id ~ '^key_[A-Za-z0-9_-]{1,60}$'),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  name text NOT NULL,
  -- A keyed hash; the key itself is not stored.
  hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  pepper_id text NOT NULL,
  prefix text NOT NULL CHECK (char_length(prefix) = 8),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  expires_at timestamptz,
  -- A key is replaced at most once.
  replaces text UNIQUE REFERENCES api_keys ON DELETE SET NULL,
  -- Of a file link: the address of the one page whose table it opens. Null: a key of the API.
  reads text CONSTRAINT api_keys_reads CHECK (reads ~ '^/[!-~]{1,250}$'),
  CONSTRAINT api_keys_name_one_line CHECK (name !~ '[\u0001-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e00ff]')
);
CREATE INDEX api_keys_account ON api_keys (account_id);

-- Moves with every change of an identity: instances poll it, to know when to drop their cached identities. A new account
-- or key changes none, because instances do not cache unknown keys.
CREATE TABLE access_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL
);
INSERT INTO access_version (version) VALUES (1);
-- The account of each access version, so that an event of one account empties no cache of another's callers.
CREATE TABLE changed_accounts (
  version bigint NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (version, account_id)
);

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
  address text NOT NULL,
  -- The provider that signed the owner in; null: a password or a mailed link.
  issuer text,
  -- When the owner last signed in again at the provider, before an action that cannot be undone.
  confirmed_at timestamptz
);
CREATE INDEX account_sessions_account ON account_sessions (account_id);
CREATE INDEX account_sessions_expiry ON account_sessions (expires_at);

-- Mailed links. A link carries its address and no password; a sign-up stays here until its address is confirmed, so that
-- nobody can register the address of another person.
CREATE TABLE one_time_tokens (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('confirm','reset','sign_in')),
  account_id text REFERENCES accounts ON DELETE CASCADE,
  email text NOT NULL CHECK (email = lower(email)),
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT one_time_tokens_owner CHECK ((purpose = 'confirm') = (account_id IS NULL))
);
CREATE INDEX one_time_tokens_account ON one_time_tokens (account_id);
CREATE INDEX one_time_tokens_expiry ON one_time_tokens (expires_at);

-- Identities at an OpenID provider. OpenID Connect Core 2: issuer and subject together identify a person, and nothing
-- else does.
CREATE TABLE account_identities (
  issuer text NOT NULL,
  subject text NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (account_id, issuer)
);

-- Requests that wait for the provider's response.
CREATE TABLE authorization_requests (
  state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
  -- SHA-256 of the cookie of the browser that began: another browser cannot complete it.
  cookie_hash bytea NOT NULL CHECK (octet_length(cookie_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('sign_in','link','confirm')),
  account_id text REFERENCES accounts ON DELETE CASCADE,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT authorization_requests_owner CHECK ((purpose = 'sign_in') = (account_id IS NULL))
);
CREATE INDEX authorization_requests_account ON authorization_requests (account_id);
CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at);

-- Limits that an account keeps after its deletion, so that signing up again does not reset them. The address is a keyed
-- hash.
CREATE TABLE former_accounts (
  email_hash bytea PRIMARY KEY CHECK (octet_length(email_hash) = 32),
  signed_up_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL,
  -- What the account used on the day of its deletion.
  admitted integer NOT NULL CHECK (admitted >= 0)
);

-- Rows outlive their account; its id then identifies no person.
CREATE TABLE audit_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  at timestamptz NOT NULL,
  -- Unknown: of a failed sign-in.
  actor text NOT NULL CHECK (actor IN ('owner','operator','unknown')),
  action text NOT NULL,
  -- The id of the key, session, follow or alert.
  subject text,
  address text
);
CREATE INDEX audit_events_account ON audit_events (account_id, id);
CREATE INDEX audit_events_at ON audit_events (at);

-- Requests admitted, by UTC day, and by minute for the account page. Instances write them each few seconds.
CREATE TABLE daily_usage (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  day date NOT NULL,
  admitted integer NOT NULL CHECK (admitted >= 0),
  PRIMARY KEY (account_id, day)
);
CREATE TABLE minute_usage (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  minute timestamptz NOT NULL CHECK (date_trunc('minute', minute, 'UTC') = minute),
  admitted integer NOT NULL CHECK (admitted > 0),
  PRIMARY KEY (account_id, minute)
);
CREATE INDEX minute_usage_minute ON minute_usage (minute);

-- The newest requests of an account that were refused, newest first, as the account page shows them.
CREATE TABLE refused_requests (
  account_id text PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  newest timestamptz NOT NULL,
  requests jsonb NOT NULL CHECK (jsonb_array_length(requests) BETWEEN 1 AND 20)
);

-- When each key was last used.
CREATE TABLE key_usage (
  key_id text PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  last_used_at timestamptz NOT NULL,
  client text NOT NULL CHECK (char_length(client) <= 100)
);

-- The last usage batch of each instance: an instance repeats a batch whose commit it could not confirm, and the
-- repeated batch adds nothing.
CREATE TABLE usage_writers (
  id uuid PRIMARY KEY,
  batch integer NOT NULL CHECK (batch > 0),
  written_at timestamptz NOT NULL DEFAULT now()
);
