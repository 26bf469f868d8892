import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last usage batch of each instance in `daily_usage`: an instance repeats a batch whose commit it could not
 * confirm, and the repeated batch adds nothing. Instances of earlier versions do not use this table.
 */
export class UsageWriters1795316000000 implements MigrationInterface {
  readonly name = 'UsageWriters1795316000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_writers (
        id uuid PRIMARY KEY,
        batch integer NOT NULL CHECK (batch > 0),
        written_at timestamptz NOT NULL DEFAULT now()
      );
      GRANT SELECT, INSERT, UPDATE, DELETE ON usage_writers TO tidemark_api`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_writers');
  }
}
