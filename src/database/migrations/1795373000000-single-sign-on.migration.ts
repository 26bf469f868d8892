import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identities at an OpenID provider, and the authorization requests that wait for its response. */
export class SingleSignOn1795373000000 implements MigrationInterface {
  readonly name = 'SingleSignOn1795373000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- OpenID Connect Core 2: issuer and subject together identify a person, and nothing else does.
CREATE TABLE account_identities (
  issuer text NOT NULL,
  subject text NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  linked_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (account_id, issuer)
);
CREATE TRIGGER account_identities_version AFTER UPDATE OR DELETE ON account_identities
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();

CREATE TABLE authorization_requests (
  state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
  -- SHA-256 of the cookie of the browser that began: another browser cannot complete it.
  cookie_hash bytea NOT NULL CHECK (octet_length(cookie_hash) = 32),
  purpose text NOT NULL CHECK (purpose IN ('sign_in','link','confirm')),
  account_id text REFERENCES accounts ON DELETE CASCADE,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  locale text NOT NULL CHECK (locale IN ('en','zh','ja')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK ((purpose = 'sign_in') = (account_id IS NULL))
);
CREATE INDEX authorization_requests_account ON authorization_requests (account_id);
CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_at);

ALTER TABLE account_sessions
  -- The provider that signed the owner in; null: a password or a mailed link.
  ADD COLUMN issuer text,
  -- When the owner last signed in again at the provider, before an action that cannot be undone.
  ADD COLUMN confirmed_at timestamptz;

GRANT SELECT, INSERT, DELETE ON account_identities, authorization_requests TO tidemark_account;
GRANT SELECT (issuer, subject, account_id) ON account_identities TO tidemark_api;
`;

const DOWN = `
ALTER TABLE account_sessions DROP COLUMN issuer, DROP COLUMN confirmed_at;
DROP TABLE authorization_requests, account_identities;
`;
