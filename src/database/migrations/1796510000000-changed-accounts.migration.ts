import type { QueryRunner } from 'typeorm';
import type { ReleaseMigration } from '../release-migration.js';

/** Names the account of each access version, so that an event of one account empties no cache of another's callers. */
export class ChangedAccounts1796510000000 implements ReleaseMigration {
  readonly name = 'ChangedAccounts1796510000000';
  readonly locks = [];
  readonly serves = '0.1.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
CREATE TABLE changed_accounts (
  version bigint NOT NULL,
  account_id text NOT NULL,
  PRIMARY KEY (version, account_id)
);
GRANT SELECT ON changed_accounts TO tidemark_api;

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

DROP TRIGGER accounts_version ON accounts;
CREATE TRIGGER accounts_version AFTER UPDATE OF plan, status OR DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION advance_access_version();
DROP TRIGGER account_identities_version ON account_identities;
CREATE TRIGGER account_identities_version AFTER UPDATE OR DELETE ON account_identities
  FOR EACH ROW EXECUTE FUNCTION advance_access_version();
`;

const DOWN = `
CREATE OR REPLACE FUNCTION advance_access_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE access_version SET version = version + 1;
  RETURN NULL;
END $$;
ALTER FUNCTION advance_access_version() RESET search_path;
DROP TRIGGER accounts_version ON accounts;
CREATE TRIGGER accounts_version AFTER UPDATE OF plan, status OR DELETE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
DROP TRIGGER account_identities_version ON account_identities;
CREATE TRIGGER account_identities_version AFTER UPDATE OR DELETE ON account_identities
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
DROP TABLE changed_accounts;
`;
