import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The store of limits counts attempts without a key, so that a flood of them costs the database nothing. */
export class CountedActs1796800000000 implements MigrationInterface {
  readonly name = 'CountedActs1796800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attempt_limits');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attempt_limits (
        subject bytea PRIMARY KEY CHECK (octet_length(subject) = 32),
        due_at timestamptz NOT NULL
      );
      CREATE INDEX attempt_limits_due ON attempt_limits (due_at);
      GRANT SELECT, INSERT, UPDATE, DELETE ON attempt_limits TO tidemark_account`);
  }
}
