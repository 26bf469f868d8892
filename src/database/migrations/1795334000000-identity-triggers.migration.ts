import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The access version moves only when an identity changes. A new account or key changes none, because instances do not
 * cache unknown keys; the triggers of the foundation migration made every instance look up every key again after each
 * sign-up.
 */
export class IdentityTriggers1795334000000 implements MigrationInterface {
  readonly name = 'IdentityTriggers1795334000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER accounts_version ON accounts;
      DROP TRIGGER api_keys_version ON api_keys;
      CREATE TRIGGER accounts_version AFTER UPDATE OF plan, status OR DELETE ON accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
      CREATE TRIGGER api_keys_version AFTER UPDATE OF account_id, hash, revoked_at OR DELETE ON api_keys
        FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER accounts_version ON accounts;
      DROP TRIGGER api_keys_version ON api_keys;
      CREATE TRIGGER accounts_version AFTER INSERT OR UPDATE OR DELETE ON accounts
        FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version();
      CREATE TRIGGER api_keys_version AFTER INSERT OR UPDATE OR DELETE ON api_keys
        FOR EACH STATEMENT EXECUTE FUNCTION advance_access_version()`);
  }
}
