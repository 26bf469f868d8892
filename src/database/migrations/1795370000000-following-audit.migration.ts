import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes of follows and alerts leave audit rows in their own transaction, which is the API's. Its role appends rows of
 * these actions and of no other, and reads none.
 */
export class FollowingAudit1795370000000 implements MigrationInterface {
  readonly name = 'FollowingAudit1795370000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
      CREATE POLICY account_audit_events ON audit_events TO tidemark_account USING (true) WITH CHECK (true);
      CREATE POLICY api_audit_events ON audit_events FOR INSERT TO tidemark_api WITH CHECK (action IN (
        'follow_added', 'follow_removed', 'alert_created', 'alert_paused', 'alert_resumed', 'alert_deleted'));
      GRANT INSERT ON audit_events TO tidemark_api;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      REVOKE INSERT ON audit_events FROM tidemark_api;
      DROP POLICY api_audit_events ON audit_events;
      DROP POLICY account_audit_events ON audit_events;
      ALTER TABLE audit_events DISABLE ROW LEVEL SECURITY;`);
  }
}
