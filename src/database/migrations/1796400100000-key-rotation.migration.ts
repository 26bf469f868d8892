import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key is replaced at most once, and an expiry in the future makes no instance look every caller up again. */
export class KeyRotation1796400100000 implements MigrationInterface {
  readonly name = 'KeyRotation1796400100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
ALTER TABLE api_keys ADD COLUMN replaces text UNIQUE REFERENCES api_keys ON DELETE SET NULL;

DROP TRIGGER api_keys_version ON api_keys;
-- Instances read a caller again within five minutes (caller-lookup.ts), so they see a later expiry in time.
CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at, expires_at ON api_keys FOR EACH ROW
  WHEN ((OLD.account_id, OLD.hash, OLD.revoked_at) IS DISTINCT FROM (NEW.account_id, NEW.hash, NEW.revoked_at)
    OR OLD.expires_at IS DISTINCT FROM NEW.expires_at
      AND least(OLD.expires_at, NEW.expires_at) < now() + interval '10 minutes')
  EXECUTE FUNCTION advance_access_version();
-- Nobody is let in by a key that has ended, so deleting its row changes nothing.
CREATE TRIGGER api_keys_deletion AFTER DELETE ON api_keys FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND (OLD.expires_at IS NULL OR OLD.expires_at > now()))
  EXECUTE FUNCTION advance_access_version();
`;

const DOWN = `
DROP TRIGGER api_keys_deletion ON api_keys;
DROP TRIGGER api_keys_version ON api_keys;
CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at, expires_at OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
ALTER TABLE api_keys DROP COLUMN replaces;
`;
